import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { normalizeText } from '../../src/markdown/inline-text.ts'
import { examples, runs } from '../support/runs.ts'
import { remarkIsRight, seenByMarkdownIt, seenByRemark, seenByUs } from './inline-oracle.ts'

const COMMONMARK = [
  ...['*', '**', '_', '__', '***', '`', '``', '[', ']', '(', ')', '](u)', '](u', '![', '<', '>', '<b>', '</b>', '\\'],
  ...[
    '<i title="x">',
    '<https://x>',
    '<m@x.yz>',
    '<!--',
    '-->',
    '](<u v> "t")',
    '[](u)',
    '&amp;',
    '&',
    '&#32;',
    '&nbsp;',
  ],
  ...[' ', 'a', 'b', '.', '!', '"', '%', '#', '\nb', '  \nb', '\\\nb', 'é', '€', 'x y', '1', '\u00a0'],
]
const OURS = [
  ...[...COMMONMARK, '~~', '==', '~', '=', '$', '$$', '$x$', '$a b$', '<highlight>', '</highlight>', '</comment>'],
  ...['<highlight color="red">', '<comment id="1">', '<page>', '[b](block://1)', '==a b==', '~~a b~~', '9', '|', '\t'],
  ...[
    '<sub>',
    '</sub>',
    '<br>',
    '<a href="x">',
    '</a>',
    '<video src="v">',
    '<img src="i" alt="b">',
    '<!-- a -->',
    '\n',
  ],
  ...['<highlight color="blue">a</highlight>', '<comment id="2">b</comment>', '\r\n', '\u200f', '😀', 'שלום'],
]

const OWN = /[$]|==|~~|<\/?(?:highlight|comment|a|img|iframe|video|audio|source|embed)\b/i

/** Pieces without a meaning of our own, for markdown-it. */
const STANDARD = [
  ...COMMONMARK.filter((piece) => !/[~=$]/.test(piece)),
  ...['****', '![a](u)', "](u 't')", '](u (t))', '](a(b)c)', '](a\\)b)'],
  ...['](<a>', '](u\n"t")', '](&amp;&#x41;)', '](u "&quot;\\"")', '&#65;', '&NotEqualTilde;', '&bogus;', '&copy'],
  ...['\\a', '\\ ', '\\*', '\\😀', '注', '：', '“', '한', '😀'],
]

const textOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => `a${parts.join('')}`.trimEnd())

const params = { numRuns: runs(200, 3000) }

/** The normal form, or undefined if the text is rejected. */
function normal(text: string): string | undefined {
  try {
    return normalizeText(text)
  } catch (error) {
    if (error instanceof ScriptoriumError) return undefined
    throw error
  }
}

describe('for any text', () => {
  test('we agree with remark', () => {
    fc.assert(
      fc.property(textOf(COMMONMARK).filter(remarkIsRight), (text) => {
        const seen = seenByRemark(text)
        if (seen) expect(seenByUs(text)).toEqual(seen)
      }),
      params,
    )
  })

  // Remark does not count the rule of three for parts of runs.
  test('we agree with markdown-it', () => {
    fc.assert(
      fc.property(textOf(STANDARD), (text) => {
        expect(seenByUs(text)).toEqual(seenByMarkdownIt(text))
      }),
      params,
    )
  })

  test('remark reads the normal form as we read the text', () => {
    fc.assert(
      fc.property(textOf(COMMONMARK), (text) => {
        const written = normalizeText(text)
        const seen = remarkIsRight(written) ? seenByRemark(written) : undefined
        if (seen) expect(seen).toEqual(seenByUs(text))
      }),
      params,
    )
  })

  test('the normal form is a fixed point with the same meaning', () => {
    fc.assert(
      fc.property(textOf(OURS), (text) => {
        const written = normal(text)
        if (written === undefined) return
        expect(normalizeText(written)).toBe(written)
        expect(seenByUs(written)).toEqual(seenByUs(text))
      }),
      params,
    )
  })
})

describe('for the paragraphs of real READMEs', () => {
  const paragraphs = readdirSync('node_modules')
    .map((name) => join('node_modules', name, 'README.md'))
    .flatMap((path) => {
      try {
        return readFileSync(path, 'utf8').split(/\n\s*\n/)
      } catch {
        return []
      }
    })
    .map((text) => text.trim())
    // Formulas, pairs, and tags that become links or have a meaning are ours alone.
    .filter((text) => /^[A-Za-z*_`[]/.test(text) && !OWN.test(text))

  test('we agree with remark, on the text and on its normal form', () => {
    expect(paragraphs.length).toBeGreaterThan(1000)
    let compared = 0
    for (const text of examples(paragraphs, 20)) {
      const seen = seenByRemark(text)
      if (!seen || !remarkIsRight(text)) continue
      compared++
      expect(seenByUs(text)).toEqual(seen)
      const written = normalizeText(text)
      expect(normalizeText(written)).toBe(written)
      expect(seenByUs(written)).toEqual(seen)
    }
    expect(compared).toBeGreaterThan(examples(paragraphs, 20).length / 2)
  })
})
