/** The conversion of each construct of a note. */
import { describe, expect, test } from 'vitest'
import type { NoteLink } from '../../../src/import/markdown/note-links.ts'
import { prepareNote } from '../../../src/import/markdown/prepare-note.ts'
import { imported, markdownFormat, problemLines } from '../importing.ts'

/** The Markdown of the only note in a vault. @param more  further files */
async function noteOf(text: string, more: Record<string, string | Uint8Array> = {}) {
  const run = await imported({ 'Note.md': text, ...more })
  return { ...run, text: await run.read('Note'), problems: problemLines(run.report) }
}

/** The preparation of a text in which every link leads to block 1. */
const prepared = (text: string) =>
  prepareNote(text, {
    ...{ linesBefore: 0, isVault: true, isOwn: false, anchors: new Set<string>() },
    resolve: (link: NoteLink) => (link.target === 'missing' ? { literal: link.written } : { address: 'block://1' }),
    report: () => {},
  }).text

describe('wiki links', () => {
  test.each([
    ['[[Plan]]', '[Plan](<block://1>)'],
    ['[[Plan|the plan]]', '[the plan](<block://1>)'],
    ['[[Plan#Goals]]', '[Plan \\> Goals](<block://1>)'],
    ['[[Plan#^a1]]', '[Plan](<block://1>)'],
    ['| [[Plan\\|p]] |', '| [p](<block://1>) |'],
    ['[[Plan|a *b*]]', '[a \\*b\\*](<block://1>)'],
  ])('%s is a link', (written, shown) => expect(prepared(written)).toBe(shown))

  test.each([
    '`[[Plan]]`',
    '```\n[[Plan]]\n```',
    '> ~~~\n> [[Plan]]\n> ~~~',
    '$$\n[[Plan]]\n$$',
    '\\[[Plan]]',
    '[[missing]]',
  ])('%s stays unchanged', (written) => expect(prepared(written)).toBe(written))
})

test('a link around a wiki link keeps its words and its address, and is reported', async () => {
  const { text, problems } = await noteOf('see [the [[Plan]] here](https://x.example/a)', { 'Plan.md': 'Words.' })
  expect(text).toMatch(/^see \\?\[the \[Plan\]\(block:\/\/\d+\) here\\?\]\(https:\/\/x\.example\/a\)$/)
  expect(problems).toEqual([
    'Note.md:1 changed: A link around a link is kept as text with its address, since no link holds another.',
  ])
})

test('properties are kept unchanged, as code at the top', async () => {
  const { blocks } = await imported({ 'Note.md': '---\ntags: [a, "b"] # mine\n---\nWords.\n' })
  expect(await blocks('Note')).toMatchObject([
    { type: 'code', rawCode: 'tags: [a, "b"] # mine', language: 'yaml' },
    { type: 'text', markdown: 'Words.' },
  ])
})

test('properties that are invalid YAML are kept and reported', async () => {
  const { problems, text } = await noteOf('---\na: [\n---\nWords.\n')
  expect(text).toBe('```yaml\na: [\n```\n\nWords.')
  expect(problems).toEqual([
    'Note.md:1 changed: Its properties are kept as they stand: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 5.',
  ])
})

