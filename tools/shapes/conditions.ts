/** Conditions of changes. They are not listed in the schemas: the instructions say once that every change has them. */
import { z } from 'zod'

/** What the caller believes to be there before the change: fields as they are read. */
export const expected = z.record(z.string(), z.unknown()).optional().meta({ hidden: true })

/** True to carry out the entries whose conditions hold, if others do not. */
export const partial = z.boolean().default(false).meta({ hidden: true })

/** The entries that were not carried out. Absent if there are none. */
export const conflicts = z
  .array(z.strictObject({ index: z.int(), id: z.string(), found: z.looseObject({}) }))
  .optional()
  .meta({ hidden: true })
