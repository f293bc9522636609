/** Records in the feed that an import has ended. */
import { IMPORT_ENDED, insertEvent } from '../../../storage/events.ts'
import type { Space } from '../model/space.ts'

export const IMPORT_OUTCOMES = ['done', 'stopped', 'interrupted', 'failed'] as const

/** What an import did, as it is stored with its event. */
export interface ImportEndDetail {
  /** Drawn for this import, so that its event differs from others of the same source and time. Never shown. */
  id?: number
  /** The number of the source; 0 if nothing of it was to be imported. Never shown. */
  from?: number
  /** The last call before it, by number. */
  after: number
  outcome: (typeof IMPORT_OUTCOMES)[number]
  source: string
  format: string
  counts: { added: number; updated: number; unchanged: number; deleted: number; conflicts: number; failed: number }
  /** How often something was not imported unchanged, by the kind of loss. */
  losses: Record<string, number>
  author: string
  client?: string
  link?: string
}

export type ImportEnd = Omit<ImportEndDetail, 'id' | 'from' | 'author' | 'client' | 'link'>

/** @param source  the number of the source; 0 if nothing of it was to be imported */
export async function recordImportEnd(space: Space, source: number, end: ImportEnd): Promise<void> {
  const { tx, now, link, chance } = space
  const { author, client, id } = link
  const by = { author, ...(client !== undefined && { client }), ...(id !== undefined && { link: id }) }
  const importId = chance.generateCallId()
  const detail: ImportEndDetail = { ...end, ...by, id: importId, from: source }
  await insertEvent(tx, { kind: IMPORT_ENDED, subject: importId, at: now, detail: JSON.stringify(detail) })
}
