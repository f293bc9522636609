/** Writes the data of imported blocks that is not stored in their fields: drawings, comments and reminders. */

import {
  commentsOfBlocks,
  deleteComments,
  insertComments,
  type NewCommentRow,
  setCommentsResolved,
} from '../../../storage/comments.ts'
import { remindersOfBlocks, replaceReminders } from '../../../storage/reminders.ts'
import type { BlockRow, CommentRow } from '../../../storage/schema.ts'
import { addToGroup } from '../../base/grouping.ts'
import { COMMENT_LENGTH } from '../../base/limits.ts'
import { chunks } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { markWords, placesOf, wordsIn } from '../../markdown/comment-words.ts'
import { assertSafeText } from '../../markdown/unsafe-addresses.ts'
import type { InsertedBlock } from '../blocks/block-tree.ts'
import { markCommented } from '../comments/block-comments.ts'
import { keptWords } from '../comments/comment-threads.ts'
import type { Space } from '../model/space.ts'
import { replaceDrawing } from '../whiteboards/replace-drawing.ts'
import type { ImportComment, ImportContent } from './imported-content.ts'

/** Maps each block of a content to its row. */
export type WrittenRows = ReadonlyMap<Block, BlockRow>

/** Pairs the blocks of a content with the rows that were inserted for them. */
export function insertedRows(blocks: readonly Block[], inserted: readonly InsertedBlock[]): Map<Block, BlockRow> {
  const rows = new Map<Block, BlockRow>()
  const waiting: [readonly Block[], readonly InsertedBlock[]][] = [[blocks, inserted]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [given, written] = next
    for (const [index, block] of given.entries()) {
      const one = written[index]
      if (one === undefined) throw new Error('Expected a row for each block that was inserted.')
      rows.set(block, one.row)
      if (block.content !== undefined) waiting.push([block.content, one.content])
    }
  }
  return rows
}

/** Writes the drawings of whiteboards. @returns how many of those that existed before were changed */
export async function writeDrawings(
  space: Space,
  { drawings }: ImportContent,
  rows: WrittenRows,
  isNew: (row: BlockRow) => boolean,
): Promise<number> {
  let changed = 0
  for (const [block, drawing] of drawings) {
    const row = rows.get(block)
    if (row !== undefined && (await replaceDrawing(space, row, drawing)) && !isNew(row)) changed++
  }
  return changed
}

/**
 * Replaces the comments on blocks with those of their source.
 *
 * @param isNew  true for blocks that have no comments yet
 * @param options.page  if given, comments that are on it or on another one of the blocks stay there
 * @returns how many comments were added or deleted
 */
export async function writeComments(
  space: Space,
  content: ImportContent,
  rows: WrittenRows,
  isNew: (row: BlockRow) => boolean,
  { page }: { page?: BlockRow } = {},
): Promise<number> {
  const present = await readComments(
    space,
    [...rows.values()].filter((row) => !isNew(row)),
  )
  const elsewhere = page === undefined ? [] : [...present.values(), ...(await readComments(space, [page])).values()]
  const added: NewCommentRow[] = []
  const given: ImportComment[] = []
  const commented: BlockRow[] = []
  for (const [block, list] of content.comments) {
    const row = rows.get(block)
    if (row === undefined) continue
    const before = present.get(row.n) ?? []
    /** Threads about words that are there. */
    const threads = new Map<string, Pick<CommentRow, 'thread' | 'words'>>()
    for (const comment of list) {
      assertSafeText(comment.content)
      const same = before.findIndex((one) => isSameComment(one, comment))
      if (same >= 0) {
        const [found] = before.splice(same, 1)
        const { thread = null, words = null } = found ?? {}
        if (comment.about !== undefined) threads.set(JSON.stringify(comment.about), { thread, words })
        continue
      }
      const other = elsewhere.find((comments) => comments.some((one) => isSameComment(one, comment)))
      if (other !== undefined) {
        other.splice(
          other.findIndex((one) => isSameComment(one, comment)),
          1,
        )
        continue
      }
      const { author = space.link.author, createdAt = space.now } = comment
      const text = comment.content.slice(0, COMMENT_LENGTH)
      added.push({
        id: 0,
        block: row.n,
        author,
        content: text,
        createdAt,
        unconfirmed: null,
        ...NO_WORDS,
        ...threads.get(JSON.stringify(comment.about)),
      })
      given.push(comment)
      commented.push(row)
    }
  }
  const gone = [...present.values()].flat()
  if (gone.length > 0) await deleteComments(space.tx, gone)
  if (added.length > 0) {
    const ids = await space.newIds(added.length)
    for (const [index, comment] of added.entries()) comment.id = ids[index] ?? 0
    const texts = beginThreads(given, added, commented)
    await insertComments(space.tx, added)
    await resolveThem(space, given, added)
    await markCommented(space, [...new Set(commented)], texts)
  }
  return added.length + gone.length
}

