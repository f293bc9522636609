/** Reads a block as it is now, or as it was at an earlier moment. */

import { getDailyNote } from '../model/daily-notes.ts'
import type { Space } from '../model/space.ts'
import { type GetBlockInput, getBlock } from '../reading/get-block.ts'
import { callAt, type Moment } from './call-selection.ts'
import { restorePast } from './past-documents.ts'

/** @throws NOT_FOUND_ERROR for a block that does not exist now, and for moments before it came into reach */
export async function getBlockAt(
  space: Space,
  { at, ...input }: GetBlockInput & { at?: Moment | undefined },
): ReturnType<typeof getBlock> {
  if (at === undefined) return getBlock(space, input)
  const row = input.id === undefined ? await getDailyNote(space, input.date ?? 'today') : await space.getBlock(input.id)
  await restorePast(space, row.document, await callAt(space, at))
  return getBlock(space, input)
}
