import { describe, expect, test } from 'vitest'
import type { CalloutLevel } from '../../src/markdown/block.ts'
import { BlockWriter } from '../../src/page/blocks/block-writer.ts'
import { displayColors } from '../../src/space/model/colors.ts'
import { bare, block, context, written } from './writing.ts'

const bullet = (text: string, level = 0) =>
  block(`${'  '.repeat(level)}- ${text}`, { listStyle: 'bullet', ...(level > 0 && { indentationLevel: level }) })
const numbered = (text: string, level = 0) =>
  block(`${'  '.repeat(level)}1. ${text}`, { listStyle: 'numbered', ...(level > 0 && { indentationLevel: level }) })
const toggle = (text: string) => block(`+ ${text}`, { listStyle: 'toggle' })
const heading = (level: 1 | 2 | 3 | 4, text: string) =>
  block(`${'#'.repeat(level)} ${text}`, { textStyle: `h${level}` })

describe('text', () => {
  test.each([
    ['words', {}, '<p>words</p>'],
    ['a **b** *c* ~~d~~ `e`', {}, '<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>'],
    ['<caption>small</caption>', { textStyle: 'caption' }, '<p class="caption">small</p>'],
    ['a\nb', {}, '<p>a<br>b</p>'],
    ['<highlight color="red">r</highlight>', {}, '<p><mark class="hl-red">r</mark></p>'],
    ['<comment id="1">c</comment>', {}, '<p><span class="commented" data-comment="1">c</span></p>'],
    [
      'H<sub class="x">2</sub>O <KBD>C</KBD><br/><u>a <mark>b</u>',
      {},
      '<p>H<sub>2</sub>O <kbd>C</kbd><br><u>a <span class="tag">&lt;mark&gt;</span>b</u></p>',
    ],
    ['<details open>', {}, '<p><span class="tag">&lt;details open&gt;</span></p>'],
    ['\\<kbd onclick="x">', {}, '<p>&lt;kbd onclick=&quot;x&quot;&gt;</p>'],
    [
      'a <!-- <b>c\u200b -->',
      {},
      '<p>a <span class="remark" tabindex="0" role="note"><span class="remark-name">comment</span> <span class="remark-text">&lt;b&gt;c<b class="unseen" title="A character that is not seen">U+200B</b></span></span></p>',
    ],
    ['1 < 2 & "3"', {}, '<p>1 &lt; 2 &amp; &quot;3&quot;</p>'],
  ] as const)('%j', async (markdown, fields, html) => {
    expect(await written(block(markdown, fields))).toBe(html)
  })

  test('a comment of several lines is a mark that opens', async () => {
    const comment = block('<!--\n- [ ] a\n<b>\n-->', { type: 'code', info: '<!---->', rawCode: '- [ ] a\n<b>' })
    const html = await written(comment)
    expect(html).toContain('<span class="remark-text">- [ ] a&lt;b&gt;</span>')
    expect(html).not.toContain('<pre')
  })

  test('a long text shows its comments and tags as they are written', async () => {
    const text = await written(block(`<!-- do this --> ${'word '.repeat(6_000)}`))
    expect(text).toContain('&lt;!-- do this --&gt;')
  })

  test('callouts and quotes have a class', async () => {
    const callout = block('<callout>care</callout>', { decorations: { callout: true } })
    const quote = block('> said', { decorations: { quote: true } })
    const text = await written(callout, quote)
    expect(text).toContain('class="block callout"')
    expect(text).toContain('class="block quote"')
    expect(text).toContain('<p>said</p>')
  })

  test.each([{}, { isEditable: true }])(
    'a callout with a title, or one that is folded, has a button',
    async (options) => {
      const boxed = (...callout: CalloutLevel[]) => block('<callout>a</callout>', { decorations: { callout } })
      const text = String(
        await new BlockWriter({ ...context, ...options }).write([
          boxed({ starts: true, title: '<b>', icon: '🌱' }, { starts: true, folded: true }),
          boxed({}, {}),
          boxed({ starts: true, title: 'Next' }),
          boxed({ starts: true }),
        ]),
      )
      expect(text.match(/ data-goes-on="\d"|<button class="callout-fold".*?<\/button>/g)).toEqual([
        '<button class="callout-fold" type="button" data-depth="1">🌱 &lt;b&gt;</button>',
        '<button class="callout-fold" type="button" data-depth="2" data-folded>Callout</button>',
        ' data-goes-on="2"',
        '<button class="callout-fold" type="button" data-depth="1">Next</button>',
      ])
    },
  )

  test.each([{}, { isEditable: true }])('a color has a tone, and a variant for each theme', async (options) => {
    const html = async (color: string) =>
      String(await new BlockWriter({ ...context, ...options }).write([block('a', { color })]))
    const { light, dark } = displayColors('#FF0000')
    expect(await html('#FF0000')).toMatch(
      new RegExp(`class="block tone-red" id="\\w+" dir="\\w+" data-light="${light}" data-dark="${dark}"`),
    )
    expect(await html('#808080')).toContain('class="block tone-gray"')
    expect(await html('"><i>')).not.toContain('<i>')
    expect(await html('"><i>')).not.toContain('data-light')
  })
})