test('a link to a heading without text leads to the note', async () => {
  const { text, problems } = await noteOf('[[Plan]]', { 'Plan.md': '## <!-- -->\n\n##  \n\nWords.\n' })
  expect(text).toMatch(/^\[Plan\]\(/)
  expect(problems).toEqual([])
})

test.each([
  ['- [x] *** ✅ 2024-03-01', '\\*\\*\\*'],
  ['- [x] **a**&#32; ✅ 2024-03-01', '**a**&#32;'],
  ['- [x] #&#32; ✅ 2024-03-01', '#&#32;'],
])('%s stays text without its date', async (written, markdown) => {
  const { blocks } = await imported({ 'Note.md': written })
  const task = expect.objectContaining({ state: 'done', completedAt: '2024-03-01T00:00:00.000Z' })
  expect(await blocks('Note')).toMatchObject([
    { type: 'text', listStyle: 'task', markdown: `- [x] ${markdown}`, taskInfo: task },
  ])
})

describe('callouts', () => {
  test('have their kind, and a title with marks as their first line', async () => {
    const { blocks } = await imported({ 'Note.md': '> [!warning] Mind **this**\n> One.\n>\n> - two\n\n> A quote.\n' })
    expect(await blocks('Note')).toMatchObject([
      {
        markdown: '<callout>**Mind this**</callout>',
        decorations: { callout: [{ starts: true, icon: 'warning' }] },
      },
      { markdown: '<callout>One.</callout>', decorations: { callout: [{}] } },
      { markdown: '- <callout>two</callout>', listStyle: 'bullet', decorations: { callout: [{}] } },
      { markdown: '> A quote.', decorations: { quote: true } },
    ])
  })

  test('can be folded, and have a title', async () => {
    const { text } = await noteOf('> [!tip]- Open me\n> Inside.\n')
    expect(text).toBe('<callout title="Open me" icon="tip" folded="true">\nInside.\n</callout>')
  })

  test('can be nested', async () => {
    const { text } = await noteOf('> [!note]\n> Out.\n> > [!bug]\n> > In.\n')
    expect(text).toBe('<callout>\nOut.\n\n<callout icon="bug">\nIn.\n</callout>\n</callout>')
  })

  test('of a custom kind have no color', async () => {
    const { blocks } = await imported({ 'Note.md': '> [!mine]\n> One.\n' })
    const [block] = (await blocks('Note')) as { color?: string }[]
    expect(block).toMatchObject({ markdown: '<callout>One.</callout>' })
    expect(block?.color).toBeUndefined()
  })
})

describe('comments', () => {
  test('belong to their block, on its line or on lines of their own', async () => {
    const { call, idOf } = await imported({ 'Note.md': 'Words %%mind this%% here.\n\nMore.\n\n%%\nabove\n%%\n' })
    const page = await call('blocks_get', { id: await idOf('Note'), fetchMetadata: true })
    const comments = page.content.map((block: { metadata?: { comments?: { content: string }[] } }) =>
      block.metadata?.comments?.map(({ content }) => content),
    )
    expect(comments).toEqual([['mind this'], ['above']])
  })

  test('have author and time if our own export wrote them', async () => {
    const { call, idOf } = await imported({ 'Note.md': 'Words %%Anna 2024-01-02T03:04:05Z: mind this%%\n' })
    const page = await call('blocks_get', { id: await idOf('Note'), fetchMetadata: true })
    expect(page.content[0].metadata.comments).toMatchObject([
      { author: 'Anna', content: 'mind this', createdAt: '2024-01-02T03:04:05.000Z' },
    ])
  })

  test('in code are not comments', async () => {
    const { text } = await noteOf('Not `%% [[` here.\n\nNor `%%` there.\n')
    expect(text).toBe('Not `%% [[` here.\n\nNor `%%` there.')
  })
})

test('tasks have the dates that the Tasks plugin writes', async () => {
  const { blocks } = await imported({
    'Note.md':
      '- [ ] Pay #tag 🔁 every 2 weeks ⏳ 2024-05-01 📅 2024-05-04 ⏫\n- [x] Done ✅ 2024-04-30\n- [-] Off ❌ 2024-04-29\n',
  })
  expect(await blocks('Note')).toMatchObject([
    {
      markdown: '- [ ] Pay #tag ⏫',
      taskInfo: {
        ...{ state: 'todo', scheduleDate: '2024-05-01', deadlineDate: '2024-05-04' },
        repeat: { type: 'fixed', frequency: 'weekly', interval: 2 },
      },
    },
    { markdown: '- [x] Done', taskInfo: { state: 'done', completedAt: '2024-04-30T00:00:00.000Z' } },
    { markdown: '- [-] Off', taskInfo: { state: 'canceled', canceledAt: '2024-04-29T00:00:00.000Z' } },
  ])
})

test('dates of tasks are read in a folder that is no vault', async () => {
  const { blocks } = await imported({ 'Note.md': '- [x] dated ✅ 2024-03-01\n- [x] undated\n' }, markdownFormat)
  expect(await blocks('Note')).toMatchObject([
    { markdown: '- [x] dated', taskInfo: { state: 'done', completedAt: '2024-03-01T00:00:00.000Z' } },
    { markdown: '- [x] undated', taskInfo: { state: 'done' } },
  ])
})

test('text that looks like our tags stays text', async () => {
  const { text, problems } = await noteOf('<page>\n\n<content>a</content> and <comment id="1">x\n')
  expect(text).toBe('\\<page>\n\n\\<content>a\\</content> and \\<comment id="1">x')
  expect(problems).toEqual([])
})

test('what cannot be read is kept as code, and reported', async () => {
  const { text, problems } = await noteOf('==a <b== c\n\n<highlight color="nope">\n', {})
  expect(text).not.toContain('```')
  expect(problems).toEqual([])
})

test('an item without text is an item', async () => {
  const { blocks } = await imported({ 'Note.md': '-\n- two\n\nTitle\n-\n' })
  expect(await blocks('Note')).toMatchObject([
    { listStyle: 'bullet' },
    { listStyle: 'bullet', markdown: '- two' },
    { textStyle: 'h2', markdown: '## Title' },
  ])
})

describe('files', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )

  test('that are embedded are blocks, at any position', async () => {
    const { blocks, report } = await imported({
      'Note.md': '![[dot.png|300]]\n\nBefore ![a dot](img/dot.png) after.\n\n- ![[dot.png]]\n',
      'img/dot.png': PNG,
    })
    const picture = { type: 'image', mimeType: 'image/png', uploaded: true, fileSize: PNG.byteLength }
    expect(await blocks('Note')).toMatchObject([
      picture,
      { markdown: 'Before' },
      { ...picture, altText: 'a dot' },
      { markdown: 'after.' },
      { ...picture, listStyle: 'bullet' },
    ])
    expect(report.counts).toMatchObject({ added: 1, files: 1 })
    expect(problemLines(report)).toEqual([
      'Note.md:1 left out: Numbers are missing in the document.',
      'Note.md:3 changed: An image in a line with words is a block of its own.',
    ])
    expect(report.problems[0]?.detail).toBe('300')
  })

  test('that are embedded in marks or links are all kept', async () => {
    const { blocks, report } = await imported({
      'Note.md': '[![one](a.png) ![two](b.png)](https://x.example)\n\n**![[a.png]]** ![[b.png]]\n',
      ...{ 'a.png': PNG, 'b.png': PNG },
    })
    const kinds = ((await blocks('Note')) as { type: string; markdown?: string }[]).map(({ type, markdown }) =>
      type === 'text' ? markdown : type,
    )
    expect(kinds).toEqual(['[one two](<https://x.example>)', 'image', 'image', 'image', 'image'])
    expect(report.counts.files).toBe(2)
  })

  test('that are linked follow their link, and a link that stands alone becomes the file', async () => {
    const { blocks } = await imported({
      'Note.md': 'See [the plan](plan.pdf) and [[plan.pdf]].\n\n[[other.bin]]\n',
      'plan.pdf': '%PDF-1.4',
      'other.bin': 'text',
    })
    const [words, plan, other] = (await blocks('Note')) as { id: string; markdown: string }[]
    expect(words?.markdown).toBe(`See [the plan](block://${plan?.id}) and [plan.pdf](block://${plan?.id}).`)
    expect([plan, other]).toMatchObject([
      { type: 'file', fileName: 'plan.pdf', mimeType: 'application/pdf' },
      { type: 'file', fileName: 'other.bin' },
    ])
  })

  test('in a table follow it', async () => {
    const { blocks, report } = await imported({
      'Note.md': '| a |\n|---|\n| x ![[d_t.png]] y |\n| ![a dot](d_t.png) |\n',
      'd_t.png': PNG,
    })
    const [table, picture] = (await blocks('Note')) as { id: string; markdown: string; type: string }[]
    expect(table?.markdown).toContain(`| x [d_t.png](block://${picture?.id}) y |\n`)
    expect(table?.markdown).toContain(`| [a dot](block://${picture?.id}) |`)
    expect(picture?.type).toBe('image')
    const message = 'changed: An image in a cell is a link to the image, which is below the table.'
    expect(problemLines(report)).toEqual([`Note.md:3 ${message}`, `Note.md:3 ${message}`])
  })

  test('that no note shows are collected in one document', async () => {
    const { blocks } = await imported({ 'Note.md': 'Words.', 'box/left.bin': 'text' })
    expect(await blocks('Files')).toMatchObject([{ markdown: '### box' }, { type: 'file', fileName: 'left.bin' }])
  })

  test('outside of the source are not imported', async () => {
    const { text, problems } = await noteOf('![x](../../.ssh/id_rsa) ![[../../secret]] [y](file:///etc/passwd)\n')
    expect(text).toBe('![x](../../.ssh/id_rsa) ![[../../secret]] [y](file:///etc/passwd)')
    expect(problems).toEqual([
      'Note.md:1 not found: A link to a note or file that is not there is kept as text.',
      'Note.md:1 not found: A link to a file that is not there is kept as it is.',
      'Note.md:1 not found: A link to a file of this machine is kept as it is.',
    ])
  })
})

