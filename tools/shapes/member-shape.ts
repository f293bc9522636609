/** Members in answers, and as callers name them. */
import { z } from 'zod'
import { NAME_LENGTH } from '../../src/base/limits.ts'
import { MEMBER_KINDS } from '../../src/space/members/members.ts'
import { GivenMember } from '../../src/space/model/given-members.ts'
import { validateName } from '../../src/space/model/names.ts'
import { parsedString } from './parsed-text.ts'

export const member = z.strictObject({
  id: z.string(),
  kind: z.enum(MEMBER_KINDS),
  name: z.string(),
  handle: z.string().optional(),
  picture: z.string().optional(),
})

const reference = z.string().min(1).max(NAME_LENGTH)

/** A member by ID, `@handle` or name, or `me`. */
export const givenMember = reference.transform((text) => new GivenMember(text)).optional()

/** Who does a task: the same, or as it is read. A name that was read may be that of no member. */
export const givenAssignee = z
  .union([
    reference.transform((text) => new GivenMember(text)),
    z.strictObject({ id: reference.optional(), name: parsedString((text) => validateName(text, 'an assignee')) }),
  ])
  .transform((given) =>
    given instanceof GivenMember
      ? given
      : new GivenMember(given.id ?? given.name, { isNameToo: given.id === undefined }),
  )
  .nullable()
  .optional()
  .meta({ hidden: true })
