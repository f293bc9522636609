import fc from 'fast-check'
import {
  type Block,
  CARD_LAYOUTS,
  CODE_LANGUAGES,
  FONTS,
  LINE_STYLES,
  LIST_LEVELS,
  TASK_STATES,
  TEXT_ALIGNMENTS,
  TEXT_STYLES,
} from '../../src/markdown/block.ts'
import { codeFields } from '../../src/markdown/blocks/code-block.ts'
import { writeTable } from '../../src/markdown/blocks/write-table.ts'
import { normalizeCell, normalizeText } from '../../src/markdown/inline-text.ts'
import { anyCharacter } from '../support/any-character.ts'

/** The fields that text can express, by type of block. All others exist only in JSON. */
export const CARRIED = {
  all: ['indentationLevel', 'listStyle', 'taskInfo.state', 'decorations'],
  text: ['text', 'textStyle', 'cardLayout (of a card)'],
  page: ['id', 'text', 'textStyle', 'cardLayout', 'color', 'textAlignment', 'font', 'content'],
  image: ['url', 'altText'],
  video: ['url', 'altText'],
  file: ['url', 'fileName'],
  richUrl: ['url', 'title'],
  drawing: ['url'],
  whiteboard: ['id', 'url'],
  table: ['text'],
  code: ['text', 'language', 'info'],
  line: ['lineStyle'],
} as const

/** Text that would have a meaning elsewhere. */
export const HOSTILE = [
  ...[
    '#',
    '# ',
    '- ',
    '+ ',
    '* ',
    '1. ',
    '1)',
    '> ',
    '>',
    '```',
    '~~~',
    '***',
    '---',
    '- - -',
    '___',
    '===',
    '-',
    '|',
    '|-|',
    ':-:',
  ],
  ...[
    '| a | b |',
    '$$',
    '$',
    '$a$',
    '[a]: b',
    '[a',
    ']: b',
    '[^1]: a',
    '[ ] ',
    '[x] ',
    '<page>',
    '</page>',
    '<pageTitle>',
    '<card>',
  ],
  ...[
    '</callout>',
    '<callout>',
    '<caption>',
    '<content>',
    '`<page>`',
    '`',
    '``',
    '<div>',
    '<div',
    '<!-- a -->',
    '<br>',
    '<https://a.b>',
  ],
  ...[
    '\\',
    '**',
    '*a*',
    '_',
    '~~',
    '==',
    '&amp;',
    '&',
    '&#32;',
    '[a](https://b.c)',
    '![a](b.png)',
    '![a](b.mp4 "image")',
    '[',
    ']',
    '(',
    ')',
  ],
  ...[
    '!',
    '\n',
    '\n',
    '\n',
    ' ',
    '  ',
    '    ',
    '\t',
    '<collection>',
    'a',
    'b c',
    'é',
    '😀',
    '\u00a0',
    '"',
    "'",
    '<',
    '&#35;',
    '<whiteboard/>',
  ],
]

/** Content of a text: nested marks, and our own constructs. */
export const MARKED = [
  ...[
    '**a**',
    '*a **b***',
    '_a_',
    '~~a~~',
    '***a** b*',
    '`a`',
    '`` ` ``',
    '<https://a.b>',
    '[**a**](b "c")',
    '$a$',
    '$$a$$',
  ],
  ...['<highlight color="red">a *b*</highlight>', '**<highlight color="gradient-blue">a</highlight>**', '==a=='],
  ...['<comment id="1">a</comment>', '<comment id="a&quot;b">*a* [b](c)</comment>', '[a](block://1)'],
  ...['<highlight color="mint"><comment id="2">a</comment> b</highlight>', '![a](b.png)', '[![a](b.png)](c)'],
]

/** Characters of several code units, invisible ones, and ones that are a space or line break in other contexts. */
export const ODD = [
  ...[
    '\u0301',
    'e\u0301',
    '\u200d',
    '\u200b',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u200e',
    '\u202e',
    '\u2066',
    '\u2028',
    '\u2029',
  ],
  ...[
    '\u0085',
    '\u000b',
    '\f',
    '\u001f',
    '\u007f',
    '\u3000',
    '\u2003',
    '\u180e',
    '\ufe0f',
    '\u20e3',
    '\ufffd',
    '\uffff',
    '\u{10ffff}',
  ],
  ...[
    '👩‍👩‍👧',
    '🇭🇺',
    '𝒳',
    'ß',
    'İ',
    'ﬀ',
    '漢字',
    'ไทย',
    'שלום',
    'العربية',
    '한글',
    '\u1112\u1161\u11ab',
    '\u{e0041}',
    '\u0000',
  ],
]

/** A normalized inline text. */
const words = (lines: 'one' | 'many', normal = normalised): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...HOSTILE) },
        { weight: 2, arbitrary: fc.constantFrom(...MARKED) },
        { weight: 1, arbitrary: fc.constantFrom(...ODD) },
        { weight: 2, arbitrary: fc.string({ maxLength: 5 }) },
        { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 3 }) },
        { weight: 2, arbitrary: fc.lorem({ maxCount: 3 }) },
      ),
      { maxLength: 6 },
    )
    .map((parts) => {
      const raw = parts.join('')
      return normal(lines === 'one' ? raw.replace(/\s*[\r\n]\s*/g, ' ') : raw)?.replace(/\0/g, '') ?? ''
    })
    // A formula in two dollars alone on a line is a block of its own.
    .filter((text) => !/^\$\$[^\n]*\$\$$/m.test(text) && normal(text) === text)

/** None if a tag is consumed by what precedes it, and its partner is not. */
const whereRead = (normalise: (text: string) => string) => (text: string) => {
  try {
    return normalise(text)
  } catch {
    return undefined
  }
}
const normalised = whereRead(normalizeText)
const cell = words('one', whereRead(normalizeCell))

