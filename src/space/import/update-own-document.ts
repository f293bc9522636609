/** Updates a document from a note of our own export that was edited, renamed or moved, as one call. */
import { blockById } from '../../../storage/blocks.ts'
import { type DocumentRecord, documentById, setDocumentPlaces, setDocumentTimes } from '../../../storage/documents.ts'
import { fileById } from '../../../storage/files.ts'
import { foldersByIds } from '../../../storage/folders.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { replacePageContent } from '../editing/edit-page.ts'
import { writeBlock } from '../editing/write-block.ts'
import { addAuditEntry } from '../model/audit-log.ts'
import type { Space } from '../model/space.ts'
import { resolveImportFolder } from './import-folders.ts'
import type { ImportDocument } from './imported-content.ts'
import { IMPORT_CALL, writeExtras } from './write-document.ts'
import { type AddedFiles, addFiles } from './write-files.ts'

/** The templates, or a folder by its ID with the names of folders below it; null for the top level. */
export type OwnPlace = { location: 'templates' } | { folder: number | null; names: readonly string[] }

export interface OwnUpdate {
  id: number
  /** As it was exported; undefined if that is not known. */
  exported: { revision: number; location: string; folder: number | null } | undefined
  /** Its new title, as inline Markdown. */
  title: string | undefined
  /** Its new place. */
  place: OwnPlace | undefined
  /** Its new content. */
  content: ImportDocument | undefined
  /** The IDs of what its files contain, by path. */
  parts: Readonly<Record<string, number | null>>
}

export interface OwnUpdated {
  /** How many blocks were added, changed, moved or deleted, and 1 each for another title and place. */
  changes: number
  /** The document after it. */
  document: DocumentRecord
}

/** A document that was changed here, too, is left as it is. The message is a sentence for the report. */
export class OwnConflict extends Error {}

export const CHANGED_HERE =
  'It changed here and in the source since it was exported: the document here is left as it is.'
export const THROWN_AWAY = 'It was thrown away here: restore it, or empty the trash, and import it again.'
const MOVED_HERE = 'It was moved here and in the source since it was exported: the document here is left as it is.'
const DAILY_NOTE = 'It is a daily note, which stays at its day: the document here is left as it is.'

/**
 * Only changed blocks are written. Those that are the same keep all that text does not carry.
 *
 * @throws OwnConflict, after which the caller rolls everything back; VALIDATION_ERROR for content that breaks a rule
 */
export async function updateOwnDocument(space: Space, update: OwnUpdate, files: AddedFiles): Promise<OwnUpdated> {
  const { id, exported, title, place, content, parts } = update
  const before = await documentById(space.tx, id)
  const root = await blockById(space.tx, id)
  if (before === undefined || root === undefined || before.location === 'trash') throw new OwnConflict(THROWN_AWAY)
  if (content !== undefined) await restoreNames(space, content, parts)
  const shown = content === undefined ? [] : await addFiles(space, content, files)
  let changes = 0
  if (content !== undefined) {
    const known = { ids: content.ids, keepsTaskTimes: true, haveAllFields: true, areExported: true }
    const made = await replacePageContent(space, root, { parsed: content.blocks }, known)
    const options = { page: root }
    changes += await writeExtras(space, content, made.rows, (row) => made.newRows.has(row), options)
    for (const list of Object.values(made.lists)) changes += list.length
  }
  if (title !== undefined && title !== root.text) {
    const current = (await blockById(space.tx, id)) ?? root
    await writeBlock(space, current, { ...fieldsFromRow(current), text: title })
    changes++
  }
  // What is the same here and there is no conflict, although both changed.
  if (changes > 0 && before.revision !== exported?.revision) throw new OwnConflict(CHANGED_HERE)
  if (changes > 0) {
    const modifiedAt = Math.max(content?.modifiedAt ?? space.now, before.createdAt, before.modifiedAt)
    await setDocumentTimes(space.tx, root.n, { createdAt: before.createdAt, modifiedAt })
  }
  if (place !== undefined && (await move(space, before, place, exported))) changes++
  if (changes > 0) await addAuditEntry(space, IMPORT_CALL, [String(id), ...shown.map(String)])
  const document = (await documentById(space.tx, id)) ?? before
  return { changes, document }
}

/** Exports give files that have the same name other ones. */
async function restoreNames(space: Space, { files }: ImportDocument, parts: OwnUpdate['parts']): Promise<void> {
  for (const file of new Set(files.values())) {
    const id = parts[file.path]
    const row = id == null ? undefined : await fileById(space.tx, id)
    if (row !== undefined) file.name = row.name
  }
}

async function move(
  space: Space,
  { n, location, folder, folderId }: DocumentRecord,
  place: OwnPlace,
  exported: OwnUpdate['exported'],
): Promise<boolean> {
  if (location === 'daily_notes' || location === 'inbox' || location === 'logbook') throw new OwnConflict(DAILY_NOTE)
  const target = await resolvePlace(space, place)
  if (target.location === location && target.folder === folder) return false
  if (exported === undefined || exported.location !== location || exported.folder !== folderId) {
    throw new OwnConflict(MOVED_HERE)
  }
  await setDocumentPlaces(space.tx, [n], { ...target, dailyNoteDate: null })
  space.forgetDocumentRows()
  return true
}

async function resolvePlace(space: Space, place: OwnPlace) {
  if ('location' in place) return { location: place.location, folder: null }
  const [found] = place.folder === null ? [] : await foldersByIds(space.tx, [place.folder])
  const folder = await resolveImportFolder(space, found?.n ?? null, place.names)
  return { location: folder === null ? 'unsorted' : 'folder', folder } as const
}
