/**
 * Reminders: a time at which a participant wants to be notified about a block. They are independent of the dates of
 * tasks. Source: the interface, "Reminders" and "Authentication", and its shapes, 4.
 */

import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { ReminderRecord, ReminderScope, ReminderStatus } from '../../../storage/reminders.ts'
import * as stored from '../../../storage/reminders.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid, notFound, ScriptoriumError } from '../../base/errors.ts'
import { DUE_REMINDERS_PER_ANSWER } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { truncateTitle } from '../../markdown/inline-title.ts'
import { assertDeletionAllowed, canDelete } from '../model/access.ts'
import { visibleTexts } from '../model/block-links.ts'
import { decodeCursor, encodeCursor } from '../model/cursors.ts'
import { formatTimestamp } from '../model/dates.ts'
import { type AnyId, idNumber, uniqueIds } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import { checkUnchanged } from '../model/read-only.ts'
import { reachOf, type Space } from '../model/space.ts'

export const REMINDER_STATUSES = [
  'incomplete',
  'completed',
  'upcoming',
  'all',
] as const satisfies readonly ReminderStatus[]

export interface ReminderAnswer {
  id: string
  /** The text of the block. */
  title: string
  blockId: string
  isCompleted: boolean
  remindAt?: string
  completedAt?: string
}

/**
 * Returns the reminders that the connection may see: those of its participant, within its reach.
 *
 * @throws REMINDERS_UNAVAILABLE
 */
export async function resolveReminderScope(space: Space): Promise<ReminderScope> {
  return { participant: await space.getOwnParticipant(), reach: reachOf(space.link) }
}

interface ReminderListInput {
  status: ReminderStatus
  limit: number
  cursor?: string | undefined
}

/** @throws CURSOR_INVALID for a cursor that was changed, or belongs to another status */
export async function listReminders(space: Space, { status, limit, cursor }: ReminderListInput) {
  const scope = await resolveReminderScope(space)
  const query = ['reminders_list', status]
  const after = cursor === undefined ? undefined : parseListPosition(decodeCursor(space.info.secret, query, cursor))
  const found = await stored.listReminders(space.tx, scope, status, space.now, after, limit + 1)
  const records = found.slice(0, limit)
  const items = await reminderAnswers(space, records)
  const last = records.at(-1)
  if (last === undefined || found.length === records.length) return { items }
  return { items, pagination: { cursor: encodeCursor(space.info.secret, query, `${last.createdAt} ${last.n}`) } }
}

function parseListPosition(text: string): { createdAt: number; n: number } {
  const [createdAt, n] = text.split(' ')
  return { createdAt: Number(createdAt), n: Number(n) }
}

export interface NewReminder {
  blockId: AnyId
  /** Milliseconds since 1970. Absent or null to save for later. */
  remindAt?: number | null | undefined
  /** As the caller read it. It cannot be set. */
  title?: unknown
  isCompleted?: unknown
  completedAt?: unknown
}

/**
 * @throws NOT_FOUND_ERROR for a block out of reach; VALIDATION_ERROR for a time in the past, or a block that is named
 *   twice; FORBIDDEN for a block that already has a reminder, which would be replaced, if the link may not delete
 */
export async function addReminders(space: Space, reminders: readonly NewReminder[]) {
  const participant = await space.getOwnParticipant()
  const errors = new InputErrors()
  for (const [index, { isCompleted, completedAt }] of reminders.entries()) {
    if ((isCompleted ?? false) !== false || completedAt != null) errors.add(`reminders[${index}]`, COMPLETED_MESSAGE)
  }
  errors.throwIfAny()
  const rows = await space.getBlocks(reminders.map(({ blockId }) => blockId))
  if (rows.length < reminders.length)
    throw invalid(duplicateMessage('block', findDuplicate(reminders.map((one) => one.blockId))))
  if (!canDelete(space.link)) await assertNoRemindersReplaced(space, participant, rows)
  const ids = await space.newIds(rows.length)
  const records: Omit<ReminderRecord, 'n'>[] = []
  for await (const [index, row] of iterateCooperatively(rows.entries())) {
    const { remindAt = null } = reminders[index] ?? {}
    if (remindAt !== null) assertFuture(space, remindAt)
    const reminder = {
      id: ids[index] ?? 0,
      block: row.n,
      participant,
      remindAt,
      completedAt: null,
      createdAt: space.now,
    }
    records.push({ ...reminder, blockId: row.id, document: row.document })
  }
  await stored.replaceReminders(space.tx, records)
  const items = await reminderAnswers(space, records)
  assertTitlesAsRead(items, reminders, 'reminders')
  return { items }
}

