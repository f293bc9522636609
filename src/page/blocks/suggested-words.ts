/**
 * Which words a suggestion strikes and inserts in a text. The server draws them as HTML, and the editor as decorations
 * over the text that it edits: both from the same runs, whose lengths are positions of the editor.
 */
import { editsBetween, tokensOf } from '../../difference/text-edits.ts'
import { type InlineNode, isContainer, type LeafNode } from '../../markdown/inline/inline-node.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'

/** Words in sequence to which the same happens: they stay, are struck, or are inserted. */
export interface SuggestedRun {
  sign: ' ' | '-' | '+'
  spans: InlineNode[]
  /** Positions that they take in the editor: one per character, and one for what is no text, such as a formula. */
  size: number
}

/** A word, or something in a text that is none, with all that is around it. */
interface Piece {
  key: string
  span: InlineNode
  size: number
}

/**
 * @param before  inline Markdown
 * @param after  what the suggestion makes of it
 */
export function suggestedRuns(before: string, after: string): SuggestedRun[] {
  const [old, now] = [piecesOf(readInline(before)), piecesOf(readInline(after))]
  const runs: SuggestedRun[] = []
  let [from, to] = [0, 0]
  for (const edit of editsOf(old, now)) {
    const stays = edit.from - from
    addRun(runs, ' ', old.slice(from, edit.from))
    addRun(runs, '-', old.slice(edit.from, edit.to))
    addRun(runs, '+', now.slice(to + stays, to + stays + edit.inserted))
    to += stays + edit.inserted
    from = edit.to
  }
  addRun(runs, ' ', old.slice(from))
  return runs
}

function addRun(runs: SuggestedRun[], sign: SuggestedRun['sign'], pieces: readonly Piece[]): void {
  if (pieces.length === 0) return
  const size = pieces.reduce((sum, piece) => sum + piece.size, 0)
  runs.push({ sign, spans: joinSpans(pieces.map(({ span }) => span)), size })
}

/** How many pieces are inserted in place of those from one index up to, and not including, another. */
interface PieceEdit {
  from: number
  to: number
  inserted: number
}

/** Spaces between two replaced words are replaced with them, so that a person reads phrases. */
function editsOf(old: readonly Piece[], now: readonly Piece[]): PieceEdit[] {
  const keysOf = (pieces: readonly Piece[]) => pieces.map(({ key }) => key)
  const found = editsBetween(keysOf(old), keysOf(now))
  if (found === undefined) return [{ from: 0, to: old.length, inserted: now.length }]
  const edits: PieceEdit[] = []
  for (const { from, to, tokens } of found) {
    const edit = { from, to, inserted: tokens.length }
    const last = edits.at(-1)
    const gap = last && old.slice(last.to, from)
    const isPhrase = last !== undefined && [last, edit].every((one) => one.from < one.to && one.inserted > 0)
    if (isPhrase && gap?.every(isSpace)) {
      last.inserted += gap.length + edit.inserted
      last.to = to
    } else edits.push(edit)
  }
  return edits
}

const isSpace = ({ span }: Piece): boolean => span.kind === 'text' && /^[^\S\n]*$/.test(span.text)

/** The words of spans, each with the links, marks and comments around it. */
function piecesOf(spans: readonly InlineNode[]): Piece[] {
  return spans.flatMap((span) => {
    if (!isContainer(span)) return leafPieces(span)
    // In the editor, what is empty has a place of its own.
    if (span.spans.length === 0) return [{ key: keyOf(span), span, size: 1 }]
    return piecesOf(span.spans).map((inner) => {
      const around = { ...span, spans: [inner.span] }
      return { key: keyOf(around), span: around, size: inner.size }
    })
  })
}

function leafPieces(span: LeafNode & { marks: number }): Piece[] {
  switch (span.kind) {
    case 'text':
    case 'encoded':
    case 'code':
      return tokensOf(span.text).map((text) => {
        // Characters that are written as references are the same characters.
        const kind = span.kind === 'encoded' ? 'text' : span.kind
        return { key: keyOf({ ...span, kind, text }), span: { ...span, text }, size: text.length }
      })
    case 'autolink':
      return [{ key: keyOf(span), span, size: span.text.length }]
    case 'break':
    case 'formula':
    case 'html':
    case 'image':
      return [{ key: keyOf(span), span, size: 1 }]
  }
}

const keyOf = (span: InlineNode): string => JSON.stringify(span)

/** Joins the words of a text again, and what stands in the same link. */
export function joinSpans(spans: readonly InlineNode[]): InlineNode[] {
  const joined: InlineNode[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    const both = last && joinTwo(last, span)
    if (both === undefined) joined.push(span)
    else joined[joined.length - 1] = both
  }
  return joined
}

function joinTwo(one: InlineNode, other: InlineNode): InlineNode | undefined {
  if (one.marks !== other.marks || one.kind !== other.kind) return undefined
  if (isContainer(one) && isContainer(other)) {
    const isSame = keyOf({ ...one, spans: [] }) === keyOf({ ...other, spans: [] })
    return isSame ? { ...one, spans: joinSpans([...one.spans, ...other.spans]) } : undefined
  }
  const hasWords = (one.kind === 'text' || one.kind === 'code') && (other.kind === 'text' || other.kind === 'code')
  return hasWords ? { ...one, text: one.text + other.text } : undefined
}
