/** Text of HTML is never lost when it is converted, wherever it stands. Another parser reads what the blocks show. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertPasted } from '../../src/html/pasted/convert-pasted.ts'
import { parseStyledHtml } from '../../src/import/html/parse-html.ts'
import { compareItems } from '../../src/losses/compare-items.ts'
import { readBlocks } from '../../src/losses/read-blocks.ts'
import { readHtml } from '../../src/losses/read-html.ts'
import { visibleWords } from '../../src/losses/visible-item.ts'
import { runs } from '../support/runs.ts'

const INLINE = [
  'a',
  'b',
  'strong',
  'i',
  'em',
  's',
  'u',
  'sub',
  'code',
  'span',
  'mark',
  'font',
  'label',
  'o:p',
  'x-y',
  'ruby',
]
const BLOCK = [
  'p',
  'div',
  'h1',
  'h3',
  'h6',
  'li',
  'blockquote',
  'pre',
  'section',
  'dl',
  'dt',
  'dd',
  'center',
  'address',
  'figure',
]
const HOLDERS = ['ul', 'ol', 'table', 'details', 'fieldset', 'menu']
const CELLS = ['tr', 'td', 'th', 'tbody', 'caption', 'summary', 'figcaption', 'legend']
const ATTRIBUTES = [
  ...[
    '',
    '',
    '',
    ' style="font-weight:700"',
    ' style="font-weight:normal"',
    ' style="text-decoration:underline line-through"',
  ],
  ...[
    ' style="white-space:pre-wrap"',
    ' style="vertical-align:super"',
    ' style="mso-list:l0 level2 lfo1"',
    ' colspan="2"',
  ],
  ...[' rowspan="3"', ' href="https://example.org/x"', ' role="heading" aria-level="2"', ' data-aria-level="3"'],
  ...[
    ' style="font-family:monospace;white-space:pre"',
    ' class="language-js"',
    ' class="MsoTitle"',
    ' role="checkbox"',
  ],
]
const TEXTS = [
  ' one ',
  ' two ',
  '3. three',
  '- four',
  '\n  five\n',
  '# six',
  'a*b*c',
  '\u00A0',
  '<br>',
  '<br><br>',
  '<hr>',
  '|',
  '`',
  '[x] y',
  '$5',
  '☐ z',
]

const text = fc.constantFrom(...TEXTS).map((words) => (/[<\u00A0]/.test(words) ? words : words.replace('<', '&lt;')))
const html = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    text,
    fc
      .tuple(
        fc.constantFrom(...INLINE, ...BLOCK, ...HOLDERS, ...CELLS),
        fc.constantFrom(...ATTRIBUTES),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(([name, attributes, inner]) => `<${name}${attributes}>${inner.join('')}</${name}>`),
  ),
})).node

test('each word of HTML is in the blocks', () => {
  fc.assert(
    fc.property(fc.array(html, { maxLength: 4 }), (parts) => {
      const source = parts.join('')
      const { blocks } = convertPasted(parseStyledHtml(source))
      const isWord = ({ kind }: { kind: string }) => kind === 'word' || kind === 'number'
      // The box of a task stands for its sign.
      const shown = readHtml(source, 1)
        .filter(isWord)
        .filter(({ value }) => value !== '☐' && value !== 'x')
      // Pages show the language of code beside it.
      const kept = readBlocks(blocks).flatMap((item) => [
        item,
        ...(item.kind === 'language' ? visibleWords(item.value, 1) : []),
      ])
      expect(compareItems(shown, kept)).toEqual([])
    }),
    { numRuns: runs(150, 5_000) },
  )
})
