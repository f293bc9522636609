/** Dates in Logseq: names of journals, and the dates and repeats of tasks. */
import { dayFinder } from '../markdown/vault-settings.ts'

/** Formats of days in titles, besides the one that a graph sets. */
const TITLE_FORMATS: readonly string[] = ['MMM do, yyyy', 'yyyy-MM-dd', 'yyyy_MM_dd', 'yyyy/MM/dd']

/** Returns the format of Moment.js for one of Java, as `config.edn` has them. */
const asMoment = (format: string): string =>
  format.replace(/'([^']*)'|do|d{1,2}|y{2,4}|E{1,4}/g, (found, literal?: string) => {
    if (literal !== undefined) return `[${literal}]`
    if (found === 'do') return 'Do'
    if (found.startsWith('E')) return found.length === 4 ? 'dddd' : 'ddd'
    return found.toUpperCase()
  })

/** Returns the day that a text names, such as `Nov 20th, 2026`. */
export function dayReader(format: string | undefined): (title: string) => string | undefined {
  const formats = new Set([...(format === undefined ? [] : [format]), ...TITLE_FORMATS])
  const finders = [...formats].map((one) => dayFinder(asMoment(one), ''))
  return (title) => {
    if (title.length > 60 || !/\d/.test(title)) return undefined
    for (const find of finders) {
      const day = find(`${title}.md`)
      if (day !== undefined) return day
    }
    return undefined
  }
}

/** What a line such as `SCHEDULED: <2026-12-01 Tue 10:00 .+1d>` says. */
export interface TaskDate {
  field: 'SCHEDULED' | 'DEADLINE'
  day: string
  /** A rule as Obsidian's Tasks plugin has them: `every week when done`. */
  repeat?: string
  /** What has no counterpart here: a time of day, or a repeat in hours. */
  rest: string[]
}

const DATE = /^(SCHEDULED|DEADLINE):\s*<(\d{4}-\d\d-\d\d)((?:\s+[^\s<>]{1,30}){0,6})\s*>$/
const UNITS: ReadonlyMap<string, string> = new Map(Object.entries({ d: 'day', w: 'week', m: 'month', y: 'year' }))

export function readTaskDate(line: string): TaskDate | undefined {
  const [, field, day = '', rest = ''] = DATE.exec(line.trim()) ?? []
  if (field !== 'SCHEDULED' && field !== 'DEADLINE') return undefined
  const date: TaskDate = { field, day, rest: [] }
  for (const word of rest.split(/\s+/).filter((one) => one !== '')) {
    const [, sign, count = '1', letter = ''] = /^(\.\+|\+\+|\+)(\d{1,3})([hdwmy])$/.exec(word) ?? []
    const unit = UNITS.get(letter)
    if (unit !== undefined && Number(count) > 0 && date.repeat === undefined) {
      const often = Number(count) === 1 ? unit : `${Number(count)} ${unit}s`
      // `.+` counts from the day on which the task was done.
      date.repeat = `every ${often}${sign === '.+' ? ' when done' : ''}`
    } else if (sign !== undefined || /^\d{1,2}:\d\d/.test(word)) date.rest.push(word)
  }
  return date
}