describe('headings', () => {
  test('have no gaps in their levels, whatever styles were chosen', async () => {
    const blocks = [heading(3, 'a'), heading(4, 'b'), heading(2, 'c'), heading(4, 'd'), heading(1, 'e')]
    const levels = [...(await written(...blocks)).matchAll(/<(h\d) class="(h\d)">/g)].map(([, tag, style]) => [
      tag,
      style,
    ])
    expect(levels).toEqual([
      ['h2', 'h3'],
      ['h3', 'h4'],
      ['h2', 'h2'],
      ['h3', 'h4'],
      ['h2', 'h1'],
    ])
  })
})

describe('lists', () => {
  const item = (text: string) => `<span class="item-text">${text}</span>`

  test('nest by level', async () => {
    expect(await written(bullet('a'), bullet('b', 1), bullet('c', 2), bullet('d'))).toBe(
      `<ul class="bullets"><li>${item('a')}<ul class="bullets"><li>${item('b')}<ul class="bullets"><li>${item('c')}</li></ul></li></ul></li><li>${item('d')}</li></ul>`,
    )
  })

  test('begin with a number of their own', async () => {
    const blocks = [block('5. a', { listStyle: 'numbered', number: 5 }), numbered('b')]
    const items = [...(await written(...blocks)).matchAll(/<li class="block digits"[^>]* value="(\d+)">/g)]
    expect(items.map(([, number]) => number)).toEqual(['5', '6'])
    const edited = new BlockWriter({ ...context, isEditable: true })
    const labels = [...String(await edited.write(blocks)).matchAll(/data-number="([^"]*)"/g)]
    expect(labels.map(([, label]) => label)).toEqual(['5.', '6.'])
  })

  test('end at a text or at another kind of list', async () => {
    expect(await written(bullet('a'), numbered('b'), block('c'), numbered('d'))).toBe(
      `<ul class="bullets"><li>${item('a')}</li></ul><ol class="numbers"><li>${item('b')}</li></ol><p>c</p><ol class="numbers"><li>${item('d')}</li></ol>`,
    )
  })

  test('contain a text that is indented', async () => {
    const deeper = block('  under a', { indentationLevel: 1 })
    expect(await written(bullet('a'), deeper, bullet('b'))).toBe(
      `<ul class="bullets"><li>${item('a')}<p>under a</p></li><li>${item('b')}</li></ul>`,
    )
  })

  test('nest blocks in toggles', async () => {
    expect(await written(toggle('more'), bullet('a', 1), block('after'))).toBe(
      `<ul class="toggles"><li><details><summary>${item('more')}</summary><ul class="bullets"><li>${item('a')}</li></ul></details></li></ul><p>after</p>`,
    )
  })

  test('continue from one part of a document to the next', async () => {
    const writer = new BlockWriter(context)
    const parts = [await writer.write([bullet('a'), bullet('b', 1)]), await writer.write([bullet('c')]), writer.end()]
    const whole = await written(bullet('a'), bullet('b', 1), bullet('c'))
    expect(bare(parts.join(''))).toBe(whole)
  })

  test('skip a level as their items do', async () => {
    expect(await written(bullet('a', 2), bullet('b'))).toBe(
      `<ul class="bullets"><li>${item('a')}</li></ul><ul class="bullets"><li>${item('b')}</li></ul>`,
    )
  })
})

