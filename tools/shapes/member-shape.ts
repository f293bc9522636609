/** A member in answers. */
import { z } from 'zod'
import { MEMBER_KINDS } from '../../src/space/members/members.ts'

export const member = z.strictObject({
  id: z.string(),
  kind: z.enum(MEMBER_KINDS),
  name: z.string(),
  handle: z.string().optional(),
  picture: z.string().optional(),
})
