/** `scriptorium settings`: shows and changes the name of a space, its time zone, and when its weeks begin. */

import { logOccurrence } from '../space/model/audit-log.ts'
import { getSettings, type SettingsChange, updateSettings } from '../space/model/settings.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { CommandResult } from './printing.ts'

/** @throws VALIDATION_ERROR for a name or a time zone that cannot be used */
export async function runSettings(
  space: OpenSpace,
  { name, timezone, weekStart }: SettingsChange,
): Promise<CommandResult> {
  const before = await space.read(OPERATOR_LINK, getSettings)
  const isChange = name !== undefined || timezone !== undefined || weekStart !== undefined
  const after = isChange
    ? await space.write(OPERATOR_LINK, async (view) => {
        const changed = await updateSettings(view, { name, timezone, weekStart })
        await logOccurrence(view, 'settings_update', { about: { name, timezone, weekStart } })
        return changed
      })
    : before
  const was = (old: string, now: string): string[] => (old === now ? [] : [`was ${old}`])
  const value = { spaceId: space.info.id, ...after }
  const lines = [
    ['Name', after.name, ...was(before.name, after.name)],
    ['Time zone', after.timezone, ...was(before.timezone, after.timezone)],
    ['Weeks begin', after.weekStart, ...was(before.weekStart, after.weekStart)],
  ]
  return { value, lines }
}
