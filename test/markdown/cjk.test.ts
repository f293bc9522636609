import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { describe, expect, test } from 'vitest'
import { BOLD } from '../../src/markdown/inline/inline-node.ts'
import { writeConverted } from '../../src/markdown/inline/write-inline.ts'
import { normalizeText } from '../../src/markdown/inline-text.ts'
import { runs } from '../support/runs.ts'
import { seenByUs } from './inline-oracle.ts'

/** The published implementation of the amendments. */
const published = new MarkdownIt('commonmark').use(cjkFriendly)

/** Each character with its marks, as the published implementation reads them. */
function seenByPublished(text: string): string[] {
  const marks: Record<string, string> = { em: 'italic', strong: 'bold' }
  const over: string[] = []
  const seen: string[] = []
  for (const { type, content, nesting } of published.parseInline(text, {})[0]?.children ?? []) {
    const mark = marks[type.replace(/_.*/, '')]
    if (mark !== undefined && nesting === 1) over.push(mark)
    else if (mark !== undefined) over.splice(over.lastIndexOf(mark), 1)
    else for (const each of content) seen.push([each, ...new Set(over.toSorted())].join(' · '))
  }
  return seen
}

const bold = (before: string, text: string, after: string) =>
  writeConverted([
    { kind: 'text', text: before, marks: 0 },
    { kind: 'text', text, marks: BOLD },
    { kind: 'text', text: after, marks: 0 },
  ])

describe('emphasis beside Chinese, Japanese and Korean text', () => {
  test.each([
    ['**注意：**正文', 'b注意：'],
    ['これは**「重要」**です', 'b「重要」'],
    ['**文字。**后续', 'b文字。'],
    ['含**「重点」**内容', 'b「重点」'],
    ['**스크립트(script)**라고', 'b스크립트(script)'],
    ['*注意：*正文', 'i注意：'],
    ['**“︁重要”︁**です', 'b“︁重要”︁'],
    ['**葛󠄀**(a)', 'b葛󠄀'],
  ])('%s should be read as bold or italic, and stay as it is', (text, marked) => {
    const mark = marked.startsWith('b') ? 'bold' : 'italic'
    const found = seenByUs(text).filter((each) => each.endsWith(` · ${mark}`))
    expect(found.map((each) => each.slice(0, each.indexOf(' · '))).join('')).toBe(marked.slice(1))
    expect(normalizeText(text)).toBe(text)
  })

  test.each(['__注意：__正文', '**a.**b', 'a**.b**', '**🈁.**a', '**😀.**a'])('%s should stay text', (text) => {
    expect(seenByUs(text).filter((each) => / · (bold|italic)/.test(each))).toEqual(
      seenByPublished(text).filter((each) => / · /.test(each)),
    )
  })

  const pieces = [
    ...['*', '**', '_', '__', '***', '注', '：', '「', '」', '。', 'す', '한', 'ᄀ', '·', '（', 'ｱ', '｡', '𠮟', '葛󠄀'],
    ...['“', '”︁', '“︁', '‘︀', '。︀', '〇︀', '\ufe00', '\ufe01', '😀', '🈁', '㊗️', '™', '©️', '!︎'],
    ...[' ', '\u3000', 'a', '.', '(', ')', '!', '1', 'é', '€'],
  ]
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => `a${parts.join('')}b`)

  test('for any text, we agree with the published implementation', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(seenByUs(text)).toEqual(seenByPublished(text).map(withoutMarksOfSpaces))
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  test('for any text, the normal form is a fixed point with the same meaning', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const written = normalizeText(text)
        expect(normalizeText(written)).toBe(written)
        expect(seenByPublished(written).map(withoutMarksOfSpaces)).toEqual(seenByUs(text))
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  test('what is written should need no character references', () => {
    expect(bold('这是', '「重要」', '的事情')).toBe('这是**「重要」**的事情')
    expect(bold('use foo', '(bar)', 'baz')).toBe('use foo(**bar**)baz')
    expect(bold('foo', '...', 'baz')).toBe('foo...baz')
    expect(bold('', '(a) b', 'c')).toBe('**(a) b**c')
    expect(bold('', 'a (b)', 'c')).toBe('**a (b**)c')
  })
})

/** White space has no marks of its own: see the oracle. */
const withoutMarksOfSpaces = (each: string) => (/^\s/.test(each) ? each.replace(/^\s.*/s, ' ') : each)
