/** Endpoints for the settings of a space on the pages. As for links, only the person who runs the program may use them. */
import { z } from 'zod'
import { NAME_LENGTH } from '../../base/limits.ts'
import { byKind, endpoint } from '../../endpoint.ts'
import { getSettings, updateSettings } from '../../space/model/settings.ts'
import { WEEK_STARTS } from '../../space/model/weekdays.ts'
import { assertOperator } from './link-endpoints.ts'

const operatorOnly = ['full'] as const
const settings = z.strictObject({ name: z.string(), timezone: z.string(), weekStart: z.enum(WEEK_STARTS) })

const get = endpoint({
  name: 'settings_get',
  title: 'Get settings',
  description: 'Get the name of the space, its time zone, and when its weeks begin.',
  route: 'GET /settings',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({}), operatorOnly),
  output: settings,
  handle({ space }) {
    assertOperator(space)
    return getSettings(space)
  },
})

const update = endpoint({
  name: 'settings_update',
  title: 'Change settings',
  description: 'Change the name of the space, its time zone, or when its weeks begin.',
  route: 'PUT /settings',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(
    () =>
      z.strictObject({
        name: z.string().min(1).max(NAME_LENGTH).optional(),
        timezone: z.string().min(1).max(100).optional(),
        weekStart: z.enum(WEEK_STARTS).optional(),
      }),
    operatorOnly,
  ),
  output: settings,
  administers: (change) => change,
  handle({ space }, change) {
    assertOperator(space)
    return updateSettings(space, change)
  },
})

export const settingsEndpoints = [get, update]
