import { describe, expect, test } from 'vitest'
import { Comparer } from '../../src/difference/comparer.ts'
import { PairCount } from '../../src/difference/pair-count.ts'
import { parseUnifiedDiff } from '../../src/difference/read-diff.ts'
import { type DetailLine, writeArguments, writeUnifiedDiff } from '../../src/difference/unified-diff.ts'
import { differenceHtml } from '../../src/page/calls/difference.ts'
import { inLocale } from '../../src/page/texts/language.ts'
import { formats } from './writing.ts'

const diffOf = (before: string, after: string): string =>
  writeUnifiedDiff({ title: 'Plan', before, after }, new PairCount(1_000_000))

const html = async (diff: string, comparer = new Comparer()): Promise<string> =>
  String(await differenceHtml(comparer, parseUnifiedDiff(diff), true))

const shown = (before: string, after: string): Promise<string> => html(diffOf(before, after))

const lines = (text: string): string[] =>
  [...text.matchAll(/<p class="(added|removed|same|sentence)(?: code)?">(?:<span.*?<\/span>)*(.*?)<\/p>/gs)].map(
    ([, kind = '', words = '']) => (kind === 'sentence' ? words : `${kind[0]} ${words}`),
  )

describe('a diff', () => {
  test('marks changed words', async () => {
    expect(lines(await shown('Permits take six weeks.', 'Permits take nine weeks.'))).toEqual([
      'r Permits take <del>six</del> weeks.',
      'a Permits take <ins>nine</ins> weeks.',
    ])
  })

  test('marks nothing in lines with little in common', async () => {
    expect(lines(await shown('Permits take six weeks.', 'Cranes rust.'))).toEqual([
      'r Permits take six weeks.',
      'a Cranes rust.',
    ])
  })

  test('shows tasks with their boxes, and what only structures a document in words', async () => {
    expect(lines(await shown('- [ ] The task', '- [x] The task'))).toEqual([
      'r <del>☐</del> The task',
      'a <ins>☑</ins> The task',
    ])
    const page = '<page id="100000000008">\n<pageTitle>Sub</pageTitle>\n<content>\n+ in it\n</content>\n</page>'
    const item =
      '<collectionItem id="100000000009">\n<title>Dig</title>\n<property name="cost">40</property>\n</collectionItem>'
    expect(lines(await shown('', `${page}\n${item}`))).toEqual([
      'a Page: Sub',
      'a ▸ in it',
      'a Item',
      'a Title: Dig',
      'a cost: 40',
    ])
  })

  test('of what has been decided shows tables without the rule below their head, and breaks as such', async () => {
    const decided = async (before: string, after: string) =>
      lines(
        String(await differenceHtml(new Comparer(), parseUnifiedDiff(diffOf(before, after)), true, { past: formats })),
      )
    const table = (cell: string) => `start\n| Part | Weight |\n| --- | --- |\n| Hook | ${cell} |`
    expect(await decided('start', table('heavy<br>very'))).toEqual([
      's start',
      'a | Part | Weight |',
      'a | Hook | heavy \u21b5 very |',
    ])
    expect(await decided(table('1'), table('1').replace('| --- |', '| --: |'))).toEqual([
      's start',
      's | Part | Weight |',
      'r | --<del>-</del> | --- |',
      'a | --<ins>:</ins> | --- |',
      's | Hook | 1 |',
    ])
    // A row that looks like the rule is none.
    expect(await decided(table('1'), `${table('1')}\n| - | --- |`)).toContain('a | - | --- |')
    expect(await decided('start', 'start\n\\| --- |')).toContain('a \\| --- |')
    expect(await decided('', '| `a<br>b` | \\<br> |')).toEqual(['a | `a&lt;br&gt;b` | \\&lt;br&gt; |'])
  })

  test('of what waits shows tables as they are', async () => {
    const table = '| Part |\n| --- |\n| - |\n| a<br>b |'
    expect(lines(await shown('', table))).toEqual(['a | Part |', 'a | --- |', 'a | - |', 'a | a&lt;br&gt;b |'])
  })

  test('names rows without their IDs and what only programs need, once all has been decided', async () => {
    const details = [
      {
        sign: '+',
        text: 'view "Cards (497000000001)" (497000000002) of "Plan" (100000000001): type: gallery, position: 3',
      },
      { sign: '+', text: 'file of image (736590098853): name: quay.png, bytes: 70, SHA-256: bc09c2590d' },
      { sign: '+', text: 'view "Cards" (497000000002): position: 3' },
      { sign: '+', text: '  | written (497000000002)' },
    ] as const
    const diff = writeUnifiedDiff({ title: 'Plan', before: '', after: '', details }, new PairCount(1_000))
    const plain = (shown: string) => lines(shown).map((line) => line.replaceAll('&quot;', '"'))
    expect(plain(await html(diff))).toEqual([...details.map(({ text }) => `a ${text}`)])
    const decided = await differenceHtml(new Comparer(), parseUnifiedDiff(diff), true, { past: formats })
    expect(plain(String(decided))).toEqual([
      'a view "Cards (497000000001)" of "Plan": type: Cards',
      'a file of image: name: quay.png, bytes: 70',
      'a view "Cards": position: 3',
      'a   | written (497000000002)',
    ])
    const moved = [
      { sign: '-', text: 'view "Cards" (497000000002): position: 3' },
      { sign: '+', text: 'view "Cards" (497000000003): position: 3' },
    ] as const
    const same = writeUnifiedDiff({ title: 'Plan', before: '', after: '', details: moved }, new PairCount(1_000))
    const past = await differenceHtml(new Comparer(), parseUnifiedDiff(same), true, { past: formats })
    expect(String(past)).toContain('497000000003')
  })

  test('has words in place of types, times, brackets and keys, once all has been decided', async () => {
    const details = [
      '"The task" (100000000001): completed at: 2026-11-29T16:03:48.883Z',
      '"Plan" (100000000001): styling: {cover color: #c9a948}',
      'view "B" (497000000002) of "Plan" (100000000001): group by: [{property: status, ascending: true}], type: kanban',
      'view "C" of "Plan": sort by: [{property: "the cost, in all", ascending: false}, {property: b, ascending: true}]',
      'property "Status" of "Plan": key: status, type: singleSelect, position: 3',
      'collection "Plan" (100000000001): key of the title column: title, title column: Name',
      '"a quote" (100000000001): state: todo',
      'comment by Ben (100000000001) on "a": content: "to [@anna](person://990810768187): {a: b, c: d}"',
      '"Dig": repeat: {type: fixed, weekly: {days: [monday, friday]}}',
    ].map((text) => ({ sign: '+', text }) as const)
    const diff = writeUnifiedDiff({ title: 'Plan', before: '', after: '', details }, new PairCount(1_000))
    const asText = (shown: string) => lines(shown).map((line) => line.replaceAll('&quot;', '"').replace(/\u202f/g, ' '))
    const past = await differenceHtml(new Comparer(), parseUnifiedDiff(diff), true, { past: formats })
    expect(asText(String(past))).toEqual([
      `a "The task": completed: ${formats.since(Date.parse('2026-11-29T16:03:48.883Z')).replace(/\u202f/g, ' ')}`,
      'a "Plan": color of the cover: #c9a948',
      'a view "B" of "Plan": grouped by: status, type: Board',
      'a view "C" of "Plan": sort by: "the cost, in all" (descending), b',
      'a property "Status" of "Plan": type: One of several options',
      'a collection "Plan": title column: Name',
      'a "a quote": state: to do',
      'a comment by Ben on "a": content: "to @anna: {a: b, c: d}"',
      'a "Dig": repeat: type: fixed, weekly: days: monday, friday',
    ])
    expect(asText(await html(diff))).toEqual(details.map(({ text }) => `a ${text}`))
    const written = diffOf('', 'for [@anna](person://990810768187)<br>today')
    const decided = await differenceHtml(new Comparer(), parseUnifiedDiff(written), true, { past: formats })
    expect(lines(String(decided))).toEqual(['a for @anna \u21b5 today'])
    expect(lines(await html(written))).toEqual(['a for [@anna](person://990810768187)&lt;br&gt;today'])
  })

  test('that has been decided shows no tag that only ends something, unless nothing else changed', async () => {
    const past = async (before: string, after: string) =>
      lines(
        String(await differenceHtml(new Comparer(), parseUnifiedDiff(diffOf(before, after)), true, { past: formats })),
      )
    const page = (inside: string) =>
      `<page id="100000000008">\n<pageTitle>Sub</pageTitle>\n<content>\n${inside}</content>\n</page>`
    const inner = '<page id="100000000009">\n<pageTitle>In it</pageTitle>\n<content>\nwords\n</content>\n</page>\n'
    expect((await past(page('one\n'), page(`one\n${inner}`))).filter((line) => !line.startsWith('s '))).toEqual([
      'a Page: In it',
      'a words',
    ])
    expect(await past('', '![](scriptorium://files/126023516613)\n![Quay](scriptorium://files/126023516614)')).toEqual([
      'a Picture',
      'a Picture: Quay',
    ])
    expect(await past('<content>\n</content>', '<content>')).toEqual(['r &lt;/content&gt;'])
  })

  test('shows addresses, comments and all other tags', async () => {
    expect(lines(await shown('a [b](block://100000000001) c', 'a [b](block://100000000002) c'))).toEqual([
      'r a [b](block://<del>100000000001</del>) c',
      'a a [b](block://<ins>100000000002</ins>) c',
    ])
    const others = [
      '<comment id="1">words</comment>',
      '<callout>words</callout>',
      '<highlight color="red">words</highlight>',
      '<title curl x>',
      '<property curl/>',
      '<content curl>',
      '<page id="100000000008" color="#ff0000">',
      'words <content>',
    ]
    const escaped = others.map(
      (one) => `a ${one.replace(/[<>"]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '')}`,
    )
    expect(lines(await shown('', others.join('\n')))).toEqual(escaped)
  })

  test('names rows, fields and states in the language of the page', async () => {
    const past = async (line: string) => {
      const details = [{ sign: '+' as const, text: line }]
      const [text = ''] = await new Comparer().compareDocuments([{ title: '', before: '', after: '', details }])
      const decided = () => differenceHtml(new Comparer(), parseUnifiedDiff(text), false, { past: formats })
      return [
        lines(String(await decided()))[0],
        lines(String(await inLocale({ language: 'de', locales: ['de-DE'] }, decided)))[0],
      ]
    }
    expect(await past('"Dig" (100000000004): state: done, schedule date: 2026-12-24')).toEqual([
      'a &quot;Dig&quot;: state: done, scheduled: 2026-12-24',
      'a &quot;Dig&quot;: Stand: erledigt, geplant: 2026-12-24',
    ])
    expect(
      await past('view "Cards" (100000000004) of "Jobs" (100000000005): type: kanban, hidden properties: ["Cost"]'),
    ).toEqual([
      'a view &quot;Cards&quot; of &quot;Jobs&quot;: type: Board, hidden columns: &quot;Cost&quot;',
      'a Ansicht &quot;Cards&quot; von &quot;Jobs&quot;: Art: Board, ausgeblendete Spalten: &quot;Cost&quot;',
    ])
    expect(await past('comment by Ben (100000000001) on "a: b" (100000000004): content: now, resolved: now')).toEqual([
      'a comment by Ben on &quot;a: b&quot;: content: now, resolved: now',
      'a Kommentar von Ben zu &quot;a: b&quot;: Inhalt: now, erledigt: jetzt',
    ])
    expect((await past('folder "Clients" (100000000004)'))[1]).toBe('a Ordner &quot;Clients&quot;')
    // Words of authors stay as they are.
    expect((await past('"folder x": color: red'))[1]).toBe('a &quot;folder x&quot;: Farbe: red')
  })

  test('shows where comments are that it marks, in words', async () => {
    const marked = '<comment id="100000000003">All <comment id="100000000004">two</comment> words</comment>'
    expect(lines(await shown('All two words', marked))).toEqual([
      'r All two words',
      'a All two <ins>(with a comment) </ins>words<ins> (with a comment)</ins>',
    ])
    // A mark that goes to another comment on the same words.
    const moved = marked.replaceAll('100000000004', '100000000005')
    expect(await shown(marked, moved)).toContain('100000000005')
  })

  test('says in sentences what happens to comments, if all of it is there', async () => {
    const comment = 'comment by Anna (100000000005) on "Dig" (100000000003)'
    const line = (sign: '-' | '+', rest: string): DetailLine => ({ sign, text: `${comment}${rest}` })
    const details = [line('-', ': content: Who'), line('+', ': content: Who, words: Dig, resolved: now')]
    const resolved = [line('-', ': content: Who, words: Dig'), line('+', ': content: Who, words: Dig, resolved: now')]
    const other = { sign: '+', text: '"Dig" (100000000003): deadline date: 2026-12-24' } as const
    const written = async (all: readonly DetailLine[], isWhole = true) => {
      const [text = ''] = await new Comparer().compareDocuments([
        { title: '', before: '', after: '', details: [...all] },
      ])
      return lines(String(await differenceHtml(new Comparer(), parseUnifiedDiff(text), false, { isWhole })))
    }
    expect(await written([...resolved, other])).toEqual([
      'Resolves the comment by Anna on <q dir="auto">Dig</q> in <q dir="auto">Dig</q>: <q dir="auto">Who</q>',
      'a &quot;Dig&quot; (100000000003): deadline date: 2026-12-24',
    ])
    // The text of the block may look like the words around it.
    const place = '"a (100000000006) on b" (100000000003)'
    const odd = { sign: '-', text: `comment by Anna (100000000005) on ${place}: content: Who` } as const
    expect(await written([odd])).toEqual([
      'Deletes the comment by Anna on <q dir="auto">a (100000000006) on b</q>: <q dir="auto">Who</q>',
    ])
    // A text of something else may have the lines of a comment.
    const text = ['  content', '  | Who', '  | knows'].map((one) => ({ sign: '+' as const, text: one }))
    const both = [line('+', ':'), ...text, { sign: '+', text: '"Dig" (100000000003):' } as const, ...text]
    expect(await written(both)).toEqual([
      'Adds a comment by Anna on <q dir="auto">Dig</q>: <q dir="auto">Who\nknows</q>',
      'a &quot;Dig&quot; (100000000003):',
      'a   content',
      'a   | Who',
      'a   | knows',
    ])
    // What the sentences do not say stays as it is, and so does what is cut.
    expect((await written(details)).join()).toContain('words: Dig')
    expect((await written(resolved, false)).join()).toContain('resolved: now')
    const asked = writeArguments('comments_add', [`comments 2 › comment: ${comment}`, 'comments 2: start: 7']).join(
      '\n',
    )
    const given = await differenceHtml(new Comparer(), parseUnifiedDiff(asked), false, { isWhole: true })
    expect(lines(String(given))).toEqual([
      'Comment 2 answers the comment by Anna on <q dir="auto">Dig</q>',
      'a comments 2: start: 7',
    ])
  })

  test('of what has been decided shows the words of links and comments, and their tags only where nothing else changed', async () => {
    const past = async (before: string, after: string) =>
      lines(
        String(await differenceHtml(new Comparer(), parseUnifiedDiff(diffOf(before, after)), true, { past: formats })),
      )
    const link = '[the plan](block://100000000001)'
    expect(await past(`see ${link}`, `see ${link} now`)).toEqual(['r see the plan', 'a see the plan<ins> now</ins>'])
    expect(await past('two words', '<comment id="100000000003">two</comment> words')).toEqual([
      'r two words',
      'a two <ins>(with a comment) </ins>words',
    ])
    expect(await past(link, link.replace('1)', '2)'))).toEqual([
      'r [the plan](block://<del>100000000001</del>)',
      'a [the plan](block://<ins>100000000002</ins>)',
    ])
    expect(await past('', `\`${link}\``)).toEqual([`a \`${link}\``])
  })

  test('shows code as it is, also where the fence is not in sight', async () => {
    const code = '<content>\n</page>\n<title>x</title>\n- [ ] x\n\n+ y'
    const all = ['a &lt;content&gt;', 'a &lt;/page&gt;', 'a &lt;title&gt;x&lt;/title&gt;', 'a - [ ] x', 'a  ', 'a + y']
    expect(lines(await shown('', `\`\`\`sh\n${code}\n\`\`\``))).toEqual(['a ```sh', ...all, 'a ```'])
    const before = `\`\`\`sh\n${'x\n'.repeat(9)}`
    const added = lines(await shown(`${before}\`\`\``, `${before}${code}\n\`\`\``)).filter((line) =>
      line.startsWith('a'),
    )
    expect(added).toEqual(all)
  })

  test('has marks for characters that nobody sees, in texts and titles', async () => {
    const mark = (code: string) => `<b class="unseen" title="A character that is not seen">${code}</b>`
    expect(lines(await shown('ab', 'a\u202eb 👩‍💻'))).toEqual(['r ab', `a a${mark('U+202E')}b 👩‍💻`])
    const titled = writeUnifiedDiff({ title: 'P\u200blan', before: '', after: 'x' }, new PairCount(10))
    expect(await html(titled)).toContain(`<h2>P${mark('U+200B')}lan</h2>`)
  })

  test('always shows a changed line, even where only structure changes', async () => {
    const board = '<whiteboard id="123456789012"/>'
    expect(lines(await shown('a', `a\n\n${board}`))).toEqual(['s a', 'a Whiteboard'])
    expect(lines(await shown(`a\n${board}`, `a\n${board.replace('/', '')}\nwords\n</whiteboard>`))).toEqual([
      's a',
      'r &lt;whiteboard id=&quot;123456789012&quot;<del>/</del>&gt;',
      'a &lt;whiteboard id=&quot;123456789012&quot;&gt;',
      'a words',
    ])
    expect(lines(await shown('a\n\nb', 'a\nb'))).toEqual(['s a', 'r (an empty line)', 's b'])
    expect(lines(await shown('a\n<content>\nb', 'a\n\nb'))).toEqual([
      's a',
      'r &lt;content&gt;',
      'a (an empty line)',
      's b',
    ])
  })

  test('has details and arguments as they are', async () => {
    const details = [{ sign: '+', text: 'comment (1): content: "- [ ] <content>"' }] as const
    const diff = writeUnifiedDiff({ title: 'Plan', before: '', after: '', details }, new PairCount(10))
    const asked = writeArguments('2. comments_add', ['block: "Dig" (7)', '<content>'])
    const text = await html([diff, ...asked].join('\n'))
    expect(lines(text)).toEqual([
      'a comment (1): content: &quot;- [ ] &lt;content&gt;&quot;',
      'a block: &quot;Dig&quot; (7)',
      'a &lt;content&gt;',
    ])
    expect(text).toContain('<h2 class="asked">2. Requested: add comments</h2>')
  })

  test('escapes text', async () => {
    expect(await shown('a', '<img src=x onerror=alert(1)>')).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  test('has the titles of documents, and what is written about them', async () => {
    const text = await html(`${diffOf('a', 'b')}\n"One & two": the text is the same.\nAnd 3 more lines.`)
    expect(text).toContain('<h2>Plan</h2><div class="diff text">')
    expect(text).toContain('<p class="empty">And 3 more lines.</p>')
    expect(text).toContain('<h2>One &amp; two</h2><p class="empty">The text is the same.</p>')
  })

  test('says so if nothing changed', async () => {
    expect(await html('')).toContain('The text is the same.')
  })
})

describe('beyond the pairs of words that a request compares', () => {
  const many = (word: string) =>
    `${'x'.repeat(300)} ${Array.from({ length: 40 }, (_, index) => `${word}${index}`).join(' ')}`
  const sentence = 'Too much changed to mark each changed word: some lines are shown whole.'

  test('lines are shown whole, and a sentence says so', async () => {
    const text = await html(diffOf(many('a'), many('b')), new Comparer(500))
    expect(lines(text)).toEqual([`r ${many('a')}`, `a ${many('b')}`])
    expect(text).toContain(sentence)
    expect(await shown(many('a'), many('b'))).not.toContain(sentence)
  })

  test('this also holds for what the same request shows afterwards', async () => {
    const comparer = new Comparer(500)
    await html(diffOf(many('a'), many('b')), comparer)
    const text = await html(diffOf('Permits take six weeks.', 'Permits take nine weeks.'), comparer)
    expect(lines(text)).toEqual(['r Permits take six weeks.', 'a Permits take nine weeks.'])
    expect(text).toContain(sentence)
  })
})
