/**
 * Writes an imported document, or updates one that was imported before, in a single transaction that is recorded as one
 * call.
 */
import { blockById } from '../../../storage/blocks.ts'
import { documentByNumber, latestDailyNote, setDocumentPlaces, setDocumentTimes } from '../../../storage/documents.ts'
import { listFolderRows } from '../../../storage/folders.ts'
import { setImported, setImportedHash } from '../../../storage/imports.ts'
import type { BlockRow, DocumentRow } from '../../../storage/schema.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { resolveAssignees } from '../blocks/task-assignees.ts'
import { assertNoTaskCycles } from '../blocks/task-blockers.ts'
import { replacePageContent } from '../editing/edit-page.ts'
import { insertAllBlockTrees } from '../editing/insert-blocks.ts'
import { writeBlock } from '../editing/write-block.ts'
import { addAuditEntry } from '../model/audit-log.ts'
import { createDocuments } from '../model/create-document.ts'
import { formatLongDate } from '../model/dates.ts'
import type { Space } from '../model/space.ts'
import { resolveImportFolder } from './import-folders.ts'
import type { SourceContent } from './import-record.ts'
import type { ImportContent, ImportDocument, ImportPlace } from './imported-content.ts'
import { writeCollections } from './write-collections.ts'
import { insertedRows, type WrittenRows, writeComments, writeDrawings, writeReminders } from './write-extras.ts'
import { type AddedFiles, addFiles } from './write-files.ts'
import { writeSource } from './write-source.ts'

/** The origin of a document: its source, its path there, and a hash of everything it was made from. */
export interface Origin {
  source: number
  path: string
  hash: string
  content?: SourceContent | undefined
}

export interface WrittenDocument {
  /** How many blocks were added. */
  blocks: number
  /** Its number and its revision. */
  document: number
  revision: number
  /** True if a daily note became an ordinary document because its day already had a note. */
  isDayTaken: boolean
}

/** The name of imports in the audit log. */
export const IMPORT_CALL = 'import'

/**
 * Adds a document.
 *
 * @param id  its reserved ID
 * @param into  the folder to use in place of the top level; null for none
 * @throws VALIDATION_ERROR if the content breaks a rule of the space
 */
export async function addImportedDocument(
  space: Space,
  id: number,
  document: ImportDocument,
  files: AddedFiles,
  origin: Origin,
  into: number | null,
): Promise<WrittenDocument> {
  const { createdAt = document.modifiedAt ?? space.now } = document
  const { modifiedAt = createdAt } = document
  const then = space.atTime(createdAt)
  const { place, title, isDayTaken } = await resolvePlace(space, document, into)
  const [root] = await createDocuments(then, [title], place, [id])
  if (root === undefined) throw new Error('Expected the root of an imported document.')
  const shown = await addFiles(then, document, files)
  await resolveAssignees(space, document.blocks)
  const known = { ids: document.ids, keepsTaskTimes: true }
  const [inserted = []] = await insertAllBlockTrees(
    then,
    [{ blocks: document.blocks, target: { parent: root, at: 'end' }, isEmpty: true }],
    known,
  )
  const rows = insertedRows(document.blocks, inserted)
  await writeExtras(then, document, rows, () => true)
  await setDocumentTimes(space.tx, root.n, { createdAt, modifiedAt: Math.max(createdAt, modifiedAt) })
  const revision = await noteImported(space, root, origin)
  await writeSource(space, root.document, document)
  await addAuditEntry(space, IMPORT_CALL, [String(id), ...shown.map(String)])
  return { blocks: then.blocksCreated, document: root.n, revision, isDayTaken }
}

/**
 * Writes the data of blocks that is not stored in their fields.
 *
 * @throws VALIDATION_ERROR if tasks would wait for themselves
 * @param options.page  the page that they are all of, if comments may have moved from one of its blocks to another
 * @returns how many changes this made to existing blocks
 */
export async function writeExtras(
  space: Space,
  document: ImportContent,
  rows: WrittenRows,
  isNew: (row: BlockRow) => boolean,
  options: { page?: BlockRow } = {},
): Promise<number> {
  const waiting = [...rows].flatMap(([{ blockedBy = [] }, row]) => (blockedBy.length > 0 ? { row, path: '' } : []))
  if (waiting.length > 0) await assertNoTaskCycles(space, waiting)
  const changed = await writeCollections(space, document, rows, isNew)
  const drawn = await writeDrawings(space, document, rows, isNew)
  const commented = await writeComments(space, document, rows, isNew, options)
  await writeReminders(space, document, rows)
  return changed + drawn + commented
}

/**
 * Updates a document that was imported before to the current content of its source, with as few changes as possible.
 *
 * @param formerPath  the path that its file had, if that changed. The document is moved to the folder of its file if it
 *   was in the folder of the earlier path
 * @returns how many blocks were added, changed, moved or deleted. If none were, no call is logged.
 * @throws VALIDATION_ERROR as {@link addImportedDocument} does
 */