describe('tasks', () => {
  test('have a checkbox that sends their new state', async () => {
    const task = block('- [ ] buy', {
      id: 'b7',
      listStyle: 'task',
      taskInfo: { state: 'todo', deadlineDate: '2026-11-19' },
    })
    const text = await written(task)
    expect(text).toContain('name="task" value="b7 done" role="checkbox" aria-checked="false"')
    expect(text).toContain(
      '<span class="late">due <time datetime="2026-11-19" title="Thursday, November 19, 2026">Yesterday</time></span>',
    )
  })

  test('that are done can be reopened, and canceled ones can be neither done nor reopened', async () => {
    const done = block('- [x] a', { id: 'b8', listStyle: 'task', taskInfo: { state: 'done' } })
    const canceled = block('- [-] b', { id: 'b9', listStyle: 'task', taskInfo: { state: 'canceled' } })
    const text = await written(done, canceled)
    expect(text).toContain('value="b8 todo" role="checkbox" aria-checked="true"')
    expect(text).toContain('value="b9 todo" role="checkbox" aria-checked="mixed"')
  })

  test('say how they repeat', async () => {
    const repeat = { type: 'fixed', frequency: 'weekly', interval: 2 }
    const task = block('- [ ] a', {
      listStyle: 'task',
      taskInfo: { state: 'todo', scheduleDate: '2026-12-01', repeat },
    })
    expect(await written(task)).toContain('>Tue, Dec 1</time>, every 2 weeks</span>')
  })

  test('cannot be ticked with read access', async () => {
    const writer = new BlockWriter({ ...context, mayChange: false })
    const task = block('- [ ] a', { listStyle: 'task', taskInfo: { state: 'todo' } })
    expect(String(await writer.write([task]))).toContain(' disabled></button>')
  })
})

describe('blocks of other types', () => {
  test('tables, with numbers aligned to the right', async () => {
    const table = block('| Part | Weight |\n| --- | --- |\n| Hook | 1,200 |\n| Rope | – |', { type: 'table' })
    const text = await written(table)
    expect(text).toContain('<th scope="col" class="num">Weight</th>')
    expect(text).toContain('<td>Hook</td><td class="num">1,200</td>')
  })

  test('code in languages without a name of their own in blocks', async () => {
    const toml = block('```toml title="x"\na = 1\n```', {
      ...{ type: 'code', language: 'other', info: 'toml title="x"', rawCode: 'a = 1' },
    })
    const text = await written(toml)
    expect(text).toContain('<pre tabindex="0" data-language="toml title=&quot;x&quot;">')
    expect(text).toContain('<span class="hljs-attr">a</span>')
    const query = block('```dataview\nLIST\n```', {
      ...{ type: 'code', language: 'other', info: 'dataview', rawCode: 'LIST' },
    })
    expect(await written(query)).toContain('<code>LIST</code>')
  })

  test('formulas, as MathML, or as written if they are invalid', async () => {
    const formula = block('```math_formula\na^2\n```', { type: 'code', language: 'math_formula', rawCode: 'a^2' })
    expect(await written(formula)).toContain('<msup><mi>a</mi><mn>2</mn></msup>')
    const wrong = block('', { type: 'code', language: 'math_formula', rawCode: '\\frac{' })
    expect(await written(wrong)).toContain('<pre><code>\\frac{</code></pre>')
  })

  test('pages, as cards with their first words', async () => {
    const page = block('Inner', {
      id: 'b5',
      type: 'page',
      title: { value: 'Inner', attributes: [] },
      contentPreviewMd: '- [ ] one\n**two**',
    })
    expect(await written(page)).toBe(
      '<a class="page-card" href="/view/key/d/b5"><b>Inner</b><span>one · two</span></a>',
    )
  })

  test('images of the space are shown; those elsewhere are links', async () => {
    const own = block('![q](scriptorium://files/100000000001)', {
      type: 'image',
      url: 'scriptorium://files/100000000001',
      altText: 'q',
    })
    expect(await written(own)).toContain('<img src="/view/key/files/100000000001" alt="q" loading="lazy">')
    const other = block('![q](https://a.example/b.png)', {
      type: 'image',
      url: 'https://a.example/b.png',
      altText: 'q',
    })
    const text = await written(other)
    expect(text).not.toContain('<img')
    expect(text).toContain('href="https://a.example/b.png" rel="noopener noreferrer"')
  })

  test('a sound, with a player and its name', async () => {
    const sound = block('[a.mp3](scriptorium://files/100000000003)', {
      ...{ type: 'file', url: 'scriptorium://files/100000000003', fileName: 'a.mp3', mimeType: 'audio/mpeg' },
    })
    const text = await written(sound)
    expect(text).toContain(
      '<audio src="/view/key/files/100000000003/a.mp3" controls preload="none" aria-label="a.mp3"></audio><a class="link-card"',
    )
    const elsewhere = block('[a.mp3](https://a.example/a.mp3)', {
      ...{ type: 'file', url: 'https://a.example/a.mp3', fileName: 'a.mp3', mimeType: 'audio/mpeg' },
    })
    expect(await written(elsewhere)).not.toContain('<audio')
  })

  test('lines, link cards, files and whiteboards', async () => {
    const line = block('****', { type: 'line', lineStyle: 'light' })
    const card = block('[A](https://a.example/x)', {
      type: 'richUrl',
      url: 'https://a.example/x',
      title: 'A',
      description: 'About',
    })
    const file = block('[r.pdf](scriptorium://files/100000000002)', {
      type: 'file',
      url: 'scriptorium://files/100000000002',
      fileName: 'r.pdf',
      fileSize: 1_200_000,
      mimeType: 'application/pdf',
    })
    const board = block('<whiteboard/>', { id: 'b6', type: 'whiteboard' })
    const text = await written(line, card, file, board)
    expect(text).toContain('<hr class="light">')
    expect(text).toContain('<b>A</b><span>About</span><small>a.example</small>')
    expect(text).toContain(
      'href="/view/key/files/100000000002/r.pdf" download="r.pdf"><b>r.pdf</b><small>application/pdf, 1.2 MB</small>',
    )
    expect(text).toContain('src="/view/key/whiteboards/b6/picture.svg"')
  })
})

