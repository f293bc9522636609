/** How suggestions are drawn: in the text of a block, below it, and in place of it. */
import { describe, expect, test } from 'vitest'
import { writeArguments } from '../../src/difference/unified-diff.ts'
import type { DrawnForEditor } from '../../src/page/blocks/drawn-block.ts'
import { html, trusted } from '../../src/page/html.ts'
import type { PageCall } from '../../src/page/page-call.ts'
import { DocumentSuggestions } from '../../src/page/suggestions/document-suggestions.ts'
import { drawnForEditor } from '../../src/page/suggestions/drawn-for-editor.ts'
import type { ProposedPart } from '../../src/page/suggestions/proposed-part.ts'

const PAGE = '100000000001'
const BLOCK = '100000000002'

/** What drawing asks of a request. */
const callOf = (effects: readonly string[]): PageCall =>
  ({
    href: (path: string) => `/view/key${path}`,
    may: (effect: string) => effects.includes(effect),
    tokenField: () => trusted('<input type="hidden" name="token" value="t">'),
    formats: { number: String },
    request: { root: '' },
  }) as unknown as PageCall

const part = (given: Partial<ProposedPart>): ProposedPart => ({
  ...{ proposalId: '100000000009', part: BLOCK, kind: 'changed', tool: 'blocks_update', blockId: BLOCK },
  ...{ documentId: PAGE, author: 'Anna', client: 'Robot', at: '2026-11-20T09:00:00.000Z', fingerprint: 'f1' },
  ...given,
})

const draw = (parts: readonly ProposedPart[], effects: readonly string[] = ['decide']): DocumentSuggestions =>
  new DocumentSuggestions(callOf(effects), parts, { pageId: PAGE, back: `/d/${PAGE}` })

/** The text of a block with what is suggested, and what stands below it, without the values of forms. */
function drawnBlock(suggestions: DocumentSuggestions, text: string) {
  const runs = suggestions.runs(BLOCK, text)
  const words =
    runs && suggestions.wordsHtml(runs, (spans) => html`${spans.map((span) => ('text' in span ? span.text : '?'))}`)
  return { words: words && String(words), below: String(suggestions.below(BLOCK, text)), look: suggestions.look(BLOCK) }
}

const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const labelsOf = (markup: string): string[] =>
  [...markup.matchAll(/aria-label="([^"]*)"/g)].map(([, label = '']) => label)

describe('words', () => {
  const changed = [part({ before: 'Permits take six weeks.', after: 'Permits take nine weeks.' })]

  test('are struck and inserted in the text, and decided on below it', () => {
    const { words, below, look } = drawnBlock(draw(changed), 'Permits take six weeks.')
    expect(words).toBe('Permits take <del class="old">six</del><ins class="new">nine</ins> weeks.')
    expect(textOf(below)).toBe('Robot changes words Accept Reject')
    expect(labelsOf(below)[0]).toBe('Suggestion by Robot: strike “six”, insert “nine”')
    expect(below).toContain(`name="part" value="100000000009 f1 ${BLOCK}"`)
    expect(look).toMatch(/^ suggested by-\d$/)
  })

  test('are drawn below the text if it is another one by now', () => {
    const { words, below } = drawnBlock(draw(changed), 'Permits take six months.')
    expect(words).toBeUndefined()
    expect(textOf(below)).toContain('Permits take six nine weeks.')
  })

  test('are the same in the editor, with lengths in place of what is struck', () => {
    const drawn = drawnForEditor(draw(changed)) satisfies DrawnForEditor
    const [block] = drawn.blocks
    expect(block?.words?.text).toBe('Permits take six weeks.')
    expect(block?.words?.runs).toEqual([
      { sign: ' ', size: 13 },
      { sign: '-', size: 3 },
      { sign: '+', size: 4, html: '<ins class="new">nine</ins>' },
      { sign: ' ', size: 7 },
    ])
    expect(block?.words?.below).toBe(drawnBlock(draw(changed), 'Permits take six weeks.').below)
    // Where the editor shows a block that is no text, such as the card of a page.
    expect(textOf(block?.below ?? '')).toContain('Permits take six nine weeks.')
  })

  test('of a second author stand below', () => {
    const second = part({
      ...changed[0],
      proposalId: '100000000008',
      client: 'Other',
      after: 'Permits take two weeks.',
    })
    const { words, below } = drawnBlock(draw([...changed, second]), 'Permits take six weeks.')
    expect(words).toContain('nine')
    expect(textOf(below)).toContain('Permits take six two weeks. Other changes words')
    expect(new Set([...below.matchAll(/by-(\d)/g)].map(([, tone]) => tone)).size).toBe(2)
  })

  test('show where links lead, and characters that are not seen', () => {
    const after = 'See [the plan](https://evil.example/plan) \u202Enow.'
    const { words = '' } = drawnBlock(draw([part({ before: 'See.', after })]), 'See.')
    expect(textOf(words)).toContain('(https://evil.example/plan)')
    expect(words).toContain('>U+202E</b>now')
    expect(words).not.toContain('<a ')
  })

  test('say what a block becomes besides', () => {
    const { below } = drawnBlock(draw([part({ before: '- [ ] Call', after: '- [x] Call' })]), 'Call')
    expect(textOf(below)).toBe('Robot Task, to do → Task, done Accept Reject')
  })
})

