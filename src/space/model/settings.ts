/** The settings of a space: its name, its time zone, and when its weeks begin. */
import { getSpaceRow, updateSpaceSettings } from '../../../storage/space-info.ts'
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
}

/** The settings as they are shown. */
export interface Settings {
  name: string
  timezone: string
  weekStart: WeekStart
}

export async function getSettings({ tx, info }: Space): Promise<Settings> {
  const { name, timezone, weekStart } = (await getSpaceRow(tx)) ?? info
  return { name, timezone, weekStart: WEEKDAYS[(weekStart ?? 0) - 1] ?? 'language' }
}

/**
 * Changes settings. Nothing that is stored changes with the time zone: dates are days, and reminders are moments. Days
 * begin and end by the new time zone from the next call on, in other processes within a second.
 *
 * @throws VALIDATION_ERROR for a name or time zone that cannot be used
 */
export async function updateSettings(space: Space, { name, timezone, weekStart }: SettingsChange): Promise<Settings> {
  const before = await getSettings(space)
  const settings: Settings = {
    name: name === undefined ? before.name : validateName(name, 'the space'),
    timezone: timezone === undefined ? before.timezone : normalizeTimezone(timezone),
    weekStart: weekStart ?? before.weekStart,
  }
  const day = WEEK_STARTS.indexOf(settings.weekStart) + 1
  await updateSpaceSettings(space.tx, { ...settings, weekStart: day > WEEKDAYS.length ? null : day })
  space.hasChangedSettings = true
  return settings
}
