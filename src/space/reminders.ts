/**
 * Reminders: a time at which a participant wants to hear of a block. They are independent of the dates of tasks.
 * Source: the interface, "Reminders" and "Authentication", and its shapes, 4.
 */
import { blocksByNumbers } from '../../storage/blocks.ts'
import {
  blocksWithReminder,
  deleteReminder,
  dueReminders as findDue,
  isAnyDue,
  listReminders as list,
  type ReminderRecord,
  type ReminderScope,
  type ReminderStatus,
  reminderById,
  replaceReminder,
  updateReminder,
} from '../../storage/reminders.ts'
import type { BlockRow } from '../../storage/schema.ts'
import { eachInTurn } from '../breathe.ts'
import { invalid, notFound, ScriptoriumError } from '../errors.ts'
import { DUE_REMINDERS } from '../limits.ts'
import { beginningOf } from '../markdown/title.ts'
import { mayDelete, refuseDeletion } from './access.ts'
import { openCursor, sealCursor } from './cursors.ts'
import { moment } from './dates.ts'
import { visibleTexts } from './links.ts'
import { reachOf, type Space } from './space.ts'

export const STATUSES = ['incomplete', 'completed', 'upcoming', 'all'] as const satisfies readonly ReminderStatus[]

export interface ReminderAnswer {
  id: string
  /** The words of the block. */
  title: string
  blockId: string
  isCompleted: boolean
  remindAt?: string
  completedAt?: string
}

/** Whose reminders the connection may see: its participant's, within its reach. @throws REMINDERS_UNAVAILABLE */
export async function reminderScope(space: Space): Promise<ReminderScope> {
  return { participant: await space.ownParticipant(), reach: reachOf(space.link) }
}

interface Listing {
  status: ReminderStatus
  limit: number
  cursor?: string | undefined
}

/** @throws CURSOR_INVALID for a cursor that was changed, or belongs to another status */
export async function listReminders(space: Space, { status, limit, cursor }: Listing) {
  const scope = await reminderScope(space)
  const asked = ['reminders_list', status]
  const after = cursor === undefined ? undefined : placeAt(openCursor(space.info.secret, asked, cursor))
  const found = await list(space.tx, scope, status, space.now, after, limit + 1)
  const records = found.slice(0, limit)
  const items = await answerReminders(space, records)
  const last = records.at(-1)
  if (last === undefined || found.length === records.length) return { items }
  return { items, pagination: { cursor: sealCursor(space.info.secret, asked, `${last.createdAt} ${last.id}`) } }
}

function placeAt(text: string): { createdAt: number; id: string } {
  const [createdAt, id = ''] = text.split(' ')
  return { createdAt: Number(createdAt), id }
}

export interface NewReminder {
  blockId: string
  /** Milliseconds since 1970; none to save for later. */
  remindAt?: number | null | undefined
}

/**
 * @throws NOT_FOUND_ERROR for a block out of reach; VALIDATION_ERROR for a time that is past, or a block named twice;
 *   FORBIDDEN for a block that has a reminder, which would be replaced, where the link may not delete
 */
export async function addReminders(space: Space, reminders: readonly NewReminder[]) {
  const participant = await space.ownParticipant()
  const rows = await space.blocks(reminders.map(({ blockId }) => blockId))
  if (rows.length < reminders.length)
    throw invalid(namedTwice('block', firstTwice(reminders.map((one) => one.blockId))))
  if (!mayDelete(space.link)) await refuseReplaced(space, participant, rows)
  const records: ReminderRecord[] = []
  for await (const [index, row] of eachInTurn(rows.entries())) {
    const { remindAt = null } = reminders[index] ?? {}
    if (remindAt !== null) refusePast(space, remindAt)
    const set = { id: space.newId(), block: row.n, participant, remindAt, completedAt: null, createdAt: space.now }
    records.push({ ...(await replaceReminder(space.tx, set)), blockId: row.id, document: row.document })
  }
  return { items: await answerReminders(space, records) }
}