export async function updateImportedDocument(
  space: Space,
  id: number,
  document: ImportDocument,
  files: AddedFiles,
  origin: Origin,
  formerPath?: string,
): Promise<number> {
  const root = await blockById(space.tx, id)
  if (root === undefined) throw new Error(`Expected the imported document ${id}.`)
  const before = await documentByNumber(space.tx, root.document)
  const shown = await addFiles(space, document, files)
  await resolveAssignees(space, document.blocks)
  const known = { ids: document.ids, keepsTaskTimes: true, haveAllFields: true }
  const changes = await replacePageContent(space, root, { parsed: document.blocks }, known)
  const isRenamed = !('day' in document.place) && (await rename(space, root, document.title))
  const isMoved = formerPath !== undefined && (await followFile(space, before, document.place, formerPath))
  const extras = await writeExtras(space, document, changes.rows, (row) => changes.newRows.has(row))
  const count = Object.values(changes.lists).reduce(
    (sum, { length }) => sum + length,
    extras + (isRenamed ? 1 : 0) + (isMoved ? 1 : 0),
  )
  if (count > 0) {
    const modifiedAt = Math.max(document.modifiedAt ?? space.now, before?.createdAt ?? 0)
    await setDocumentTimes(space.tx, root.n, { createdAt: before?.createdAt ?? space.now, modifiedAt })
    await addAuditEntry(space, IMPORT_CALL, [String(id), ...shown.map(String)])
  }
  await noteImported(space, root, origin)
  await writeSource(space, root.document, document)
  return count
}

async function rename(space: Space, root: BlockRow, title: string): Promise<boolean> {
  const text = titleFromPlain(title)
  if (root.text === text) return false
  await writeBlock(space, root, { ...fieldsFromRow(root), text })
  return true
}

/** Moves a document as its file was moved, unless it was moved here to another folder. */
async function followFile(
  space: Space,
  document: DocumentRow | undefined,
  place: ImportPlace,
  formerPath: string,
): Promise<boolean> {
  if (document === undefined || !('folder' in place) || !['unsorted', 'folder'].includes(document.location))
    return false
  const around = await folderAbove(space, document.folder, formerPath.split('/').slice(0, -1))
  if (around === undefined) return false
  const folder = await resolveImportFolder(space, around.folder, place.folder)
  if (folder === document.folder) return false
  const location = folder === null ? 'unsorted' : 'folder'
  await setDocumentPlaces(space.tx, [document.n], { location, folder, dailyNoteDate: null })
  space.forgetDocumentRows()
  return true
}

/** The folder that the source was imported into: names below it lead to a folder. Undefined if they do not. */
async function folderAbove({ tx }: Space, folder: number | null, names: readonly string[]) {
  const rows = new Map((await listFolderRows(tx)).map((row) => [row.n, row]))
  let current = folder
  for (const name of names.toReversed()) {
    const row = rows.get(current ?? 0)
    if (row === undefined || row.name !== name.slice(0, TITLE_LENGTH)) return undefined
    current = row.parent
  }
  return { folder: current }
}

async function noteImported(space: Space, root: BlockRow, { source, path, hash, content }: Origin): Promise<number> {
  const { revision = 0 } = (await documentByNumber(space.tx, root.document)) ?? {}
  const { hash: contentHash = null, sketch = null } = content ?? {}
  await setImported(space.tx, {
    ...{ source, path, document: root.document, hash, revision },
    ...{ content: contentHash, sketch },
  })
  return revision
}

/** Returns the location and title of a document. The title of a daily note is its date in words. */
async function resolvePlace(space: Space, { title, place }: ImportDocument, into: number | null) {
  const folder = (names: readonly string[]) => resolveImportFolder(space, into, names)
  const ordinary = async (names: readonly string[]) => {
    const n = await folder(names)
    return { location: n === null ? 'unsorted' : 'folder', folder: n, dailyNoteDate: null } as const
  }
  if ('location' in place) {
    return { place: { ...place, folder: null, dailyNoteDate: null }, title, isDayTaken: false }
  }
  if ('folder' in place) return { place: await ordinary(place.folder), title, isDayTaken: false }
  const { day } = place
  if ((await latestDailyNote(space.tx, day)) !== undefined) {
    return { place: await ordinary([]), title, isDayTaken: true }
  }
  const note = { location: 'daily_notes', folder: null, dailyNoteDate: day } as const
  return { place: note, title: formatLongDate(day), isDayTaken: false }
}

/** Records that everything in the source of a document has been written. */
export const noteComplete = (space: Space, origin: Origin): Promise<void> => setImportedHash(space.tx, origin)