const COMPLETED_MESSAGE =
  'Expected a reminder to set, found one that is completed; leave isCompleted and completedAt out, and complete it with reminders_update.'

/** Refuses titles that differ from the text of the block, since that is the title of a reminder. */
function assertTitlesAsRead(
  answers: readonly ReminderAnswer[],
  inputs: readonly { title?: unknown }[],
  path: string,
): void {
  const errors = new InputErrors()
  for (const [index, { title }] of inputs.entries()) {
    checkUnchanged(title, answers[index]?.title, {
      key: 'title',
      advice: 'change the block with blocks_update',
      path: `${path}[${index}]`,
      errors,
    })
  }
  errors.throwIfAny()
}

async function assertNoRemindersReplaced(space: Space, participant: number, rows: readonly BlockRow[]): Promise<void> {
  const numbers = rows.map(({ n }) => n)
  const withReminder = new Set(await stored.blocksWithReminder(space.tx, participant, numbers))
  const first = rows.find(({ n }) => withReminder.has(n))
  assertDeletionAllowed(space.link, withReminder.size, {
    expected: 'blocks without a reminder',
    found: `${withReminder.size} with one, the first ${first && space.spellId(first.id)}`,
    instead: 'change what they have with reminders_update',
  })
}

export interface ReminderUpdate {
  id: AnyId
  remindAt?: number | null | undefined
  isCompleted?: boolean | undefined
  /** As the caller read it. It cannot be set. */
  title?: unknown
  blockId?: unknown
  completedAt?: unknown
}

/**
 * A new time reopens a reminder, unless the same update completes it.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a time in the past, or a reminder that is named twice
 */
export async function updateReminders(space: Space, updates: readonly ReminderUpdate[]) {
  const scope = await resolveReminderScope(space)
  const duplicate = findDuplicate(updates.map(({ id }) => id))
  if (duplicate !== undefined) throw invalid(duplicateMessage('reminder', duplicate))
  const records: ReminderRecord[] = []
  const find = await reminderFinder(
    space,
    scope,
    updates.map(({ id }) => id),
  )
  const errors = new InputErrors()
  for await (const [index, { id, remindAt, isCompleted, blockId, completedAt }] of iterateCooperatively(
    updates.entries(),
  )) {
    const record = await find(id)
    const path = `remindersToUpdate[${index}]`
    checkUnchanged(blockId, space.spellId(record.blockId), {
      key: 'blockId',
      advice: 'set a reminder on another block with reminders_add',
      path,
      errors,
    })
    const stamp = record.completedAt === null ? undefined : formatTimestamp(record.completedAt)
    checkUnchanged(completedAt, stamp, {
      key: 'completedAt',
      advice: 'leave it out and change isCompleted, which stamps it',
      path,
      errors,
    })
    const isChanged = remindAt !== undefined && remindAt !== record.remindAt
    if (isChanged) {
      if (remindAt !== null) assertFuture(space, remindAt)
      record.remindAt = remindAt
    }
    if (isCompleted === true) record.completedAt ??= space.now
    else if (isCompleted === false || isChanged) record.completedAt = null
    records.push(record)
  }
  errors.throwIfAny()
  await stored.updateReminders(space.tx, records)
  const items = await reminderAnswers(space, records)
  assertTitlesAsRead(items, updates, 'remindersToUpdate')
  return { items }
}

