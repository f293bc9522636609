/**
 * Moves marks off punctuation where Markdown cannot express them. Bold over "(bar)" between letters would be
 * `foo**(bar)**baz`, which no delimiter opens. It is written `foo(**bar**)baz`: the text stays bold, and the text has no
 * character references, which agents would have to quote.
 */

import { classOf, firstCharacter, lastCharacter } from './characters.ts'
import type { InlineNode } from './inline-node.ts'

/** Marks to remove from the punctuation at an edge of a span, and of its neighbors if it has no other characters. */
export interface NarrowedEdge {
  at: number
  marks: number
  /** 1 for marks that open before the span, -1 for marks that close after it. */
  step: 1 | -1
}

export function narrowMarks(spans: readonly InlineNode[], edges: readonly NarrowedEdge[]): InlineNode[] {
  const parts = spans.map((span): InlineNode[] => [span])
  for (const { at, marks, step } of edges) {
    for (let index = at; ; index += step) {
      const part = parts[index]
      const span = step === 1 ? part?.at(-1) : part?.[0]
      if (!part || !span || (span.marks & marks) === 0) break
      const [bare, kept] = splitPunctuation(span, marks, step)
      part.splice(step === 1 ? -1 : 0, 1, ...(step === 1 ? [...bare, ...kept] : [...kept, ...bare]))
      if (kept.length > 0) break
    }
  }
  return parts.flat()
}

/** The punctuation at one end, without the marks, and the rest. All kinds but text begin and end with punctuation. */
function splitPunctuation(span: InlineNode, marks: number, step: 1 | -1): [bare: InlineNode[], kept: InlineNode[]] {
  const without = span.marks & ~marks
  if (span.kind !== 'text') return [[{ ...span, marks: without }], []]
  const { text } = span
  let length = 0
  while (length < text.length) {
    const character =
      step === 1 ? firstCharacter(text.slice(length, length + 3)) : lastCharacter(text.slice(0, text.length - length))
    if (classOf(character) !== 'punctuation') break
    length += character.length
  }
  const cut = step === 1 ? length : text.length - length
  const [start, end] = [text.slice(0, cut), text.slice(cut)]
  const [bare, kept] = step === 1 ? [start, end] : [end, start]
  const part = (text: string, withMarks: number): InlineNode[] =>
    text === '' ? [] : [{ kind: 'text', text, marks: withMarks }]
  return [part(bare, without), part(kept, span.marks)]
}
