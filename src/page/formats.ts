/** Formats times, dates and numbers for people, in the language of the page. */
import { type Html, html } from './html.ts'
import { text } from './texts/text.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Milliseconds for which something counts as just written. */
export const FRESH_MS = MINUTE

/** Maximum number of cached sets of formats, since creating one is slow. */
const KEPT = 50
const kept = new Map<string, Formatters>()

interface Formatters {
  clock: Intl.DateTimeFormat
  day: Intl.DateTimeFormat
  dayOfYear: Intl.DateTimeFormat
  longDay: Intl.DateTimeFormat
  month: Intl.DateTimeFormat
  weekday: Intl.DateTimeFormat
  exact: Intl.DateTimeFormat
  /** Such as `2026-11-20`. */
  isoDay: Intl.DateTimeFormat
  number: Intl.NumberFormat
}

export class Formats {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly timezone: string
  readonly #weekStart: number | undefined
  readonly #languages: readonly string[]
  readonly #formatters: Formatters

  /**
   * @param languages  of dates and numbers, best first
   * @param timezone  of the space
   * @param weekStart  the first day of its weeks, 1 for Monday; that of the language if absent
   */
  constructor(languages: readonly string[], timezone: string, now: number, weekStart?: number | null) {
    this.#weekStart = weekStart ?? undefined
    this.now = now
    this.timezone = timezone
    this.#languages = languages
    this.#formatters = formattersFor(this.#languages, timezone)
  }

  /** Such as `20 s ago`, `14:05` or `Wed, Nov 25`, with the exact time on hover. @param time  ISO 8601 */
  time(time: string): Html {
    const at = Date.parse(time)
    if (Number.isNaN(at)) return html`${time}`
    const isRecent = this.now - at < HOUR && at <= this.now
    return html`<time datetime="${time}" title="${this.#formatters.exact.format(at)}"${isRecent && html` data-ago`}>${this.ago(at)}</time>`
  }

  /** @param at  milliseconds since 1970 */
  ago(at: number): string {
    const { clock, day, dayOfYear } = this.#formatters
    const age = this.now - at
    if (age >= 0 && age < 10 * SECOND) return text('now')
    if (age >= 0 && age < MINUTE) return text('{n} s ago', { n: Math.floor(age / SECOND) })
    if (age >= 0 && age < HOUR) return text('{n} min ago', { n: Math.floor(age / MINUTE) })
    if (this.dateOf(at) === this.today) return clock.format(at)
    if (age >= 0 && this.dateOf(at + DAY) === this.today) return text('yesterday, {time}', { time: clock.format(at) })
    return Math.abs(age) < 300 * DAY ? day.format(at) : dayOfYear.format(at)
  }

  /** A start time, such as `14:05` or `Wed, Nov 25, 14:05`. */
  since(at: number): string {
    const { clock, day, dayOfYear } = this.#formatters
    if (this.dateOf(at) === this.today) return clock.format(at)
    return `${(Math.abs(this.now - at) < 300 * DAY ? day : dayOfYear).format(at)}, ${clock.format(at)}`
  }

  /** Such as `14:05`. @param at  milliseconds since 1970 */
  clock(at: number): string {
    return this.#formatters.clock.format(at)
  }

  /** {@link since} as a time element. @param time  ISO 8601 */
  moment(time: string): Html {
    const at = Date.parse(time)
    return html`<time datetime="${time}" title="${this.#formatters.exact.format(at)}">${this.since(at)}</time>`
  }