const NO_WORDS = { thread: null, words: null } as const

/**
 * The first comment about words begins their thread, which the next ones about the same words join.
 *
 * @param rows  the block of each comment
 * @returns the texts with the marks of new threads, by the number of the block. Without the words, there is no mark
 */
function beginThreads(
  given: readonly ImportComment[],
  added: readonly NewCommentRow[],
  rows: readonly BlockRow[],
): Map<number, string> {
  const texts = new Map<number, string>()
  const threads = new Map<string, Pick<CommentRow, 'thread' | 'words'>>()
  for (const [index, comment] of added.entries()) {
    const [about, row] = [given[index]?.about, rows[index]]
    if (about === undefined || row === undefined || comment.thread !== null || about.words === '') continue
    const key = `${row.n} ${JSON.stringify(about)}`
    const known = threads.get(key)
    const thread = known ?? { thread: comment.id, words: keptWords(about.words) }
    threads.set(key, thread)
    Object.assign(comment, { thread: thread.thread, words: thread.words })
    if (known !== undefined || !traitsOf(row.type).marksComments) continue
    const text = texts.get(row.n) ?? row.text
    const places = placesOf(wordsIn(text), about.words)
    const start = places[about.place - 1] ?? places[0]
    if (start !== undefined) texts.set(row.n, markWords(text, String(comment.id), start, about.words.length))
  }
  return texts
}

async function readComments({ tx }: Space, rows: readonly BlockRow[]): Promise<Map<number, CommentRow[]>> {
  const found = new Map<number, CommentRow[]>()
  for await (const part of chunks(rows, BLOCKS_PER_BATCH)) {
    const numbers = part.map(({ n }) => n)
    for (const comment of await commentsOfBlocks(tx, numbers)) {
      addToGroup(found, comment.block, comment)
    }
  }
  return found
}

/** How many blocks' comments one query reads. */
const BLOCKS_PER_BATCH = 1_000

const isSameComment = (row: CommentRow, { content, author, createdAt }: ImportComment): boolean =>
  row.content === content.slice(0, COMMENT_LENGTH) &&
  (author === undefined || row.author === author) &&
  (createdAt === undefined || row.createdAt === createdAt)

/** Comments can only be inserted as unresolved, so resolved ones are updated afterwards. */
async function resolveThem(space: Space, given: readonly ImportComment[], added: readonly NewCommentRow[]) {
  const resolved = given.flatMap(({ resolvedAt, resolvedBy }, index) => {
    const id = added[index]?.id
    return resolvedAt === undefined || id === undefined ? [] : [{ id, resolvedAt, resolvedBy: resolvedBy ?? null }]
  })
  if (resolved.length > 0) await setCommentsResolved(space.tx, resolved)
}

/**
 * Writes reminders. They belong to a participant, so they are only imported if the connection belongs to one, and only
 * for blocks on which that participant has no reminder.
 */
export async function writeReminders(space: Space, { reminders }: ImportContent, rows: WrittenRows): Promise<void> {
  if (reminders.size === 0) return
  const participant = await space.findOwnParticipant()
  if (participant === undefined) return
  const given = [...reminders].flatMap(([block, reminder]) => {
    const n = rows.get(block)?.n
    return n === undefined ? [] : [{ n, reminder }]
  })
  const numbers = given.map(({ n }) => n)
  const present = new Set((await remindersOfBlocks(space.tx, participant, numbers)).map(({ block }) => block))
  const missing = given.filter(({ n }) => !present.has(n))
  const ids = await space.newIds(missing.length)
  const added = missing.map(({ n, reminder: { remindAt, completedAt = null } }, index) => {
    return { id: ids[index] ?? 0, participant, remindAt, completedAt, createdAt: space.now, block: n }
  })
  if (added.length > 0) await replaceReminders(space.tx, added)
}