async function refuseReplaced(space: Space, participant: number, rows: readonly BlockRow[]): Promise<void> {
  const numbers = rows.map(({ n }) => n)
  const taken = new Set(await blocksWithReminder(space.tx, participant, numbers))
  const first = rows.find(({ n }) => taken.has(n))
  refuseDeletion(space.link, taken.size, {
    expected: 'blocks without a reminder',
    found: `${taken.size} with one, the first ${first?.id}`,
    instead: 'change what they have with reminders_update',
  })
}

export interface ReminderUpdate {
  id: string
  remindAt?: number | null | undefined
  isCompleted?: boolean | undefined
}

/**
 * A new time reopens a reminder, unless it is completed by the same update.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a time that is past, or a reminder named twice
 */
export async function updateReminders(space: Space, updates: readonly ReminderUpdate[]) {
  const scope = await reminderScope(space)
  const twice = firstTwice(updates.map(({ id }) => id))
  if (twice !== undefined) throw invalid(namedTwice('reminder', twice))
  const records: ReminderRecord[] = []
  for await (const { id, remindAt, isCompleted } of eachInTurn(updates)) {
    const record = await findReminder(space, scope, id)
    const isChanged = remindAt !== undefined && remindAt !== record.remindAt
    if (isChanged) {
      if (remindAt !== null) refusePast(space, remindAt)
      record.remindAt = remindAt
    }
    if (isCompleted === true) record.completedAt ??= space.now
    else if (isCompleted === false || isChanged) record.completedAt = null
    await updateReminder(space.tx, record)
    records.push(record)
  }
  return { items: await answerReminders(space, records) }
}

/** Their blocks stay. @throws NOT_FOUND_ERROR */
export async function deleteReminders(space: Space, ids: readonly string[]) {
  const scope = await reminderScope(space)
  const items = [...new Set(ids)]
  for await (const id of eachInTurn(items)) await deleteReminder(space.tx, (await findReminder(space, scope, id)).n)
  return { items }
}

/** The reminders whose time has come, the earliest first; none where reminders are not available. */
export async function dueReminders(space: Space): Promise<ReminderAnswer[]> {
  try {
    const scope = await reminderScope(space)
    if (!(await isAnyDue(space.tx, scope.participant, space.now))) return []
    return await answerReminders(space, await findDue(space.tx, scope, space.now, DUE_REMINDERS))
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'REMINDERS_UNAVAILABLE') return []
    throw error
  }
}

async function findReminder(space: Space, scope: ReminderScope, id: string): Promise<ReminderRecord> {
  const record = await reminderById(space.tx, scope, id)
  if (record !== undefined) return record
  const isBlock = (await space.reachable([id])).length > 0
  throw notFound(
    isBlock
      ? `Expected the ID of a reminder, found ${id}, which is a block's; reminders_list gives the ID of its reminder.`
      : `Expected the ID of a reminder within reach, found ${id}; read IDs with reminders_list and name one of those.`,
  )
}

function refusePast({ now }: Space, remindAt: number): void {
  if (remindAt > now) return
  throw invalid(
    `Expected a time to come, found ${moment(remindAt)}, which is past (it is ${moment(now)}); leave remindAt out to save for later.`,
  )
}

const firstTwice = (ids: readonly string[]): string | undefined => ids.find((id, index) => ids.indexOf(id) < index)
const namedTwice = (noun: string, id: string | undefined) =>
  `Expected each ${noun} once, found ${id} twice; leave one out.`

async function answerReminders(space: Space, records: readonly ReminderRecord[]): Promise<ReminderAnswer[]> {
  const rows = await blocksByNumbers(
    space.tx,
    records.map(({ block }) => block),
  )
  const visible = await visibleTexts(space, rows)
  const byNumber = new Map(rows.map((row) => [row.n, row]))
  return records.map(({ id, block, blockId, remindAt, completedAt }) => {
    const row = byNumber.get(block)
    return {
      id,
      title: row === undefined ? '' : titleOf(row, visible(row)),
      blockId,
      isCompleted: completedAt !== null,
      ...(remindAt !== null && { remindAt: moment(remindAt) }),
      ...(completedAt !== null && { completedAt: moment(completedAt) }),
    }
  })
}

/** What a reader sees of the block on one line. */
function titleOf({ type }: BlockRow, text: string): string {
  const plain = type === 'code' || type === 'table' ? text : beginningOf(text)
  return plain.replace(/\s+/g, ' ').trim()
}
