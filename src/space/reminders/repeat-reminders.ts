/**
 * Reminders of repeating tasks. `repeat.reminder` gives the minute of the due day at which a reminder is set. The
 * reminder moves to the next date together with the task. A reminder that was set to another time is left alone.
 */
import * as stored from '../../../storage/reminders.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { momentOnDay } from '../model/dates.ts'
import type { Space } from '../model/space.ts'
import { dueDate } from '../schedule/normalize-task.ts'
import type { Repeat } from '../schedule/repeats.ts'

/** Minutes from midnight if the rule gives none: nine o'clock. */
const DEFAULT_OFFSET = 540
/** One year. A larger offset is not a time of day. */
const MAX_OFFSET = 525_600

type Task = Pick<BlockFields, 'listStyle' | 'taskInfo'>

/** The time of a task's reminder, in milliseconds since 1970. Undefined for a task that is closed or has no date. */
function reminderTime(space: Space, { listStyle, taskInfo }: Task): number | undefined {
  if (listStyle !== 'task' || taskInfo?.state !== 'todo') return undefined
  const { reminder, startDate } = (taskInfo.repeat ?? {}) as Partial<Repeat>
  const day = dueDate(taskInfo) ?? startDate
  const { enabled = false, dateOffset = DEFAULT_OFFSET } = reminder ?? {}
  return enabled && day !== undefined && Math.abs(dateOffset) <= MAX_OFFSET
    ? momentOnDay(day, dateOffset, space)
    : undefined
}

/** Sets the reminders of blocks that were added. */
export async function addRepeatReminders(space: Space, rows: readonly BlockRow[]): Promise<void> {
  const times = new Map<number, number>()
  for (const row of rows) {
    if (row.listStyle !== 'task' || row.attributes?.includes('"reminder"') !== true) continue
    const time = reminderTime(space, fieldsFromRow(row))
    if (time !== undefined && time > space.now) times.set(row.n, time)
  }
  await setReminders(space, times)
}

/** After a change of a task, moves its reminder to the new time, sets one, or deletes it. */
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

/** Sets reminders of the caller on blocks where the caller has none, if reminders are available. */
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