describe('blocks', () => {
  test('new ones stand after the block before them, with all that they hold', () => {
    const added = part({
      kind: 'added',
      blockId: '100000000005',
      after: '## Cost\n\n- [ ] Ask',
      place: { parentId: PAGE, afterId: BLOCK },
    })
    const { below } = drawnBlock(draw([added]), 'Text')
    expect(below).toContain(
      '<ins class="new change"><p class="h2">Cost</p><p class="in-list"><span class="marker">☐</span> Ask</p></ins>',
    )
    expect(labelsOf(below)[0]).toBe('Suggestion by Robot: insert “Cost Ask”')
  })

  test('one after another that is new stands below it, and one at the start before all', () => {
    const one = part({
      kind: 'added',
      part: 'a',
      blockId: '100000000005',
      after: 'one',
      place: { parentId: PAGE, afterId: BLOCK },
    })
    const two = part({
      kind: 'added',
      part: 'b',
      blockId: '100000000006',
      after: 'two',
      place: { parentId: PAGE, afterId: '100000000005' },
    })
    const first = part({ kind: 'added', part: 'c', blockId: '100000000007', after: 'first', place: { parentId: PAGE } })
    const suggestions = draw([one, two, first])
    expect(textOf(drawnBlock(suggestions, 'Text').below)).toMatch(/one .* two /)
    expect(textOf(String(suggestions.start()))).toContain('first')
  })

  test('removed ones are struck', () => {
    const { look, below } = drawnBlock(draw([part({ kind: 'removed', before: 'Old text' })]), 'Old text')
    expect(look).toMatch(/ suggested by-\d is-removed/)
    expect(labelsOf(below)[0]).toBe('Suggestion by Robot: remove “Old text”')
  })

  test('moved ones are shown at both places, and decided on at the first', () => {
    const moved = part({
      kind: 'moved',
      before: 'Text',
      after: 'Text',
      place: { parentId: PAGE, afterId: '100000000003' },
    })
    const suggestions = draw([moved])
    expect(textOf(drawnBlock(suggestions, 'Text').below)).toBe('Robot moves this Accept Reject')
    const there = String(suggestions.below('100000000003', ''))
    expect(textOf(there)).toBe('Text Robot moves this here')
  })

  test('rows and cells of a table are drawn in it', () => {
    const before = '| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |'
    const after = '| A | B |\n| --- | --- |\n| 1 | two |\n| 5 | 6 |\n| 7 | 8 |'
    const { below, look } = drawnBlock(draw([part({ before, after })]), before)
    expect(look).toContain('is-replaced')
    expect(below).toContain('<td><del class="old">2</del><ins class="new">two</ins></td>')
    expect(below).toContain('<tr class="row-added"><td><ins class="new">7</ins></td>')
  })

  test('code is drawn line by line, as it is written', () => {
    const { below } = drawnBlock(
      draw([part({ before: '```js\na()\nb()\n```', after: '```js\na()\nc()\n```' })]),
      'a()\nb()',
    )
    expect(below).toContain('<del class="old change"><pre class="source">b()</pre></del>')
    expect(below).toContain('<ins class="new change"><pre class="source">c()</pre></ins>')
  })

  test('columns of a table that are new, gone and renamed are drawn in it', () => {
    const before = '| A | B |\n| --- | --- |\n| 1 | 2 |'
    const table = (after: string) => drawnBlock(draw([part({ before, after })]), before).below
    const added = table('| A | New | B |\n| --- | --- | --- |\n| 1 | x | two |')
    expect(added).toContain(
      '<th scope="col">A</th><th scope="col"><ins class="new">New</ins></th><th scope="col">B</th>',
    )
    expect(added).toContain(
      '<td>1</td><td><ins class="new">x</ins></td><td><del class="old">2</del><ins class="new">two</ins></td>',
    )
    const gone = table('| B |\n| --- |\n| 2 |')
    expect(gone).toContain('<th scope="col"><del class="old">A</del></th><th scope="col">B</th>')
    expect(gone).toContain('<td><del class="old">1</del></td><td>2</td>')
    const renamed = table('| A | C | D |\n| --- | --- | --- |\n| 1 | 2 | 3 |')
    expect(renamed).toContain('<th scope="col"><del class="old">B</del><ins class="new">C</ins></th>')
  })

  test('columns of a table that are aligned in another way, or have no name, say so', () => {
    const about = (words: string) => `<span class="about">(${words})</span>`
    const before = '| A | B |\n| ---: | --- |\n| 1 | 2 |'
    const table = (after: string) => drawnBlock(draw([part({ before, after })]), before).below
    expect(table('| A | B |\n| --- | :---: |\n| 1 | 2 |')).toContain(
      `<th scope="col">A<del class="old"> ${about('aligned right')}</del></th><th scope="col">B<ins class="new"> ${about('centered')}</ins></th>`,
    )
    expect(table('| A |  | B |\n| ---: | --- | --- |\n| 1 |  | 2 |')).toContain(
      `<th scope="col">A ${about('aligned right')}</th><th scope="col"><ins class="new">${about('no name')}</ins></th>`,
    )
    expect(added(before)).toContain(`<th scope="col">A ${about('aligned right')}</th><th scope="col">B</th>`)
  })

  test('items of a list have the numbers that they would have', () => {
    const markers = (markup: string) => [...markup.matchAll(/"marker">([^<]*)</g)].map(([, marker]) => marker)
    expect(markers(added('1. one\n2. two\n   1. deep\n   2. deeper\n3. three'))).toEqual(['1.', '2.', 'a.', 'b.', '3.'])
    const page = (items: string) => `<page>\n<pageTitle>P</pageTitle>\n<content>\n${items}\n</content>\n</page>`
    expect(markers(added(page('4. one\n5. two\n\ntext\n\n1. one')))).toEqual(['4.', '5.', '1.'])
    const [before, after] = ['1. one\n2. two\n3. three', '1. new\n2. one\n3. 2\n4. three']
    const changed = draw([part({ kind: 'document', before, after })]).above()
    expect(markers(String(changed))).toEqual(['1.', '2.', '3.', '4.'])
  })

  test('a table stays in its callout', () => {
    const table = (cell: string) => `<callout title="Rates">\n| A |\n| --- |\n| ${cell} |\n</callout>`
    const { below } = drawnBlock(draw([part({ before: table('1'), after: table('2') })]), '')
    expect(below).toContain('<div class="callout"><p class="callout-title">Rates</p><div class="wide"')
    expect(below).toContain('<del class="old">1</del><ins class="new">2</ins>')
  })

  test('what looks the same before and after is drawn twice', () => {
    const [one, two] = ['<callout>\na\n\nb\n</callout>', '<callout>a</callout>\n\n<callout>b</callout>']
    const { below } = drawnBlock(draw([part({ before: one, after: two })]), '')
    const box = '<div class="callout"><p class="plain">b</p></div>'
    expect(below).toContain(`<del class="old change">${box}</del><ins class="new change">${box}</ins>`)
  })

  /** What is drawn for a block that is added. */
  const added = (after: string): string =>
    drawnBlock(
      draw([part({ kind: 'added', blockId: '100000000005', after, place: { parentId: PAGE, afterId: BLOCK } })]),
      'Text',
    ).below

  test.each([
    ['callout', '<callout>\nPermits take six weeks.\n</callout>', '<callout>\nPermits take nine weeks.\n</callout>'],
    ['quote', '> Permits take six weeks.', '> Permits take nine weeks.'],
    [
      'callout in a quote',
      '> <callout>Permits take six weeks.</callout>',
      '> <callout>Permits take nine weeks.</callout>',
    ],
    ['toggle', '+ Permits take six weeks.', '+ Permits take nine weeks.'],
    ['item in a list', '  - Permits take six weeks.', '  - Permits take nine weeks.'],
    ['item in lists', '      - Permits take six weeks.', '      - Permits take nine weeks.'],
    ['number', '3. Permits take six weeks.', '3. Permits take nine weeks.'],
    ['number in a list', '    3. Permits take six weeks.', '    3. Permits take nine weeks.'],
    ['task', '- [x] Permits take six weeks.', '- [x] Permits take nine weeks.'],
    ['heading', '### Permits take six weeks.', '### Permits take nine weeks.'],
    ['caption', '<caption>Permits take six weeks.</caption>', '<caption>Permits take nine weeks.</caption>'],
  ])('the words of a %s are marked in it, where it stands', (_, before, after) => {
    const { words, below, look } = drawnBlock(draw([part({ before, after })]), 'Permits take six weeks.')
    expect(words).toBe('Permits take <del class="old">six</del><ins class="new">nine</ins> weeks.')
    expect(textOf(below)).toBe('Robot changes words Accept Reject')
    expect(look).not.toContain('is-replaced')
  })

  test('a block that becomes a callout, or leaves one, says so', () => {
    const does = (before: string, after: string) => textOf(drawnBlock(draw([part({ before, after })]), 'a').below)
    expect(does('a', '<callout>a</callout>')).toBe('Robot Text → Text, Callout Accept Reject')
    expect(does('<callout>a</callout>', '> a')).toBe('Robot Text, Callout → Text, quoted Accept Reject')
    expect(does('a', '<caption>a</caption>')).toBe('Robot Text → Caption Accept Reject')
    expect(does('3. a', '4. a')).toBe('Robot Number, 3 → Number, 4 Accept Reject')
    expect(does('a', 'a')).toBe('Robot changes something besides the text Accept Reject')
  })

  test('callouts that are new are boxes with their titles, and say what these do not show', () => {
    const below = added(
      '<callout title="Read &lt;me&gt;" color="#ff0000" icon="tip" folded="true">\nOne\n\n- two\n\n<callout icon="\u26a0">\nInner\n</callout>\n</callout>\n\nAfter',
    )
    expect(below).not.toContain('source')
    expect(below).toContain(
      '<div class="callout"><p class="callout-title tone-red">Read &lt;me&gt; <span class="address">(tip, #ff0000, folded)</span></p><p class="plain">One</p><p class="in-list"><span class="marker">•</span> two</p><div class="callout"><p class="callout-title">\u26a0</p><p class="plain">Inner</p></div></div><p class="plain">After</p>',
    )
    expect(added('<callout>Plain</callout>')).toContain('<div class="callout"><p class="plain">Plain</p></div>')
  })

  test('several callouts that change are drawn with their words, and others stay', () => {
    const block = (title: string, text: string) => `<callout title="${title}">\n${text}\n</callout>`
    const before = `${block('A', 'one two')}\n\nsame`
    const after = `${block('A', 'one three')}\n\nsame\n\nnew`
    const { below, look } = drawnBlock(draw([part({ before, after })]), '')
    expect(look).toContain('is-replaced')
    expect(below).toContain(
      '<div class="callout"><p class="callout-title">A</p><p class="plain">one <del class="old">two</del><ins class="new">three</ins></p></div><p class="plain">same</p><ins class="new change"><p class="plain">new</p></ins>',
    )
  })

  test.each<[name: string, markdown: string, drawn: string]>([
    [
      'picture',
      '![A cat](https://a.example/cat.png)',
      '<p class="boxed"><b>Picture</b>: A cat <span class="address">(https://a.example/cat.png)</span></p>',
    ],
    [
      'film',
      '![](https://a.example/cat.mp4)',
      '<p class="boxed"><b>Film</b> <span class="address">(https://a.example/cat.mp4)</span></p>',
    ],
    [
      'file',
      '[Plan.pdf](scriptorium://files/abc "file")',
      '<p class="boxed"><b>File</b>: Plan.pdf <span class="address">(scriptorium://files/abc)</span></p>',
    ],
    [
      'link',
      '[Site](https://a.example/)',
      '<p class="boxed"><b>Link</b>: Site <span class="address">(https://a.example/)</span></p>',
    ],
    ['line', '*****', '<hr>'],
    ['thick line', '******', '<hr class="strong"><p class="about">thick line</p>'],
    ['card', '<card>Words</card>', '<p class="boxed">Words <span class="address">(Card)</span></p>'],
    [
      'page',
      '<page>\n<pageTitle>Trip</pageTitle>\n<content>\n- [ ] Pack\n</content>\n</page>',
      '<div class="boxed"><p class="h3">Trip <span class="address">(Page)</span></p><p class="in-list"><span class="marker">☐</span> Pack</p></div>',
    ],
    [
      'code',
      '```js title="x"\na <b\n```',
      '<div class="listing"><p class="about">js title=&quot;x&quot;</p><pre class="source">a &lt;b</pre></div>',
    ],
    ['formula', '$$\na^2\n$$', '<div class="listing"><p class="about">Formula</p><pre class="source">a^2</pre></div>'],
    ['quoted item', '> - one', '<p class="in-list quoted"><span class="marker">•</span> one</p>'],
  ])('a %s that is new is drawn as it looks', (_, markdown, drawn) => {
    expect(added(markdown)).toContain(`<ins class="new change">${drawn}</ins>`)
  })

  test('one that becomes another one is struck, and the other one stands in its place', () => {
    const { below, look } = drawnBlock(
      draw([part({ before: '![A](https://a.example/a.png)', after: '![B](https://a.example/b.png)' })]),
      '',
    )
    expect(look).toContain('is-replaced')
    expect(below).toContain('<del class="old change"><p class="boxed"><b>Picture</b>: A ')
    expect(below).toContain('<ins class="new change"><p class="boxed"><b>Picture</b>: B ')
  })

  test.each([
    ['fields that no look shows', '<page color="#ff0000">\n<pageTitle>a</pageTitle>\n</page>', '#ff0000'],
    ['a comment of several lines', '<!-- one\ntwo -->', '&lt;!--\none'],
    ['what a whiteboard holds', '<whiteboard id="100000000005">\nA box\n</whiteboard>', 'A box'],
  ])('%s is shown as Markdown', (_, markdown, shown) => {
    expect(/<pre class="source">(.*?)<\/pre>/s.exec(added(markdown))?.[1]).toContain(shown)
  })

  test('a conflict shows what was suggested, and what accepting makes of the present text', () => {
    const conflict = { seen: 'six weeks', present: 'two months', proposed: 'nine weeks' }
    const { below } = drawnBlock(draw([part({ conflict })]), 'two months')
    expect(textOf(below)).toContain(
      'Suggested for an earlier text: six nine weeks In place of the present text: two months nine weeks',
    )
    expect(textOf(below)).toContain('changes words that are gone Accept Reject')
  })
})

