/** The settings of a space: its name, its time zone, when its weeks begin, and the language of dates. */
import { getSpaceRow, updateSpaceSettings } from '../../../storage/space-info.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { normalizeTimezone } from './dates.ts'
import { validateName } from './names.ts'
import type { Space } from './space.ts'
import { WEEK_STARTS, WEEKDAYS, type WeekStart } from './weekdays.ts'

/** What to change. Absent settings stay as they are. */
export interface SettingsChange {
  name?: string | undefined
  /** An IANA name. */
  timezone?: string | undefined
  weekStart?: WeekStart | undefined
  /** Such as `de` or `en-GB`; empty for that of each reader. */
  dateLanguage?: string | undefined
}

/** The settings as they are shown. */
export interface Settings {
  name: string
  timezone: string
  weekStart: WeekStart
  /** Empty for that of each reader. */
  dateLanguage: string
}

export async function getSettings({ tx, info }: Space): Promise<Settings> {
  const { name, timezone, weekStart, dateLanguage } = (await getSpaceRow(tx)) ?? info
  return {
    ...{ name, timezone, weekStart: WEEKDAYS[(weekStart ?? 0) - 1] ?? 'language', dateLanguage: dateLanguage ?? '' },
  }
}

/**
 * Changes settings. Nothing that is stored changes with the time zone: dates are days, and reminders are moments. Days
 * begin and end by the new time zone from the next call on, in other processes within a second.
 *
 * @param seen  the settings that the change is based on
 * @throws VALIDATION_ERROR for a name, time zone or language that cannot be used; CONFLICT if a setting that is changed
 *   was changed since it was seen
 */
export async function updateSettings(
  space: Space,
  { name, timezone, weekStart, dateLanguage }: SettingsChange,
  seen: SettingsChange = {},
): Promise<Settings> {
  const before = await getSettings(space)
  assertSeen(before, { name, timezone, weekStart, dateLanguage }, seen)
  const settings: Settings = {
    name: name === undefined ? before.name : validateName(name, 'the space'),
    timezone: timezone === undefined ? before.timezone : normalizeTimezone(timezone),
    weekStart: weekStart ?? before.weekStart,
    dateLanguage: dateLanguage === undefined ? before.dateLanguage : normalizeLanguage(dateLanguage),
  }
  const day = WEEK_STARTS.indexOf(settings.weekStart) + 1
  await updateSpaceSettings(space.tx, {
    ...settings,
    weekStart: day > WEEKDAYS.length ? null : day,
    dateLanguage: settings.dateLanguage || null,
  })
  space.hasChangedSettings = true
  return settings
}

/** What the settings are called for people. */
const NAMES: Readonly<Record<keyof Settings, string>> = {
  name: 'the name of the space',
  timezone: 'the time zone',
  weekStart: 'the first day of the week',
  dateLanguage: 'the language of dates',
}

function assertSeen(before: Settings, change: SettingsChange, seen: SettingsChange): void {
  for (const key of Object.keys(NAMES) as (keyof Settings)[]) {
    const [was, now, next] = [seen[key], before[key], change[key]]
    if (was === undefined || next === undefined || next === was || now === was || now === next) continue
    throw new ScriptoriumError(
      'CONFLICT',
      `Expected ${NAMES[key]} to be ${was || 'that of the reader'} still, found ${now || 'that of the reader'}: somebody changed it meanwhile. Nothing was saved; look at it, and save again.`,
    )
  }
}

/** @throws VALIDATION_ERROR for what is no language, or one that the dates of this program do not have */
function normalizeLanguage(language: string): string {
  if (language === '') return ''
  try {
    const [found] = Intl.DateTimeFormat.supportedLocalesOf([language])
    if (found !== undefined) return found
  } catch {
    // Falls through to the same error.
  }
  throw invalid(`Expected a language of dates such as de or en-GB, found ${JSON.stringify(language)}.`)
}
