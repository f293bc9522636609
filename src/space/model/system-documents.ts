/**
 * System documents: the inbox and the logbook, which hold the tasks that are in no other document. They are created
 * when first needed and no listing shows them. They hold only tasks, because nothing would ever find other blocks
 * there.
 */
import { blockById } from '../../../storage/blocks.ts'
import { systemDocument } from '../../../storage/documents.ts'
import { type BlockRow, SYSTEM_DOCUMENTS, type SystemDocument } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { createDocument } from './create-document.ts'
import { isSystemDocument, type Space } from './space.ts'

/** What every reader of a space has them as. Pages name them in their language. */
export const SYSTEM_DOCUMENT_TITLES: Record<SystemDocument, string> = { inbox: 'Inbox', logbook: 'Logbook' }

/** The root of the inbox or of the logbook, created if it does not exist. */
export async function getOrCreateSystemDocument(space: Space, location: SystemDocument): Promise<BlockRow> {
  const found = await systemDocument(space.tx, location)
  const root = found && (await blockById(space.tx, found.id))
  return (
    root ?? createDocument(space, SYSTEM_DOCUMENT_TITLES[location], { location, folder: null, dailyNoteDate: null })
  )
}

/** The inbox and the logbook, by the IDs of their roots. */
export async function systemDocumentIds(space: Space): Promise<ReadonlyMap<string, SystemDocument>> {
  const ids = new Map<string, SystemDocument>()
  for (const location of SYSTEM_DOCUMENTS) {
    const found = await systemDocument(space.tx, location)
    if (found !== undefined) ids.set(space.spellId(found.id), location)
  }
  return ids
}

/**
 * @param parent  the future parent of the blocks
 * @throws VALIDATION_ERROR for blocks other than tasks directly in the inbox or the logbook
 */
export async function assertOnlyTasks(
  space: Space,
  parent: BlockRow,
  blocks: readonly { listStyle?: BlockFields['listStyle'] | string | null }[],
): Promise<void> {
  if (parent.parent !== null || blocks.every(({ listStyle }) => listStyle === 'task')) return
  const document = await space.documentRow(parent.document)
  if (document === undefined || !isSystemDocument(document)) return
  throw invalid(
    `Expected tasks in the ${document.location}, found a block that is none; put it into a document or a daily note.`,
  )
}
