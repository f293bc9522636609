/** Time zones of a calendar. Times are counted in milliseconds as if clocks showed UTC, so that no zone is in the way. */
import ICAL from 'ical.js'
import { normalizeTimezone, parseLocalTime } from '../model/dates.ts'
import type { CalendarPart } from './scan-calendar.ts'

/** A time as clocks show it, in milliseconds since 1970 as if they showed UTC. */
export type ShownTime = number

export interface Zone {
  /** Milliseconds by which clocks are ahead of UTC when they show a time. */
  offsetAt(shown: ShownTime): number
}

export const UTC: Zone = { offsetAt: () => 0 }

/** The moment at which clocks of a zone show a time. */
export const momentOf = (shown: ShownTime, zone: Zone): number => shown - zone.offsetAt(shown)

/** What clocks of a zone show at a moment. */
export const shownAt = (moment: number, zone: Zone): ShownTime =>
  // The offset is known by what clocks show, which is first guessed.
  moment + zone.offsetAt(moment + zone.offsetAt(moment))

/** A zone by its IANA name; undefined if this runtime does not know it. */
export function namedZone(name: string): Zone | undefined {
  const known = zones.get(name)
  if (known !== undefined) return known
  const timezone = canonicalName(name)
  if (timezone === undefined) return undefined
  const zone = withMemory((shown) => {
    const whole = Math.floor(shown / 1000) * 1000
    return whole - parseLocalTime(new Date(whole).toISOString().slice(0, 19), { timezone })
  })
  zones.set(name, zone)
  return zone
}

const zones = new Map<string, Zone>()

/** Repeats are at the same times again and again, and looking an offset up takes longer than all else of a repeat. */
function withMemory(offsetOf: Zone['offsetAt']): Zone {
  const known = new Map<ShownTime, number>()
  return {
    offsetAt(shown) {
      const found = known.get(shown)
      if (found !== undefined) return found
      const offset = offsetOf(shown)
      if (known.size >= REMEMBERED) known.clear()
      known.set(shown, offset)
      return offset
    },
  }
}

const REMEMBERED = 10_000

function canonicalName(name: string): string | undefined {
  // An offset is no name, and a calendar that uses one defines it.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return normalizeTimezone(name)
  } catch {
    return undefined
  }
}

/** A zone as a calendar defines it, such as one that Outlook names `W. Europe Standard Time`. @throws if it cannot be read */
export function definedZone({ lines }: CalendarPart): { name: string; zone: Zone } {
  const component = ICAL.Component.fromString(lines.join('\r\n'))
  const name = component.getFirstPropertyValue('tzid')
  if (typeof name !== 'string') throw new Error('Expected the name of a time zone, found none.')
  const defined = new ICAL.Timezone({ component, tzid: name })
  return { name, zone: withMemory((shown) => defined.utcOffset(toTime(shown)) * 1000) }
}

/** A time of the parser without its zone. */
export function toShown({ year, month, day, hour, minute, second }: ICAL.Time): ShownTime {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second, 0)
}

export function toTime(shown: ShownTime, isDate = false): ICAL.Time {
  const date = new Date(shown)
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), isDate }
  const time = { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() }
  return new ICAL.Time(isDate ? day : { ...day, ...time }, ICAL.Timezone.localTimezone)
}
