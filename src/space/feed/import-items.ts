/** Shows ended imports in the feed: all of them to full connections, and to others those that wrote within their reach. */
import { documentsOfImport, IMPORT_ENDED } from '../../../storage/events.ts'
import type { EventRow } from '../../../storage/schema.ts'
import { IDS_PER_CHANGE } from '../../base/limits.ts'
import { documentNames } from '../history/change-summary.ts'
import type { ImportEndDetail } from '../import/import-end.ts'
import type { Space } from '../model/space.ts'
import type { FeedDocument } from './call-items.ts'

/** An import that ended. */
export interface ImportItem extends Partial<Pick<ImportEndDetail, 'source' | 'counts' | 'losses'>> {
  type: typeof IMPORT_ENDED
  at: string
  author: string
  client?: string
  linkId?: string
  format: string
  outcome: ImportEndDetail['outcome']
  /** How many documents within reach it wrote. */
  written: number
  /** The first of them. */
  documents: FeedDocument[]
}

export async function importItems(space: Space, rows: readonly EventRow[]): Promise<Map<number, ImportItem>> {
  const items = new Map<number, ImportItem>()
  for (const row of rows) {
    const item = await importItem(space, row)
    if (item !== undefined) items.set(row.n, item)
  }
  return items
}

async function importItem(space: Space, { at, call, subject, detail }: EventRow): Promise<ImportItem | undefined> {
  const {
    id: _id,
    // Of imports that were recorded without it, the subject is the source.
    from = subject,
    after,
    author,
    client,
    link,
    format,
    outcome,
    ...more
  } = JSON.parse(detail ?? '{}') as ImportEndDetail
  const all = await documentsOfImport(space.tx, from, after, call)
  const written = await space.reachableDocuments(all)
  const isFull = space.kind === 'full'
  if (!isFull && written.size === 0) return undefined
  const names = await documentNames(space, [...written].slice(0, IDS_PER_CHANGE))
  return {
    ...{ type: IMPORT_ENDED, at: new Date(at).toISOString(), author },
    ...(client !== undefined && { client }),
    ...(isFull && link !== undefined && { linkId: link }),
    ...{ format, outcome, ...(isFull && more), written: written.size },
    documents: [...names.values()].map(({ id, title }) => ({ documentId: space.spellId(id), title })),
  }
}

/** The ID that an import drew when it ended. Undefined for other events, and for imports that were recorded without one. */
export const importIdOf = ({ kind, detail }: EventRow): number | undefined =>
  kind === IMPORT_ENDED ? (JSON.parse(detail ?? '{}') as Partial<ImportEndDetail>).id : undefined
