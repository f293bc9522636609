/** The selected words of one block, for a comment on them. */
import type { EditorState } from 'prosemirror-state'
import { blockAround } from './block-place.ts'

/** Words, and where they begin in the visible text of their block. */
export interface CommentedWords {
  words: string
  start: number
}

/** @returns undefined if the selection reaches beyond the text of one block, or has no words */
export function selectedWords({ selection, doc }: EditorState): CommentedWords | undefined {
  const { $from, $to, from, to } = selection
  if (!$from.sameParent($to) || !$from.parent.inlineContent) return undefined
  // The text of a table or of code is in parts, or in no Markdown.
  if (blockAround($from).node !== $from.parent) return undefined
  const text = doc.textBetween(from, to)
  const words = text.trim()
  if (words === '') return undefined
  const before = doc.textBetween($from.start(), from)
  return { words, start: before.length + text.indexOf(words) }
}
