/** Why a document is left as it is: it was changed here, or the space refuses it. */
import { ScriptoriumError } from '../base/errors.ts'
import type { ImportedEntry } from '../space/import/import-record.ts'

/** Suffix of the stored hash while the relations or views of a document are not written yet. */
export const PENDING = ' pending'

/** Returns why a document from an earlier import must not be overwritten, or undefined if it may be. */
export function conflictOf({ document, revision, hash }: ImportedEntry): string | undefined {
  if (document === undefined || hash === null) return undefined
  if (document.location === 'trash') {
    return 'It was thrown away here: restore it, or empty the trash, and import it again.'
  }
  if (document.revision === revision) return undefined
  return 'It changed here and in the source since it was imported: the document here is left as it is.'
}

/** True if the space rejected a single document, so that the import can continue with the others. */
export const isRefusal = (error: unknown): boolean => error instanceof ScriptoriumError && !STOPPING.has(error.code)

const STOPPING: ReadonlySet<string> = new Set([
  ...['STORAGE_FULL', 'STORAGE_UNAVAILABLE', 'CLOCK_WRONG', 'SPACE_REPLACED', 'FORBIDDEN', 'RATE_LIMITED'],
  ...['LINK_PAUSED', 'QUOTA_EXCEEDED'],
])

export const isQuotaExceeded = (error: unknown): error is ScriptoriumError =>
  error instanceof ScriptoriumError && error.code === 'QUOTA_EXCEEDED'
