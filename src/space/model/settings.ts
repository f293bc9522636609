/** The settings of a space: its name and its time zone. */
import { getSpaceRow, type SpaceSettings, updateSpaceSettings } from '../../../storage/space-info.ts'
import { normalizeTimezone } from './dates.ts'
import { validateName } from './names.ts'
import type { Space } from './space.ts'

/** What to change. Absent settings stay as they are. */
export interface SettingsChange {
  name?: string | undefined
  /** An IANA name. */
  timezone?: string | undefined
}

export async function getSettings({ tx, info }: Space): Promise<SpaceSettings> {
  const { name, timezone } = (await getSpaceRow(tx)) ?? info
  return { name, timezone }
}

/**
 * Changes settings. Nothing that is stored changes with the time zone: dates are days, and reminders are moments. Days
 * begin and end by the new time zone from the next call on, in other processes within a second.
 *
 * @throws VALIDATION_ERROR for a name or time zone that cannot be used
 */
export async function updateSettings(space: Space, { name, timezone }: SettingsChange): Promise<SpaceSettings> {
  const before = await getSettings(space)
  const settings = {
    name: name === undefined ? before.name : validateName(name, 'the space'),
    timezone: timezone === undefined ? before.timezone : normalizeTimezone(timezone),
  }
  await updateSpaceSettings(space.tx, settings)
  space.hasChangedSettings = true
  return settings
}