test('comments on a block and backlinks are below it', async () => {
  const metadata = {
    createdAt: '2026-11-20T08:00:00.000Z',
    lastModifiedAt: '2026-11-20T08:59:40.000Z',
    createdBy: 'Anna',
    lastModifiedBy: 'Anna',
    comments: [{ id: '1', author: 'Ben', content: 'Is <that> so?', createdAt: '2026-11-20T08:30:00.000Z' }],
    linkedFrom: [{ blockId: '100000000004', documentId: '100000000003', title: 'Diary' }],
  }
  const text = await written(block('words', { metadata }))
  expect(text).toContain('<span class="who" dir="ltr">Anna, <time')
  expect(text).toContain('<b>Ben</b>, <time')
  expect(text).toContain('Is &lt;that&gt; so?')
  expect(text).toContain('Linked from <a href="/view/key/d/100000000004">Diary</a>')
})

describe('the direction', () => {
  const HEBREW = 'שלום (abc)'
  const directions = async (...blocks: Parameters<typeof written>) =>
    [...String(await new BlockWriter(context).write(blocks)).matchAll(/<(\w+) [^>]*dir="(\w+)"/g)].map(
      ([, tag, dir]) => `${tag} ${dir}`,
    )

  test('of a block is that of its text, whoever wrote or commented it', async () => {
    const at = '2026-11-25T08:00:00Z'
    const comments = [{ id: '1', author: 'Anna', content: HEBREW, createdAt: at }]
    const metadata = { lastModifiedAt: at, lastModifiedBy: 'Anna', comments }
    expect(await directions(block(HEBREW, { metadata } as object))).toEqual([
      'div auto',
      'span ltr',
      'details ltr',
      'p auto',
    ])
  })

  test('of a list is that of its first item, beside which its marker stands', async () => {
    expect(await directions(bullet(`1. ${HEBREW}`), bullet('English'))).toEqual(['ul rtl', 'li auto', 'li auto'])
    expect(await directions(bullet('English שלום'))).toEqual(['li auto'])
    expect(await directions(bullet('مرحبا'))).toEqual(['ul rtl', 'li auto'])
  })

  test('of code is from left to right, whatever is in it', async () => {
    const code = block('```\nשלום\n```', { type: 'code', rawCode: 'שלום' })
    expect(await directions(code)).toContain('div ltr')
  })
})