describe('what is not shown is not accepted', () => {
  test.each([
    ['a long part', { before: 'a', after: 'word '.repeat(2_000) }],
    ['a part with arguments that are not shown', { before: 'a', after: 'b', asked: '+ color: red' }],
    ['a part without a fingerprint', { before: 'a', after: 'b', fingerprint: undefined as never }],
  ])('%s', (_, given) => {
    const { below } = drawnBlock(draw([part(given)]), 'a')
    expect(textOf(below)).not.toContain('Accept')
    expect(textOf(below)).toContain('Reject')
  })

  test('nor a part that takes along another one that is not', () => {
    const holder = part({
      kind: 'added',
      part: 'x',
      blockId: '100000000005',
      after: 'word '.repeat(2_000),
      place: { parentId: PAGE, afterId: BLOCK },
    })
    const within = part({ before: 'a', after: 'b', needs: ['x'] })
    expect(textOf(drawnBlock(draw([holder, within]), 'a').below)).not.toContain('Accept')
    expect(String(draw([holder, within]).above())).not.toContain('Accept all')
  })

  test('all of an author are accepted together if all are shown', () => {
    const two = [
      part({ before: 'a', after: 'b' }),
      part({ part: 'c', blockId: '100000000003', before: 'c', after: 'd' }),
    ]
    expect(textOf(String(draw(two).above()))).toBe('Robot suggests 2 changes Accept all 2 Reject all 2')
  })
})

