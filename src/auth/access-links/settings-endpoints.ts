/** Endpoints for the settings of a space on the pages, for people who may do everything in it. As for links, for no link. */
import { z } from 'zod'
import { NAME_LENGTH } from '../../base/limits.ts'
import { byKind, endpoint } from '../../endpoint.ts'
import { getSettings, updateSettings } from '../../space/model/settings.ts'
import { WEEK_STARTS } from '../../space/model/weekdays.ts'
import { assertManages } from './link-managers.ts'

const peopleOnly = ['full'] as const
const settings = z.strictObject({
  name: z.string(),
  timezone: z.string(),
  weekStart: z.enum(WEEK_STARTS),
  dateLanguage: z.string(),
})

const change = {
  name: z.string().min(1).max(NAME_LENGTH).optional(),
  timezone: z.string().min(1).max(100).optional(),
  weekStart: z.enum(WEEK_STARTS).optional(),
  dateLanguage: z.string().max(100).optional(),
}

const get = endpoint({
  name: 'settings_get',
  title: 'Get settings',
  description: 'Get the name of the space, its time zone, when its weeks begin, and the language of dates.',
  route: 'GET /settings',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({}), peopleOnly),
  output: settings,
  handle({ space }) {
    assertManages(space, 'operator', 'all')
    return getSettings(space)
  },
})

const update = endpoint({
  name: 'settings_update',
  title: 'Change settings',
  description: 'Change the name of the space, its time zone, when its weeks begin, or the language of dates.',
  route: 'PUT /settings',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(
    () => z.strictObject({ ...change, seen: z.strictObject({ ...change, name: z.string().optional() }).optional() }),
    peopleOnly,
  ),
  output: settings,
  administers: ({ seen: _, ...change }) => change,
  handle({ space }, { seen, ...change }) {
    assertManages(space, 'operator', 'all')
    return updateSettings(space, change, seen)
  },
})

export const settingsEndpoints = [get, update]
