/** Conditions of changes. They are not listed in the schemas: the instructions say once that every change has them. */
import { z } from 'zod'

/** What the caller believes to be there before the change: fields as they are read. */
export const expected = z.record(z.string(), z.unknown()).optional().meta({ hidden: true })

/** Of a row that the caller claimed: the number that it got with it, and true to free the row with this change. */
export const fenced = {
  fence: z.int().min(1).optional().meta({ hidden: true }),
  release: z.boolean().optional().meta({ hidden: true }),
}

/** The same for items, whose title may be given under the key of its column, such as `release`. */
export const fencedOrTitle = {
  fence: z
    .union([z.int().min(1), z.string()])
    .optional()
    .meta({ hidden: true }),
  release: z.union([z.boolean(), z.string()]).optional().meta({ hidden: true }),
}

/** Only what the connection itself has claimed. */
export const heldBy = z.literal('me').optional().meta({ hidden: true })

/** Who holds an item or a task. */
export const holder = z
  .strictObject({
    name: z.string(),
    client: z.string().optional(),
    since: z.string(),
    until: z.string(),
    fence: z.int(),
    isMine: z.literal(true).optional(),
  })
  .meta({ component: 'Holder' })
  .optional()
  .meta({ hidden: true })

/** True to carry out the entries whose conditions hold, if others do not. */
export const partial = z.boolean().default(false).meta({ hidden: true })

/** The entries that were not carried out. Absent if there are none. */
export const conflicts = z
  .array(z.strictObject({ index: z.int(), id: z.string(), found: z.looseObject({}) }).meta({ component: 'Conflict' }))
  .optional()
  .meta({ hidden: true })
