/** Finds comments by their IDs. */
import * as stored from '../../../storage/comments.ts'
import type { CommentRow } from '../../../storage/schema.ts'
import { invalid, notFound, type ScriptoriumError } from '../../base/errors.ts'
import { type AnyId, idNumber } from '../model/ids.ts'
import { reachOf, type Space } from '../model/space.ts'

/** Returns the comments with these IDs, in the same order. @throws NOT_FOUND_ERROR for one that is not within reach */
export async function findComments(space: Space, ids: readonly AnyId[]): Promise<CommentRow[]> {
  const numbers = ids.map(idNumber)
  const duplicate = ids.find((_, index) => numbers[index] !== 0 && numbers.indexOf(numbers[index] ?? 0) < index)
  if (duplicate !== undefined) {
    throw invalid(`Expected each comment once, found ${duplicate} twice; leave one out.`)
  }
  const found = new Map(
    (await stored.commentsByIds(space.tx, reachOf(space.link), numbers)).map((row) => [row.id, row]),
  )
  const rows: CommentRow[] = []
  for (const id of ids) {
    const row = found.get(idNumber(id))
    if (row === undefined) throw await commentNotFound(space, id)
    rows.push(row)
  }
  return rows
}

async function commentNotFound(space: Space, id: AnyId): Promise<ScriptoriumError> {
  const isBlock = (await space.findReachableBlocks([idNumber(id)])).length > 0
  return notFound(
    isBlock
      ? `Expected the ID of a comment, found ${id}, which is a block's; blocks_get with fetchMetadata shows its comments.`
      : `Expected the ID of a comment within reach, found ${id}; read IDs with blocks_get and fetchMetadata, and name one of those.`,
  )
}
