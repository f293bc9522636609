/** Counts the comments of exported documents, for exports that leave them out. */
import { countComments } from '../../../storage/comments.ts'
import type { DocumentRecord } from '../../../storage/documents.ts'
import type { Space } from '../model/space.ts'

export const countExportedComments = (space: Space, records: readonly DocumentRecord[]): Promise<number> =>
  countComments(
    space.tx,
    records.map(({ n }) => n),
  )