test('those who suggested it take it back, and decide on nothing', () => {
  const { below } = drawnBlock(draw([part({ before: 'a', after: 'b', isOwn: true })], []), 'a')
  expect(textOf(below)).toBe('Robot changes words Withdraw')
})

test('what has no place on the page stands at its end', () => {
  const suggestions = draw([
    part({ before: 'a', after: 'b' }),
    part({ part: 'z', blockId: '100000000077', before: 'elsewhere', after: 'there' }),
  ])
  drawnBlock(suggestions, 'a')
  expect(textOf(String(suggestions.rest()))).toContain('Suggested elsewhere in this document elsewhere there Robot')
})

describe('what the text does not show', () => {
  const COMMENT = 'comment by Anna (100000000005) on "Permits take six weeks." (100000000003)'
  const other = (details: string, more: Partial<ProposedPart> = {}) =>
    part({ kind: 'other', tool: 'comments_update', blockId: undefined as never, details, ...more })
  /** What is drawn above the text, and below the block of the comments. */
  const drawnFor = (given: ProposedPart): string => {
    const suggestions = draw([given])
    return `${suggestions.above()}${suggestions.below('100000000003', 'Permits take six weeks.')}`
  }
  /** The sentences below the suggestion. */
  const words = (details: string): string =>
    textOf(/<p class="details">(.*?)<\/p>/s.exec(drawnFor(other(details)))?.[1] ?? '')

  test('comments stand below their block, and are accepted and rejected there', () => {
    const resolved = other(`-${COMMENT}: content: Who\n+${COMMENT}: content: Who, resolved: now, resolved by: Robot`)
    const below = (given: ProposedPart) =>
      textOf(String(draw([given]).below('100000000003', 'Permits take six weeks.')))
    expect(below(resolved)).toBe(
      'Robot changes comments Resolves the comment by Anna on Permits take six weeks. : Who Accept Reject',
    )
    const answer = other(`+${COMMENT}: content: Me`, {
      asked: writeArguments('comments_add', [`comments 1 › comment: ${COMMENT}`]).join('\n'),
    })
    expect(below(answer)).toBe(
      'Robot changes comments Adds a comment by Anna on Permits take six weeks. : Me Answers the comment by Anna on Permits take six weeks. Accept Reject',
    )
    // What no sentence says is read elsewhere.
    const more = { ...answer, asked: writeArguments('comments_add', ['comments 1: start: 7']).join('\n') }
    expect(below(more)).toContain('Read all of it Reject')
    const long = other(`+${COMMENT}: content: "${'word '.repeat(2_000)}"`)
    expect(drawnFor(long)).toContain('Read all of it')
    expect(drawnFor(other('+"Dig" (100000000003): state: done', { blockId: BLOCK }))).not.toContain('Accept')
  })

  test('a comment that is resolved, opened again, confirmed, changed, added and deleted', () => {
    const content = 'content: "Who says so?"'
    const cases: [details: string, sentence: string][] = [
      [
        `-${COMMENT}: ${content}\n+${COMMENT}: ${content}, resolved: now, resolved by: Robot`,
        'Resolves the comment by Anna on Permits take six weeks. : Who says so?',
      ],
      [
        `-${COMMENT}: ${content}, resolved: now, resolved by: Robot\n+${COMMENT}: ${content}`,
        'Opens the comment by Anna on Permits take six weeks. again: Who says so?',
      ],
      [
        `-${COMMENT}: ${content}, waits for confirmation: 1\n+${COMMENT}: ${content}`,
        'Confirms the comment by Anna on Permits take six weeks. : Who says so?',
      ],
      [
        `-${COMMENT}: ${content}\n+${COMMENT}: content: Who`,
        'Changes the comment by Anna on Permits take six weeks. from Who says so? to Who',
      ],
      [
        `+${COMMENT}:\n+  content\n+  | One\n+  | \n+  | two`,
        'Adds a comment by Anna on Permits take six weeks. : One two',
      ],
      [
        `+${COMMENT}: ${content}, words: "six weeks", waits for confirmation: 1`,
        'Adds a comment by Anna on six weeks in Permits take six weeks. : Who says so? , to be confirmed',
      ],
      [`-${COMMENT}: ${content}`, 'Deletes the comment by Anna on Permits take six weeks. : Who says so?'],
    ]
    for (const [details, sentence] of cases) expect(words(details)).toBe(sentence)
  })

  test('comments are named in its line, and nothing of theirs looks like a field or a sentence', () => {
    const details = `+comment by "Eve (100000000001) on \\"x\\"" (100000000005) on "a\\" (100000000009): content: b" (100000000003): content: "c, resolved: now\\"</q> Deletes"`
    const drawn = drawnFor(other(details))
    expect(textOf(drawn)).toContain('Robot changes comments')
    expect(drawn).toContain(
      '<p class="details">Adds a comment by Eve (100000000001) on &quot;x&quot; on <q dir="auto">a&quot; (100000000009): content: b</q>: <q dir="auto">c, resolved: now&quot;&lt;/q&gt; Deletes</q></p>',
    )
  })

  test('of anything else, the values that change, with those before', () => {
    const dig = '"Dig" (100000000004)'
    expect(words(`-${dig}: state: todo\n+${dig}: state: todo, schedule date: 2026-12-24`)).toBe(
      '&quot;Dig&quot; (100000000004): scheduled: nothing → 2026-12-24',
    )
    expect(words(`-${dig}: deadline date: 2026-12-24`)).toBe(
      'Not any more: &quot;Dig&quot; (100000000004): deadline: 2026-12-24',
    )
    // What is written in another way is shown as it is.
    expect(words('-rows of the table\n+none')).toBe('Not any more: rows of the table none')
  })
})
