/** Where tasks stand: in the inbox, the logbook, a daily note or a document; and when they go from one to another. */

import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow, DocumentRow } from '../../../storage/schema.ts'
import { invalid, type ScriptoriumError } from '../../base/errors.ts'
import type { TaskInfo } from '../../markdown/block.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { visibleTitles } from '../model/block-links.ts'
import { updateRow } from '../model/block-writes.ts'
import { getOrCreateDailyNote } from '../model/daily-notes.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { getOrCreateSystemDocument } from '../model/system-documents.ts'
import { moveRows } from './move-blocks.ts'

/**
 * Where a call wants a task; `date` is a day or a word relative to today. The logbook is where a task is that was read
 * there: none is put into it but by its state.
 */
export type TaskDestination =
  | { type: 'inbox' }
  | { type: 'logbook' }
  | { type: 'dailyNote'; date: string }
  | { type: 'document'; documentId: AnyId }

/** Where an answer says that a task stands. */
export type TaskLocation =
  | { type: 'inbox' }
  | { type: 'logbook' }
  | { type: 'dailyNote'; date: string }
  | { type: 'document'; documentId: string; title: string; isDeleted?: true }

/**
 * The block at whose top tasks for this target stand; a day without a note gets one.
 *
 * @throws NOT_FOUND_ERROR for a document that there is not
 */
export async function getDestinationRoot(space: Space, destination: TaskDestination): Promise<BlockRow> {
  switch (destination.type) {
    case 'inbox':
    case 'logbook':
      return getOrCreateSystemDocument(space, destination.type)
    case 'dailyNote':
      return (await getOrCreateDailyNote(space, destination.date)).root
    case 'document':
      return space.getBlock((await space.getDocument(destination.documentId)).id)
  }
}

/**
 * Moves a task to a given location, or to where its state puts it: a closed task leaves the inbox for the logbook, an
 * open one the logbook for the inbox. It goes to the top, with all it holds; where it stands already it stays.
 *
 * @param goesToLogbook  whether it is put into the logbook wherever it stands
 */
export async function moveTask(
  space: Space,
  row: BlockRow,
  goesToLogbook = false,
  destination: TaskDestination | undefined = undefined,
): Promise<void> {
  const document = await space.documentRow(row.document)
  const place = destination?.type ?? document?.location
  const isOpen = getTaskState(row) === 'todo'
  const systemDocument = isOpen
    ? place === 'logbook' && 'inbox'
    : (place === 'inbox' || goesToLogbook) && ('logbook' as const)
  const root = systemDocument
    ? await getOrCreateSystemDocument(space, systemDocument)
    : destination && (await getDestinationRoot(space, destination))
  if (root === undefined || root.document === row.document) return
  await moveRows(space, [row], { parent: root, at: 'start' })
  if (row.indentation === 0) return
  row.indentation = 0
  await updateRow(space, row)
}

/** A task that is put into the logbook by its place, not by its state. */
export const logbookRefused = (): ScriptoriumError =>
  invalid(
    'Expected another location, found the logbook; tasks get there by being marked done or canceled: give state, and leave location out.',
  )

export const getTaskState = (row: BlockRow): TaskInfo['state'] => fieldsFromRow(row).taskInfo?.state ?? 'todo'

/** Where each of these tasks stands. */
export async function getTaskLocations(
  space: Space,
  rows: readonly BlockRow[],
): Promise<(row: BlockRow) => TaskLocation> {
  const numbers = [...new Set(rows.map(({ document }) => document))]
  const roots = new Map((await blocksByNumbers(space.tx, numbers)).map((root) => [root.n, root]))
  const titleOf = await visibleTitles(
    space,
    [...roots.values()].map(({ text }) => text),
  )
  const locations = new Map<number, TaskLocation>()
  const documents = await space.documentRows(numbers)
  for (const n of numbers) {
    const [document, root] = [documents.get(n), roots.get(n)]
    if (document !== undefined && root !== undefined)
      locations.set(n, taskLocation(document, space.spellId(root.id), titleOf(root.text)))
  }
  return ({ document }) => {
    const location = locations.get(document)
    if (location === undefined) throw new Error(`Expected the place of document ${document}.`)
    return location
  }
}

function taskLocation({ location, dailyNoteDate }: DocumentRow, documentId: string, title: string): TaskLocation {
  if (location === 'inbox' || location === 'logbook') return { type: location }
  if (location === 'daily_notes' && dailyNoteDate !== null) return { type: 'dailyNote', date: dailyNoteDate }
  const named = { type: 'document' as const, documentId, title }
  return location === 'trash' ? { ...named, isDeleted: true } : named
}
