import fc from 'fast-check'
import { Fragment } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { readInline } from '../../../src/markdown/inline/read-inline.ts'
import { writeInline } from '../../../src/markdown/inline/write-inline.ts'
import { schema } from '../../../src/page/assets/model/editor-schema.ts'
import { readContent, writeContent } from '../../../src/page/assets/model/inline-nodes.ts'
import { runs } from '../../support/runs.ts'

/** The same content without what it was read from, so that it is written anew. */
const rewritten = (markdown: string, place: 'text' | 'cell' = 'text') =>
  writeContent(Fragment.fromArray([...readContent(markdown).content]), place)

/** Each character with its marks. Those of white space are not seen, and Markdown cannot express all of them. */
const marked = (content: Fragment): string[] =>
  content.content.flatMap((node) => {
    // `==` is written as a tag where it would mean nothing.
    const marks = node.marks.map(({ type, attrs }) => JSON.stringify([type.name, { ...attrs, isPair: '' }])).join()
    if (node.type.name === 'line_break') return ['break']
    if (!node.isText) return [`${JSON.stringify([node.type.name, node.attrs])} ${marks}`]
    return [...(node.text ?? '')].map((one) => (/[ \t\u00a0]/.test(one) ? one : `${one} ${marks}`))
  })

/** False for tags that are not closed, which the server refuses. */
function isReadable(text: string): boolean {
  try {
    readInline(text)
    return true
  } catch {
    return false
  }
}

describe('inline nodes', () => {
  test.each([
    ['plain words'],
    ['**bold** and *italic* and ~~struck~~ and `code`'],
    ['***both***'],
    ['[a **b** c](https://example.org)'],
    ['[`code`](block://1234)'],
    ['<https://example.org>'],
    ['==marked== and <highlight color="red">red</highlight>'],
    ['one\ntwo'],
    ['one\\\ntwo'],
    ['one<br>two'],
    ['$x^2$ and $$y$$'],
    ['![alt](https://example.org/a.png)'],
    ['<kbd>Ctrl</kbd>'],
    ['\\*no mark\\*'],
    ['a &#32;'],
    ['<comment id="c1">words</comment>'],
  ])('%s', (markdown) => {
    expect(rewritten(markdown)).toBe(writeInline(readInline(markdown)))
  })

  test('white space that is only typed is left out at the edges', () => {
    const text = (text: string) => Fragment.from(schema.text(text))
    expect(writeContent(text('word '))).toBe('word')
    expect(writeContent(text(' two  words '))).toBe('two  words')
  })

  test('two breaks in a row do not end the block', () => {
    const { line_break } = schema.nodes
    const content = Fragment.fromArray([schema.text('a'), line_break.create(), line_break.create(), schema.text('b')])
    expect(writeContent(content)).toBe('a<br><br>b')
  })

  const pieces = fc.constantFrom(
    ...[
      'a',
      'word',
      ' ',
      '**',
      '*',
      '~~',
      '`',
      '==',
      '$',
      '\n',
      '\\\n',
      '<br>',
      '[',
      '](https://a.example)',
      '![b](c)',
    ],
    ...['<kbd>', '</kbd>', '&#32;', '\\', '<https://a.example>', '.', '回', '(', '_'],
  )
  const wrapped = fc.constantFrom<(inner: string) => string>(
    (inner) => inner,
    (inner) => `<highlight color="red">${inner}</highlight>`,
    (inner) => `<comment id="c1">${inner}</comment>`,
    (inner) => `[${inner}](https://b.example)`,
    (inner) => `**${inner}**`,
    (inner) => `==${inner}==`,
  )
  const part = fc.tuple(fc.array(pieces, { maxLength: 5 }), wrapped).map(([some, wrap]) => wrap(some.join('')))
  const texts = fc.tuple(fc.array(part, { maxLength: 4 }), wrapped).map(([some, wrap]) => wrap(some.join('')))
  test('content that is written anew is read as the same content', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('text' as const, 'cell' as const), (text, place) => {
        fc.pre(isReadable(text))
        const first = writeInline(readInline(text), place)
        const again = rewritten(first, place)
        expect(marked(readContent(again))).toEqual(marked(readContent(first)))
      }),
      { numRuns: runs(300, 30_000) },
    )
  })
})
