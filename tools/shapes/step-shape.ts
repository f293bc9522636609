import { z } from 'zod'
import { STEP_NAME } from '../../src/space/model/steps.ts'
import { jsonText } from './published.ts'

/** A call as a step of another one. */
export const step = z.strictObject({
  tool: z.string().min(1).max(100),
  arguments: z.record(z.string(), z.unknown()).default({}).meta(jsonText('its input')),
  as: z
    .string()
    .regex(STEP_NAME, {
      error: 'Expected a name of letters, digits, - and _ that begins with a letter and has at most 40 of them.',
    })
    .optional(),
})
