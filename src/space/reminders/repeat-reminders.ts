/**
 * Reminders of repeating tasks: `repeat.reminder` says at which minute of the day on which a task is due one is set.
 * It goes along with the task to its next date. One that somebody set otherwise is left alone.
 */
import * as stored from '../../../storage/reminders.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { momentOnDay } from '../model/dates.ts'
import type { Space } from '../model/space.ts'
import { dueDate } from '../schedule/normalize-task.ts'
import type { Repeat } from '../schedule/repeats.ts'

/** Minutes from midnight where the rule does not say: nine o'clock. */
const DEFAULT_OFFSET = 540
/** A year: what lies further off is not a minute of a day. */
const MAX_OFFSET = 525_600

type Task = Pick<BlockFields, 'listStyle' | 'taskInfo'>

/** When the reminder of a task is due, in milliseconds since 1970; none of a task that is closed or has no date. */
function reminderTime(space: Space, { listStyle, taskInfo }: Task): number | undefined {
  if (listStyle !== 'task' || taskInfo?.state !== 'todo') return undefined
  const { reminder, startDate } = (taskInfo.repeat ?? {}) as Partial<Repeat>
  const day = dueDate(taskInfo) ?? startDate
  const { enabled = false, dateOffset = DEFAULT_OFFSET } = reminder ?? {}
  return enabled && day !== undefined && Math.abs(dateOffset) <= MAX_OFFSET
    ? momentOnDay(day, dateOffset, space)
    : undefined
}

/** Sets reminders on blocks that were added. */
export async function addRepeatReminders(space: Space, rows: readonly BlockRow[]): Promise<void> {
  const times = new Map<number, number>()
  for (const row of rows) {
    if (row.listStyle !== 'task' || row.attributes?.includes('"reminder"') !== true) continue
    const time = reminderTime(space, fieldsFromRow(row))
    if (time !== undefined && time > space.now) times.set(row.n, time)
  }
  await setReminders(space, times)
}

/** Moves the reminder of a task along with its date, sets one, or takes it away, as the change of the task has it. */
export async function followTask(space: Space, row: BlockRow, before: Task, after: Task): Promise<void> {
  const [previous, next] = [reminderTime(space, before), reminderTime(space, after)]
  if (previous === next) return
  const time = next !== undefined && next > space.now ? next : undefined
  const made = previous === undefined ? [] : await stored.remindersAt(space.tx, row.n, previous)
  if (time === undefined) await stored.deleteReminders(space.tx, made)
  else if (made.length === 0) await setReminders(space, new Map([[row.n, time]]))
  else
    await stored.updateReminders(
      space.tx,
      made.map((n) => ({ n, remindAt: time, completedAt: null })),
    )
}

/** Sets reminders of the caller on blocks that have none of them, where reminders are available. */
async function setReminders(space: Space, times: ReadonlyMap<number, number>): Promise<void> {
  if (times.size === 0) return
  const participant = await space.findOwnParticipant()
  if (participant === undefined) return
  const taken = new Set(await stored.blocksWithReminder(space.tx, participant, [...times.keys()]))
  const free = [...times].filter(([block]) => !taken.has(block))
  const ids = await space.newIds(free.length)
  const rows = free.map(([block, remindAt], index) => {
    return { id: ids[index] ?? 0, block, participant, remindAt, completedAt: null, createdAt: space.now }
  })
  await stored.replaceReminders(space.tx, rows)
}
