/** Where a document in the trash was before, which its history knows. */
import { listFolderRows } from '../../../storage/folders.ts'
import { changesOfRows, type HistoryRow } from '../../../storage/history.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

/** As `documents_move` takes it. */
export type PlaceBefore = { destination: 'unsorted' | 'templates' } | { folderId: string }

/**
 * A daily note was at its day, to which restoring it to `unsorted` leads.
 *
 * @returns undefined if its folder is gone, or if history does not go back so far
 * @throws NOT_FOUND_ERROR if there is no such document within reach
 */
export async function placeBeforeTrash(space: Space, id: AnyId): Promise<PlaceBefore | undefined> {
  const { n, dailyNoteDate } = await space.getDocument(id)
  if (dailyNoteDate !== null) return { destination: 'unsorted' }
  const changes = await changesOfRows(space.tx, 'document', [n], 0)
  const last = changes
    .map(({ before }): HistoryRow => (before === null ? {} : JSON.parse(before)))
    .findLast(({ location }) => location !== undefined && location !== 'trash')
  if (last?.location === 'unsorted' || last?.location === 'templates') return { destination: last.location }
  const folder = (await listFolderRows(space.tx)).find((row) => row.n === last?.folder)
  return folder === undefined ? undefined : { folderId: space.spellId(folder.id) }
}
