/** Locations of tasks (inbox, logbook, daily note or document), and moves between them. */

import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow, DocumentRow } from '../../../storage/schema.ts'
import { invalid, type ScriptoriumError } from '../../base/errors.ts'
import type { TaskInfo } from '../../markdown/block.ts'
import { columnsFromFields, fieldsFromRow } from '../blocks/block-rows.ts'
import { visibleTitles } from '../model/block-links.ts'
import { updateRow } from '../model/block-writes.ts'
import { getOrCreateDailyNote } from '../model/daily-notes.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { getOrCreateSystemDocument } from '../model/system-documents.ts'
import { moveRows } from './move-blocks.ts'

/**
 * The location in which a call puts a task. `date` is a day or a word relative to today. The logbook is only valid for
 * tasks that were read there: tasks enter it by their state alone.
 */
export type TaskDestination =
  | { type: 'inbox' }
  | { type: 'logbook' }
  | { type: 'dailyNote'; date: string }
  | { type: 'document'; documentId: AnyId }

/** The location of a task, as answers show it. */
export type TaskLocation =
  | { type: 'inbox' }
  | { type: 'logbook' }
  | { type: 'dailyNote'; date: string }
  | { type: 'document'; documentId: string; title: string; isDeleted?: true }

/**
 * Returns the block whose first children are the tasks of this location. Creates the daily note if the day has none.
 *
 * @throws NOT_FOUND_ERROR for a document that does not exist
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
 * Moves a task to the given location, or to the one that its state requires: a closed task moves from the inbox to the
 * logbook, an open one from the logbook to the inbox. It is placed at the top, with all its content. A task that is in
 * the location already stays in its place.
 *
 * @param goesToLogbook  true to move the task to the logbook wherever it is
 * @param beforeMove  writes what is not written yet, as a move reads the rows again
 */
export async function moveTask(
  space: Space,
  row: BlockRow,
  goesToLogbook = false,
  destination: TaskDestination | undefined = undefined,
  beforeMove: () => Promise<void> = async () => undefined,
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
  await beforeMove()
  await moveRows(space, [row], { parent: root, at: 'start' })
  if (row.indentation === 0) return
  const { indentationLevel: _, ...fields } = fieldsFromRow(row)
  Object.assign(row, columnsFromFields(fields))
  await updateRow(space, row)
}

/** The error for a task that is put into the logbook by location instead of by its state. */
export const logbookRefused = (): ScriptoriumError =>
  invalid(
    'Expected another location, found the logbook; tasks get there by being marked done or canceled: give state, and leave location out.',
  )

export const getTaskState = (row: BlockRow): TaskInfo['state'] => fieldsFromRow(row).taskInfo?.state ?? 'todo'

/** Returns the location of each of these tasks. */
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
