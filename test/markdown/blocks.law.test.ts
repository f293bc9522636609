import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../src/markdown/block.ts'
import { readInline } from '../../src/markdown/inline/read-inline.ts'
import { writeInline } from '../../src/markdown/inline/write-inline.ts'
import { normalizeText } from '../../src/markdown/inline-text.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { blockMarkdown, writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { examples, runs } from '../support/runs.ts'
import { blocksOf } from './blocks-of.ts'
import { readmes } from './readmes.ts'
import { HOSTILE, leaf, tree } from './trees.ts'

describe('blocks to text and back', () => {
  it('should result in the same blocks', () => {
    fc.assert(
      fc.property(tree, (blocks) => {
        expect(blocksOf(writeMarkdown(blocks))).toEqual(blocks)
      }),
      { numRuns: runs(100, 2000) },
    )
  })
  it('should result in the same block, one by one', () => {
    fc.assert(
      fc.property(leaf, (block) => {
        const text = blockMarkdown(block)
        // An empty text has no blocks, and neither has an empty line.
        if (text !== '') expect(blocksOf(text)).toEqual([block])
      }),
      { numRuns: runs(250, 5000) },
    )
  })
})

describe('text to blocks and back', () => {
  it('should not change after the first time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...HOSTILE), { maxLength: 20 }), (parts) => {
        const once = normal(parts.join(''))
        if (once !== undefined) expect(normal(once)).toBe(once)
      }),
      { numRuns: runs(250, 5000) },
    )
  })
  it('should keep a tag in code that spans a pipe', () => {
    const text = '|`<page>| a | b |`'
    expect(readMarkdown(writeMarkdown(readMarkdown(text)))).toEqual(readMarkdown(text))
  })
  it('should hold for real files', { timeout: 60_000 }, () => {
    for (const { title, markdown } of examples(readmes(), 15)) {
      const once = normal(markdown)
      if (once !== undefined) expect(writeMarkdown(readMarkdown(once)), title).toBe(once)
    }
  })
})

describe('one line', () => {
  const mark = fc.constantFrom(
    '',
    '- ',
    '1. ',
    '- [ ] ',
    '- [x] ',
    '# ',
    '## ',
    '###### ',
    '-  ',
    '2. ',
    '+ ',
    '  - ',
    '> ',
  )
  const letter = fc.constantFrom(...'abZéβ漢😀1 .,;:!?\'"()#|>-+/@%^{}]—\t\u00a0\ufeff\v\f*_`~=$&<[\\')
  const words = fc.array(letter, { maxLength: 16 }).map((letters) => letters.join(''))

  // A line break after it makes no difference to Markdown, but most lines are parsed at once without it.
  it('should be read as one line with its break', () => {
    fc.assert(
      fc.property(mark, words, (mark, words) => {
        expect(outcomeOf(mark + words)).toEqual(outcomeOf(`${mark}${words}\n`))
      }),
      {
        numRuns: runs(1000, 20_000),
        examples: [
          ['## ', 'a #'],
          ['- ', 'a\t'],
          ['1. ', 'https://a.b'],
          ['- [ ] ', 'a | b'],
          ['', 'a [b](https://c.d) `e` **f**'],
          ['# ', 'a \\'],
        ],
      },
    )
  })

  function outcomeOf(text: string): unknown {
    try {
      return readMarkdown(text)
    } catch (error) {
      return (error as Error).message
    }
  }
})

describe('text with simple marks', () => {
  const piece = fc.constantFrom(
    ...['a', 'Zé', '漢', '1', ' ', ' ', ' ', ', ', '.', ')', '(', '!', '-', "'", ':', '/', 'https://a.b/c'],
    ...[
      '**',
      '**',
      '*',
      '*',
      '`',
      '`',
      '[',
      '](https://a.b/c_d)',
      ']',
      '_',
      '**a b**',
      '*a*',
      '`a_b`',
      ' [a](https://b.c) ',
    ],
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

  // They are not parsed at all if that would change nothing.
  it('should be the same after reading and writing', () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(normalizeText(text)).toBe(writeInline(readInline(text)))
      }),
      { numRuns: runs(1000, 20_000) },
    )
  })
})

/** A text after one round trip; undefined if it is rejected. */
function normal(text: string): string | undefined {
  let blocks: Block[]
  try {
    blocks = readMarkdown(text)
  } catch {
    return undefined
  }
  return writeMarkdown(blocks)
}