  /** Such as `2026-11-25T09:00`, in the time zone of the space, for form fields. @param at  milliseconds since 1970 */
  localTime(at: number): string {
    const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: this.timezone })
    return `${this.dateOf(at)}T${time.format(at)}`
  }

  isFresh(time: string): boolean {
    const age = this.now - Date.parse(time)
    return age >= 0 && age < FRESH_MS
  }

  /** Such as `Today`, `Tomorrow` or `Wed, Nov 25`. @param date  `2026-11-25` */
  day(date: string): string {
    const at = noonOf(date)
    if (at === undefined) return date
    const days = Math.round((at - (noonOf(this.today) ?? at)) / DAY)
    if (days === 0) return text('Today')
    if (days === 1) return text('Tomorrow')
    if (days === -1) return text('Yesterday')
    const { day, dayOfYear } = this.#utc
    return Math.abs(days) < 300 ? day.format(at) : dayOfYear.format(at)
  }

  /** A day as a time element, with the full date on hover. */
  dayHtml(date: string): Html {
    return html`<time datetime="${date}" title="${this.longDay(date)}">${this.day(date)}</time>`
  }

  /** Such as `Friday, November 20, 2026`. */
  longDay(date: string): string {
    const at = noonOf(date)
    return at === undefined ? date : this.#utc.longDay.format(at)
  }

  /** Such as `Fri 20`. */
  shortDay(date: string): string {
    const at = noonOf(date)
    if (at === undefined) return date
    return `${this.#utc.weekday.format(at)} ${Number(date.slice(8))}`
  }

  /** Such as `November 2026`. @param month  `2026-11` */
  month(month: string): string {
    const at = noonOf(`${month}-01`)
    return at === undefined ? month : this.#utc.month.format(at)
  }

  /** `Mon` to `Sun`, beginning with the space's or the language's first day of the week. Each has its number, 1 for Monday. */
  weekdays(): { name: string; number: number }[] {
    const first = this.#weekStart ?? firstWeekday(this.#languages)
    const format = new Intl.DateTimeFormat([...this.#languages], { weekday: 'short', timeZone: 'UTC' })
    return Array.from({ length: 7 }, (_, index) => {
      const number = ((first - 1 + index) % 7) + 1
      // 2024-01-01 was a Monday.
      return { name: format.format(Date.UTC(2024, 0, number, 12)), number }
    })
  }

  /** Such as `2026-11-20`, in the time zone of the space. */
  dateOf(at: number): string {
    return this.#formatters.isoDay.format(at)
  }

  get today(): string {
    return this.dateOf(this.now)
  }

  number(value: number): string {
    return this.#formatters.number.format(value)
  }

  /** @param currency  ISO 4217 */
  currency(value: number, currency: string): string {
    try {
      return new Intl.NumberFormat([...this.#languages], {
        style: 'currency',
        currency,
        trailingZeroDisplay: 'stripIfInteger',
      }).format(value)
    } catch {
      return this.number(value)
    }
  }

  percent(value: number): string {
    const options = { style: 'percent', maximumFractionDigits: 2 } as const
    return new Intl.NumberFormat([...this.#languages], options).format(value)
  }

  /** Such as `1.2 MB`. */
  bytes(count: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
    const power = count < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3))
    const options = {
      style: 'unit',
      unit: units[power] ?? 'byte',
      // In short, bytes have no plural.
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumFractionDigits: 1,
    } as const
    return new Intl.NumberFormat([...this.#languages], options).format(count / 1_000 ** power)
  }

  /** For dates without a time, which do not depend on the time zone. */
  get #utc(): Formatters {
    return formattersFor(this.#languages, 'UTC')
  }
}

const noonOf = (date: string): number | undefined => {
  const at = Date.parse(`${date}T12:00:00Z`)
  return Number.isNaN(at) ? undefined : at
}

function formattersFor(languages: readonly string[], timeZone: string): Formatters {
  const key = JSON.stringify([languages, timeZone])
  const found = kept.get(key)
  if (found !== undefined) return found
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat([...languages], { ...options, timeZone })
  const formatters: Formatters = {
    clock: date({ timeStyle: 'short' }),
    day: date({ weekday: 'short', month: 'short', day: 'numeric' }),
    dayOfYear: date({ year: 'numeric', month: 'short', day: 'numeric' }),
    longDay: date({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
    month: date({ year: 'numeric', month: 'long' }),
    weekday: date({ weekday: 'short' }),
    exact: date({ dateStyle: 'full', timeStyle: 'medium' }),
    isoDay: new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }),
    number: new Intl.NumberFormat([...languages], { maximumFractionDigits: 10 }),
  }
  if (kept.size >= KEPT) kept.clear()
  kept.set(key, formatters)
  return formatters
}

/** 1 for Monday to 7 for Sunday. */
function firstWeekday([language = 'en-US']: readonly string[]): number {
  const locale = new Intl.Locale(language) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}
