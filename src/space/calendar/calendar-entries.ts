/** What the calendar of a link shows: open tasks with dates, reminders of its participant, and dates of items. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { datedTasks, datedValues } from '../../../storage/calendar.ts'
import { listReminders } from '../../../storage/reminders.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { CALENDAR_ENTRIES, CALENDAR_TITLE_LENGTH } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { shorten } from '../../base/shorten.ts'
import type { TaskInfo } from '../../markdown/block.ts'
import { truncateTitle } from '../../markdown/inline-title.ts'
import { rangeOfDates } from '../collections/schema/date-ranges.ts'
import { visiblePlainText, visibleTexts } from '../model/block-links.ts'
import type { CivilDate } from '../model/dates.ts'
import { reachOf, type Space } from '../model/space.ts'
import type { Repeat } from '../schedule/repeats.ts'
import { toRecurrenceRule } from './repeat-rules.ts'

/** An entry of a calendar. */
export interface CalendarEntry {
  /** Unique in the space, and always the same for the same thing. */
  id: string
  title: string
  /** When it was last changed, in milliseconds since 1970. */
  changedAt: number
  at: CalendarTime
}

export type CalendarTime =
  /** A task: at least one of its dates, and how it comes round. */
  | { kind: 'task'; start?: CivilDate | undefined; due?: CivilDate | undefined; rule?: string | undefined }
  /** A moment, in milliseconds since 1970. */
  | { kind: 'moment'; time: number }
  /** The first and the last day. */
  | { kind: 'days'; start: CivilDate; end: CivilDate }

export interface CalendarEntries {
  entries: CalendarEntry[]
  /** True if there is more than a calendar shows. */
  isCut: boolean
}

/** Reads what a calendar shows, within the reach of the link. Only titles are read, never what stands below them. */
export async function readCalendarEntries(space: Space): Promise<CalendarEntries> {
  const parts = [await readTasks(space), await readReminders(space), await readDates(space)]
  return {
    entries: parts.flatMap((part) => part.slice(0, CALENDAR_ENTRIES)),
    isCut: parts.some(({ length }) => length > CALENDAR_ENTRIES),
  }
}

/** One more than is shown, which says that there are more. */
const READ = CALENDAR_ENTRIES + 1

async function readTasks(space: Space): Promise<CalendarEntry[]> {
  const numbers = await datedTasks(space.tx, reachOf(space.link), READ)
  const { rows, titleOf } = await readTitles(space, numbers)
  const entries: CalendarEntry[] = []
  for await (const n of iterateCooperatively(numbers)) {
    const row = rows.get(n)
    if (row === undefined) continue
    const { taskInfo } = JSON.parse(row.attributes ?? '{}') as { taskInfo?: TaskInfo }
    const { scheduleDate: start, deadlineDate: due, repeat } = taskInfo ?? {}
    const day = start ?? due
    const rule = repeat !== undefined && day !== undefined ? toRecurrenceRule(repeat as Repeat, day) : undefined
    entries.push({ ...entryOf(`task-${row.id}`, row, titleOf(row)), at: { kind: 'task', start, due, rule } })
  }
  return entries
}

async function readReminders(space: Space): Promise<CalendarEntry[]> {
  const { participant } = space.link
  if (participant === undefined) return []
  const scope = { participant, reach: reachOf(space.link) }
  const reminders = await listReminders(space.tx, scope, 'incomplete', space.now, undefined, READ)
  const { rows, titleOf } = await readTitles(
    space,
    reminders.map(({ block }) => block),
  )
  return reminders.flatMap(({ id, block, remindAt }) => {
    const row = rows.get(block)
    if (row === undefined || remindAt === null) return []
    return [{ ...entryOf(`reminder-${id}`, row, titleOf(row)), at: { kind: 'moment', time: remindAt } as const }]
  })
}

async function readDates(space: Space): Promise<CalendarEntry[]> {
  const values = await datedValues(space.tx, reachOf(space.link), READ)
  const { rows, titleOf } = await readTitles(
    space,
    values.map(({ item }) => item),
  )
  const { text } = await visiblePlainText(
    space,
    values.map(({ name }) => name),
  )
  return values.flatMap(({ item, property, name, date }) => {
    const row = rows.get(item)
    if (row === undefined) return []
    const title = `${titleOf(row)} (${shorten(text(name))})`
    return [
      { ...entryOf(`date-${row.id}-${property}`, row, title), at: { kind: 'days', ...rangeOfDates(date) } as const },
    ]
  })
}

const entryOf = (id: string, row: BlockRow, title: string): Omit<CalendarEntry, 'at'> => ({
  id,
  title,
  changedAt: row.modifiedAt ?? row.createdAt,
})

async function readTitles(space: Space, numbers: readonly number[]) {
  const rows = new Map((await blocksByNumbers(space.tx, [...new Set(numbers)])).map((row) => [row.n, row]))
  const visible = await visibleTexts(space, [...rows.values()])
  const titleOf = (row: BlockRow) =>
    shorten(truncateTitle(visible(row)).replace(/\s+/g, ' ').trim(), CALENDAR_TITLE_LENGTH) || UNTITLED
  return { rows, titleOf }
}

const UNTITLED = 'Untitled'
