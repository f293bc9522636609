/** Errors for IDs of nothing within reach. */
import type { CONNECTION_KINDS } from '../../../storage/schema.ts'
import { notFound, type ScriptoriumError } from '../../base/errors.ts'
import { type AnyId, isTitleLike } from './ids.ts'

type ConnectionKind = (typeof CONNECTION_KINDS)[number]

export const blockNotFound = (kind: ConnectionKind, id: AnyId): ScriptoriumError =>
  notFound(`Expected the ID of a block within reach, found ${id}; ${adviceOn(kind, id, 'blocks_get')}.`)

export const documentNotFound = (kind: ConnectionKind, id: AnyId): ScriptoriumError =>
  notFound(`Expected the ID of a document within reach, found ${id}; ${adviceOn(kind, id, 'documents_list')}.`)

/** @param list  the tool that shows IDs */
function adviceOn(kind: ConnectionKind, id: AnyId, list: string): string {
  if (!isTitleLike(String(id))) return `read IDs with ${list} and name one of those`
  return `that is no ID, so find it by its words with ${kind === 'daily' ? 'daily_notes_search' : 'documents_search'}`
}
