/**
 * Threads of comments on a block: one about all of it, and one about each stretch of words that somebody commented on.
 * The mark of a thread has the ID of its oldest comment. It stands in the text, so that it moves with the words, through
 * whatever edits the text. Where an edit writes the text without the mark, it is put back: around all of the text, or
 * around the words, wherever they stand now. If the words are gone, the thread keeps them as they were.
 */
import { firstComments } from '../../../storage/comments.ts'
import type { BlockRow, CommentRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { COMMENTED_WORDS } from '../../base/limits.ts'
import { shorten } from '../../base/shorten.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { hasComment, withComment } from '../../markdown/comment-tags.ts'
import { markedWords, markWords, placesOf, wordsIn } from '../../markdown/comment-words.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

/** The same for all comments of a thread. */
export const threadKey = ({ block, thread }: Pick<CommentRow, 'block' | 'thread'>): string => `${block} ${thread ?? ''}`

/** The thread of a new comment. */
export type NewThread = Pick<CommentRow, 'thread' | 'words'>

/** Words that a comment is about. */
export interface CommentedWords {
  blockId?: AnyId | undefined
  words: string
  /** Where they begin in the visible text, if they stand there several times. */
  start?: number | undefined
}

/**
 * Marks the words of a comment that begins a thread about them.
 *
 * @returns the text of the block with the mark
 * @throws VALIDATION_ERROR for a block without words, and for words that are not there, or there several times
 */
export function markThread({ text, type }: BlockRow, id: number, { blockId, words, start }: CommentedWords): string {
  if (!traitsOf(type).marksComments) {
    throw invalid(`Expected a block of text to comment on words of, found ${blockId} of type ${type}; leave words out.`)
  }
  const places = placesOf(wordsIn(text), words)
  const place = places.length > 1 && start !== undefined ? nearest(places, start) : places[0]
  const found = JSON.stringify(shorten(words, SHOWN))
  if (place === undefined) {
    throw invalid(
      `Expected words that stand in block ${blockId}, found ${found}; read it again, and give them as they are shown.`,
    )
  }
  if (places.length > 1 && start === undefined) {
    throw invalid(
      `Expected words that stand once in block ${blockId}, found ${found} ${places.length} times; give more of the words around them.`,
    )
  }
  return markWords(text, String(id), place, words.length)
}

/** Characters of words in a message. */
const SHOWN = 100

const nearest = (places: readonly number[], wanted: number): number | undefined =>
  places.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0]

/** Returns the text of a block after a change, including the marks of its comments. */
export type CommentTagKeeper = (row: BlockRow, text: string) => string

/** Prepares to keep the marks of comments on these blocks when their texts change, so that editing loses no thread. */
export async function commentTagKeeper(space: Space, rows: readonly BlockRow[]): Promise<CommentTagKeeper> {
  const inline = rows.filter(({ type }) => traitsOf(type).marksComments)
  const numbers = inline.map(({ n }) => n)
  const first = inline.length === 0 ? [] : await firstComments(space.tx, numbers)
  const threads = Map.groupBy(first, ({ block }) => block)
  const roots = inline.filter(({ n, parent }) => parent === null && threads.has(n))
  const documents = await space.documentRows(roots.map(({ document }) => document))
  return ({ n, parent, document, text: before }, text) => {
    // The title of a daily note must be just its day, so it gets no mark.
    if (parent === null && documents.get(document)?.location === 'daily_notes') return text
    // Those about words come first, so that they are found in the text as it was written.
    const inOrder = (threads.get(n) ?? []).toSorted(
      (one, other) => Number(one.words === null) - Number(other.words === null),
    )
    return inOrder.reduce((kept, thread) => keepMark(kept, before, thread), text)
  }
}

function keepMark(text: string, before: string, { id, words }: CommentRow): string {
  const own = String(id)
  if (hasComment(text, own)) return text
  if (words === null) return withComment(text, own)
  const covered = markedWords(before, own) ?? words
  const places = placesOf(wordsIn(text), covered)
  // Of several places, the one at which they stood before.
  const place = places.length > 1 ? nearest(places, wordsIn(before).indexOf(covered)) : places[0]
  return place === undefined ? text : markWords(text, own, place, covered.length)
}

/** Like {@link commentTagKeeper}, for one block. */
export async function preserveCommentTag(space: Space, row: BlockRow, text: string): Promise<string> {
  return (await commentTagKeeper(space, [row]))(row, text)
}

/** The words that a thread is about, as they are kept with it. */
export const keptWords = (words: string): string => shorten(words, COMMENTED_WORDS).toWellFormed()
