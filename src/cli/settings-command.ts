/** `scriptorium settings`: shows and changes the name of a space, its time zone, its weeks, and the language of dates. */

import { logOccurrence } from '../space/model/audit-log.ts'
import { getSettings, type SettingsChange, updateSettings } from '../space/model/settings.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { CommandResult } from './printing.ts'

/** @throws VALIDATION_ERROR for a name or a time zone that cannot be used */
export async function runSettings(
  space: OpenSpace,
  { name, timezone, weekStart, dateLanguage: language }: SettingsChange,
): Promise<CommandResult> {
  // No name of a language is `language`, and an empty value is easily given by accident.
  const change = { name, timezone, weekStart, dateLanguage: language === OF_READER ? '' : language }
  const before = await space.read(OPERATOR_LINK, getSettings)
  const isChange = Object.values(change).some((value) => value !== undefined)
  const after = isChange
    ? await space.write(OPERATOR_LINK, async (view) => {
        const changed = await updateSettings(view, change)
        await logOccurrence(view, 'settings_update', { about: change })
        return changed
      })
    : before
  const was = (old: string, now: string): string[] => (old === now ? [] : [`was ${old}`])
  const value = { spaceId: space.info.id, ...after }
  const lines = [
    ['Name', after.name, ...was(before.name, after.name)],
    ['Time zone', after.timezone, ...was(before.timezone, after.timezone)],
    ['Weeks begin', after.weekStart, ...was(before.weekStart, after.weekStart)],
    [
      'Dates as in',
      after.dateLanguage || OF_READER,
      ...was(before.dateLanguage || OF_READER, after.dateLanguage || OF_READER),
    ],
  ]
  return { value, lines }
}

/** Stands for the language of each reader. */
const OF_READER = 'language'
