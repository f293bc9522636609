/**
 * Comments on words: puts the mark of a comment around some words of a text, and reads the words that it is around.
 *
 *     a **b c** d, on "c d"   →   a **b <comment id="1">c</comment>**<comment id="1"> d</comment>
 */
import { type CommentNode, type InlineNode, isContainer, visibleText } from './inline/inline-node.ts'
import { shortCommentId } from './inline/inline-tag.ts'
import { readInline } from './inline/read-inline.ts'
import { writeInline } from './inline/write-inline.ts'

/** The visible text of Markdown of a block, in which words are looked for. */
export const wordsIn = (text: string): string => visibleText(readInline(text))

/** Where words stand in a visible text, each place once. */
export function placesOf(visible: string, words: string): number[] {
  const places: number[] = []
  if (words === '') return places
  for (let at = visible.indexOf(words); at >= 0; at = visible.indexOf(words, at + words.length)) places.push(at)
  return places
}

/**
 * Surrounds a part of a normalized text with a comment's mark. Formulas, code, images and addresses are marked whole.
 *
 * @param start  the first character of the part in the visible text
 */
export function markWords(text: string, id: string, start: number, length: number): string {
  return writeInline(wrapped(readInline(text), { id, start, end: start + length }))
}

/** The visible words that a comment's mark is around; undefined if the text has no such mark. */
export function markedWords(text: string, id: string): string | undefined {
  if (!text.includes(`"${id}"`)) return undefined
  const found = marksOf(readInline(text), id)
  return found.length === 0 ? undefined : found.map(({ spans }) => visibleText(spans)).join('')
}

/**
 * Where the words of a comment's mark stand, for a text without the mark: the first place of the same words is 1.
 *
 * @returns undefined if the text has no such mark
 */
export function markedPlace(text: string, id: string): { words: string; place: number; places: number } | undefined {
  const words = markedWords(text, id)
  if (words === undefined || words === '') return undefined
  const start = startOfMark(readInline(text), id, 0).at ?? 0
  const places = placesOf(wordsIn(text), words)
  return { words, place: places.indexOf(start) + 1, places: places.length }
}

/** @returns where the first mark begins, or else where the spans end */
function startOfMark(spans: readonly InlineNode[], id: string, from: number): { at?: number; end: number } {
  let end = from
  for (const span of spans) {
    if (isContainer(span)) {
      if (span.kind === 'comment' && shortCommentId(span.id) === id) return { at: end, end }
      const inner = startOfMark(span.spans, id, end)
      if (inner.at !== undefined) return inner
    }
    end += visibleText([span]).length
  }
  return { end }
}

const marksOf = (spans: readonly InlineNode[], id: string): CommentNode[] =>
  spans.flatMap((span) => {
    if (!isContainer(span)) return []
    return span.kind === 'comment' && shortCommentId(span.id) === id ? [span] : marksOf(span.spans, id)
  })

interface Part {
  id: string
  start: number
  end: number
}

function wrapped(spans: readonly InlineNode[], { id, start, end }: Part): InlineNode[] {
  const result: InlineNode[] = []
  let marked: InlineNode[] = []
  const flush = () => {
    if (marked.length > 0) result.push(commentOn(marked, id))
    marked = []
  }
  let at = 0
  for (const span of spans) {
    const length = visibleText([span]).length
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, length)]
    const isWhole = from === 0 && to === length && length > 0
    if (isWhole || (from < to && !isContainer(span) && span.kind !== 'text')) marked.push(span)
    else if (from >= to) {
      flush()
      result.push(span)
    } else if (isContainer(span)) {
      flush()
      result.push({ ...span, spans: wrapped(span.spans, { id, start: from, end: to }) })
    } else if (span.kind === 'text') {
      const [before, within, after] = [span.text.slice(0, from), span.text.slice(from, to), span.text.slice(to)]
      if (before !== '') {
        flush()
        result.push({ ...span, text: before })
      }
      marked.push({ ...span, text: within })
      if (after !== '') {
        flush()
        result.push({ ...span, text: after })
      }
    }
    at += length
  }
  flush()
  return result
}

/** The mark stands inside of what all of it has: bold words stay one stretch. */
function commentOn(spans: readonly InlineNode[], id: string): InlineNode {
  const marks = spans.reduce((all, span) => all & span.marks, -1)
  return { kind: 'comment', id, marks, spans: spans.map((span) => ({ ...span, marks: span.marks & ~marks })) }
}