/** A plain string, as in labels and URLs. */
const label = fc.array(fc.constantFrom(...HOSTILE, 'a'), { maxLength: 4 }).map((parts) =>
  parts
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/&(amp|#32|#35);/g, '&')
    .trim(),
)
const url = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'a.png',
    'b c.mp4',
    'https://x/files/a.pdf',
    'scriptorium://files/1',
    'a(b)c',
    'a<b',
    'x\\y',
    'https://a.b/c?d&amp;e',
    'v.webm',
  ),
)

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const common = fc.record({
  indentationLevel: optional(
    fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.integer({ min: 6, max: LIST_LEVELS })),
  ),
  list: optional(
    fc.oneof(
      fc.constantFrom('bullet' as const, 'numbered' as const, 'toggle' as const),
      fc.constantFrom(...TASK_STATES),
    ),
  ),
  decorations: optional(
    fc.constantFrom({ callout: true } as const, { quote: true } as const, { callout: true, quote: true } as const),
  ),
})

function asFields({ list, ...more }: typeof common extends fc.Arbitrary<infer Fields> ? Fields : never): object {
  const isTask = list === 'todo' || list === 'done' || list === 'canceled'
  const item = list === undefined ? {} : isTask ? { listStyle: 'task', taskInfo: { state: list } } : { listStyle: list }
  return { ...more, ...item }
}

/** What may stand after a fence. */
const fenceWords = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.constantFrom(...CODE_LANGUAGES, 'js', 'toml', 'latex', 'js title="x" {1,3}', '{.py}') },
  { weight: 1, arbitrary: fc.constant('math_formula') },
  fc
    .array(fc.constantFrom(...HOSTILE, ...ODD), { maxLength: 4 })
    .map((parts) => parts.join('').replace(/[\r\n\0]+/g, ' ')),
)

const own: fc.Arbitrary<object> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('text' as const), text: words('many') }) },
  fc
    .tuple(fc.constantFrom(...TEXT_STYLES), words('one'), optional(fc.constantFrom(...CARD_LAYOUTS)))
    .map(([textStyle, text, cardLayout]) =>
      textStyle === 'body'
        ? { type: 'text', text }
        : { type: 'text', text, textStyle, ...(textStyle === 'card' && { cardLayout }) },
    ),
  fc
    .tuple(fc.array(fc.constantFrom(...HOSTILE, 'a\n', '\\frac{a}'), { maxLength: 8 }), fenceWords)
    .map(([parts, words]) => ({ type: 'code' as const, text: parts.join(''), ...codeFields(words) })),
  fc
    .constantFrom(...LINE_STYLES)
    .map(
      (lineStyle): Block =>
        lineStyle === 'regular' ? { type: 'line', text: '' } : { type: 'line', text: '', lineStyle },
    ),
  fc
    .integer({ min: 1, max: 4 })
    .chain((columns) => {
      const exactly = { minLength: columns, maxLength: columns }
      const rows = fc.array(fc.array(cell, exactly), { minLength: 1, maxLength: 3 })
      return fc.tuple(rows, fc.array(fc.constantFrom('', 'left', 'center', 'right'), exactly))
    })
    .map(([rows, aligns]): Block => ({ type: 'table', text: writeTable(rows, aligns) })),
  fc.record({
    type: fc.constantFrom('image' as const, 'video' as const),
    text: fc.constant(''),
    url,
    altText: optional(label),
  }),
  fc.record({ type: fc.constant('file' as const), text: fc.constant(''), url, fileName: optional(label) }),
  fc.record({ type: fc.constant('richUrl' as const), text: fc.constant(''), url, title: optional(label) }),
  fc.record({ type: fc.constant('drawing' as const), text: fc.constant(''), url: optional(url) }),
  fc.record({
    type: fc.constant('whiteboard' as const),
    text: fc.constant(''),
    url: optional(url),
    id: optional(fc.uuid()),
  }),
)

/** A block without children. */
export const leaf: fc.Arbitrary<Block> = fc
  .tuple(own, common)
  .map(([block, more]) => withoutAbsent({ ...block, ...asFields(more) } as Block))

function withoutAbsent(block: Block): Block {
  const entries = Object.entries(block).filter(
    ([key, value]) => value !== undefined && !(value === '' && key !== 'text' && key !== 'url'),
  )
  const kept = Object.fromEntries(entries) as unknown as Block
  if (kept.type === 'richUrl' && kept.title === kept.url) delete kept.title
  return kept
}

/** Blocks of every type, some of them pages with blocks in them. */
export const tree: fc.Arbitrary<Block[]> = fc.letrec<{ blocks: Block[]; page: Block }>((tie) => ({
  blocks: fc.array(fc.oneof({ withCrossShrink: true }, { weight: 5, arbitrary: leaf }, tie('page')), { maxLength: 5 }),
  page: fc
    .record({
      id: optional(fc.uuid()),
      type: fc.constant('page' as const),
      text: words('one'),
      textStyle: optional(fc.constantFrom(...TEXT_STYLES.filter((style) => style !== 'body'))),
      cardLayout: optional(fc.constantFrom(...CARD_LAYOUTS)),
      color: optional(fc.constant('#a0b1C2')),
      textAlignment: optional(fc.constantFrom(...TEXT_ALIGNMENTS.filter((side) => side !== 'left'))),
      font: optional(fc.constantFrom(...FONTS)),
      common,
      content: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constant([]), tie('blocks')),
    })
    .map(({ content, common, ...rest }) =>
      withoutAbsent({ ...rest, ...asFields(common), ...(content.length > 0 && { content }) } as Block),
    ),
})).blocks
