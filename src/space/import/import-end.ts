/** Records in the feed that an import has ended. */
import { IMPORT_ENDED, insertEvent } from '../../../storage/events.ts'
import type { Space } from '../model/space.ts'

export const IMPORT_OUTCOMES = ['done', 'stopped', 'interrupted', 'failed'] as const

/** What an import did, as it is stored with its event. */
export interface ImportEndDetail {
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

export type ImportEnd = Omit<ImportEndDetail, 'author' | 'client' | 'link'>

/** @param source  the number of the source; 0 if nothing of it was to be imported */
export async function recordImportEnd({ tx, now, link }: Space, source: number, detail: ImportEnd): Promise<void> {
  const { author, client, id } = link
  const by = { author, ...(client !== undefined && { client }), ...(id !== undefined && { link: id }) }
  await insertEvent(tx, { kind: IMPORT_ENDED, subject: source, at: now, detail: JSON.stringify({ ...detail, ...by }) })
}