/** Deletes reminders, but not their blocks. @throws NOT_FOUND_ERROR */
export async function deleteReminders(space: Space, ids: readonly AnyId[]) {
  const scope = await resolveReminderScope(space)
  const items = uniqueIds(ids)
  const find = await reminderFinder(space, scope, items)
  const numbers: number[] = []
  for (const id of items) numbers.push((await find(id)).n)
  await stored.deleteReminders(space.tx, numbers)
  return { items: items.map((id) => space.spellId(idNumber(id))) }
}

/** Returns the due reminders, the earliest first. Returns none if reminders are not available. */
export async function listDueReminders(space: Space): Promise<ReminderAnswer[]> {
  try {
    const scope = await resolveReminderScope(space)
    if (!(await stored.hasDueReminder(space.tx, scope.participant, space.now))) return []
    return await reminderAnswers(space, await stored.dueReminders(space.tx, scope, space.now, DUE_REMINDERS_PER_ANSWER))
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'REMINDERS_UNAVAILABLE') return []
    throw error
  }
}

/**
 * Reads these reminders, and returns a function that returns one of them.
 *
 * @throws NOT_FOUND_ERROR when that is called
 */
async function reminderFinder(
  space: Space,
  scope: ReminderScope,
  ids: readonly AnyId[],
): Promise<(id: AnyId) => Promise<ReminderRecord>> {
  const records = new Map(
    (await stored.remindersByIds(space.tx, scope, ids.map(idNumber))).map((record) => [record.id, record]),
  )
  return async (id) => {
    const record = records.get(idNumber(id))
    if (record !== undefined) return record
    const isBlock = (await space.findReachableBlocks([idNumber(id)])).length > 0
    throw notFound(
      isBlock
        ? `Expected the ID of a reminder, found ${id}, which is a block's; reminders_list gives the ID of its reminder.`
        : `Expected the ID of a reminder within reach, found ${id}; read IDs with reminders_list and name one of those.`,
    )
  }
}

function assertFuture({ now }: Space, remindAt: number): void {
  if (remindAt > now) return
  throw invalid(
    `Expected a time to come, found ${formatTimestamp(remindAt)}, which is past (it is ${formatTimestamp(now)}); leave remindAt out to save for later.`,
  )
}

const findDuplicate = (ids: readonly AnyId[]): AnyId | undefined => {
  const numbers = ids.map(idNumber)
  return ids.find((_, index) => numbers.indexOf(numbers[index] ?? 0) < index)
}
const duplicateMessage = (noun: string, id: AnyId | undefined) =>
  `Expected each ${noun} once, found ${id} twice; leave one out.`

async function reminderAnswers(space: Space, records: readonly Omit<ReminderRecord, 'n'>[]): Promise<ReminderAnswer[]> {
  const rows = await blocksByNumbers(
    space.tx,
    records.map(({ block }) => block),
  )
  const visible = await visibleTexts(space, rows)
  const byNumber = new Map(rows.map((row) => [row.n, row]))
  space.seenRows.show(records.map(({ id }) => id))
  return records.map(({ id, block, blockId, remindAt, completedAt }) => {
    const row = byNumber.get(block)
    return {
      id: space.spellId(id),
      title: row === undefined ? '' : reminderTitle(row, visible(row)),
      blockId: space.spellId(blockId),
      isCompleted: completedAt !== null,
      ...(remindAt !== null && { remindAt: formatTimestamp(remindAt) }),
      ...(completedAt !== null && { completedAt: formatTimestamp(completedAt) }),
    }
  })
}

/** The visible text of the block on one line. */
function reminderTitle({ type }: BlockRow, text: string): string {
  const kind = traitsOf(type).text
  const plain = kind === 'code' || kind === 'table' ? text : truncateTitle(text)
  return plain.replace(/\s+/g, ' ').trim()
}