describe('Markdown links', () => {
  test('lead to notes and headings by path', async () => {
    const { read, blocks } = await imported(
      {
        'README.md':
          'See [a](docs/A%20b.md#two-words), [docs](docs), [here](#top) and [web](https://x.example/a.md).\n\n# Top\n',
        'docs/A b.md': '## Two words\n',
        'docs/index.md': 'Index.\n',
      },
      markdownFormat,
    )
    const [heading] = (await blocks('A b')) as { id: string }[]
    const top = ((await blocks('README')) as { id: string }[])[1]
    expect(await read('README')).toMatch(
      new RegExp(
        `^See \\[a\\]\\(block://${heading?.id}\\), \\[docs\\]\\(block://\\d+\\), \\[here\\]\\(block://${top?.id}\\) and \\[web\\]\\(https://x\\.example/a\\.md\\)\\.`,
      ),
    )
  })

  test('also work in tables', async () => {
    const { read, idOf } = await imported({ 'a.md': '| `x` | y |\n|---|---|\n| [b](b.md) | `|` |\n', 'b.md': 'B.' })
    expect(await read('a')).toContain(`[b](block://${await idOf('b')})`)
  })

  test('of Obsidian that lead nowhere stay text without a report', async () => {
    const { report, read } = await imported({ 'a.md': 'An [[array]] of [[lists]].\n' }, markdownFormat)
    expect(await read('a')).toBe('An [[array]] of [[lists]].')
    expect(problemLines(report)).toEqual([])
  })
})

test('a heading with marks and links is found by its text', async () => {
  const { read, blocks } = await imported({
    'A.md': '[[B#The big plan]] [[b#^X1]]\n',
    'B.md': '## The **big** [[A|plan]] ##\n\nLast words ^x1\n',
  })
  const [heading, last] = (await blocks('B')) as { id: string; markdown: string }[]
  expect(await read('A')).toBe(`[B > The big plan](block://${heading?.id}) [b](block://${last?.id})`)
  expect(last?.markdown).toBe('Last words')
})
