/** Parses task dates in the formats of Obsidian's Tasks plugin: emoji or fields. */
import type { TaskInfo } from '../../markdown/block.ts'
import { WEEKDAYS } from '../../space/model/weekdays.ts'
import { replaceText } from './note-lines.ts'

type DateField = 'scheduleDate' | 'deadlineDate' | 'completedAt' | 'canceledAt' | 'start'

const SIGNS: ReadonlyMap<string, DateField> = new Map(
  Object.entries({
    ...{ '📅': 'deadlineDate', '📆': 'deadlineDate', '🗓': 'deadlineDate' },
    ...{ '⏳': 'scheduleDate', '⌛': 'scheduleDate', '🛫': 'start', '✅': 'completedAt', '❌': 'canceledAt' },
  }),
)
const FIELDS: ReadonlyMap<string, DateField> = new Map(
  Object.entries({
    ...{ due: 'deadlineDate', scheduled: 'scheduleDate', start: 'start' },
    ...{ completion: 'completedAt', cancelled: 'canceledAt' },
  }),
)

const SIGNED = /[ \t]*([📅📆🗓⏳⌛🛫✅❌])\uFE0F?[ \t]*(\d{4}-\d\d-\d\d)(?![\d-])/gu
const FIELD = /[ \t]*(?:\[|\()(due|scheduled|start|completion|cancelled)::[ \t]*(\d{4}-\d\d-\d\d)(?:\]|\))/g
const REPEAT =
  /[ \t]*(?:🔁\uFE0F?[ \t]*|(?:\[|\()repeat::[ \t]*)every ([^📅📆🗓⏳⌛🛫✅❌➕🔺⏫🔼🔽⏬#[\]()]+?)(?:\]|\))?(?=[ \t]*(?:$|[📅📆🗓⏳⌛🛫✅❌➕🔺⏫🔼🔽⏬#[\]()]))/u

/** Who does it, as our exports write it: `👤 [@Anna](person://100000000005)`. */
const ASSIGNEE = /[ \t]*👤\uFE0F?[ \t]*\[@((?:[^[\]\\\n]|\\.)+)\]\(person:\/\/([^()\s<>]+)\)/u
const MEMBER_ID = /^[1-9]\d{11}$/

/**
 * Returns the task with the dates from its text, and the text without them. What stands in code is text.
 *
 * @returns undefined if there are none
 */
export function readTaskDates(text: string, task: TaskInfo): { text: string; taskInfo: TaskInfo } | undefined {
  const dates: Partial<Record<DateField, string>> = {}
  const extract = (fields: ReadonlyMap<string, DateField>) => (written: string, sign: string, date: string) => {
    const field = fields.get(sign)
    if (field === undefined || !isDay(date) || dates[field] !== undefined) return written
    dates[field] = date
    return ''
  }
  let assignee: TaskInfo['assignee']
  const unassigned = replaceText(text, (part) =>
    part.replace(ASSIGNEE, (written: string, label: string, target: string) => {
      if (assignee !== undefined) return written
      const name = label.replace(/\\([!-/:-@[-`{-~])/g, '$1')
      assignee = MEMBER_ID.test(target) ? { id: target, name } : { name }
      return ''
    }),
  )
  const undated = replaceText(unassigned, (part) =>
    part.replace(SIGNED, extract(SIGNS)).replace(FIELD, extract(FIELDS)),
  )
  let repeat: TaskInfo['repeat']
  const rest = replaceText(undated, (part) =>
    part.replace(REPEAT, (written: string, rule: string) => {
      if (repeat !== undefined) return written
      repeat = parseRepeat(rule)
      return repeat === undefined ? written : ''
    }),
  )
  if (rest === text) return undefined
  const { start, completedAt, canceledAt, ...days } = dates
  const taskInfo: TaskInfo = { ...task, ...(start !== undefined && { scheduleDate: start }), ...days }
  if (repeat !== undefined) taskInfo.repeat = repeat
  if (assignee !== undefined) taskInfo.assignee = assignee
  if (completedAt !== undefined && task.state === 'done') taskInfo.completedAt = `${completedAt}T00:00:00.000Z`
  if (canceledAt !== undefined && task.state === 'canceled') taskInfo.canceledAt = `${canceledAt}T00:00:00.000Z`
  return { text: rest.replace(/^[ \t]+|[ \t]+$/g, ''), taskInfo }
}

function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

const UNITS = new Map(Object.entries({ day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' }))

/**
 * Parses `2 weeks`, `month when done`, `weekday`, `week on Monday, Friday`. Returns undefined for other rules, which
 * stay in the text.
 */
function parseRepeat(text: string): object | undefined {
  const plain = text.trim().toLowerCase()
  const type = plain.endsWith(' when done') ? 'flexible' : 'fixed'
  const rule = plain.replace(/ when done$/, '')
  if (rule === 'weekday') return { type, frequency: 'weekly', weekly: { days: WEEKDAYS.slice(0, 5) } }
  if (isWeekday(rule)) return { type, frequency: 'weekly', weekly: { days: [rule] } }
  const [, number, unit, days] = /^(?:(\d{1,3}) )?(day|week|month|year)s?(?: on ([a-z, ]+))?$/.exec(rule) ?? []
  if (unit === undefined) return undefined
  const frequency = UNITS.get(unit)
  const interval = Number(number ?? 1)
  if (interval < 1) return undefined
  const named = days?.split(/,\s*|\s+and\s+/).map((day) => day.trim()) ?? []
  if (named.length > 0 && (frequency !== 'weekly' || !named.every(isWeekday))) return undefined
  return {
    ...{ type, frequency },
    ...(interval > 1 && { interval }),
    ...(named.length > 0 && { weekly: { days: named } }),
  }
}

const isWeekday = (word: string): boolean => (WEEKDAYS as readonly string[]).includes(word)
