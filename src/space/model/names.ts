/** Names that operators give to links, participants and spaces. They appear in lists and next to what these write. */

import { findControlCharacter } from '../../base/control-characters.ts'
import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { NAME_LENGTH } from '../../base/limits.ts'
import { markUnseen } from '../../base/unseen-characters.ts'

/**
 * Validates a name and removes spaces around it.
 *
 * @param subject  what has the name, such as `a link`
 * @throws VALIDATION_ERROR for an empty name, one of more than {@link NAME_LENGTH} characters, and one with control
 *   characters
 */
export function validateName(input: string, subject: string): string {
  const name = input.trim()
  if (name === '') throw invalid(`Expected the name of ${subject}, found none; give it.`)
  if (name.length > NAME_LENGTH) {
    throw invalid(
      `Expected a name of ${subject} of at most ${NAME_LENGTH} characters, found ${formatNumber(name.length)}; shorten it.`,
    )
  }
  const control = findControlCharacter(name)
  if (control === undefined) return name
  throw invalid(`Expected a name of ${subject} without control characters, found ${control} in it; leave it out.`)
}

/** What stands after the name that a guest gave. No member's name ends so, so that no guest passes for one. */
const GUEST = ' (guest)'

/** The author of what a guest writes, such as `Anna (guest)`. @throws VALIDATION_ERROR for an invalid name */
export const guestAuthor = (input: string): string => `${validateName(input, 'a guest')}${GUEST}`

/** The same for the name of a member. @throws VALIDATION_ERROR also for a name that looks like that of a guest */
export function validateMemberName(input: string, subject: string): string {
  const name = validateName(input, subject)
  if (!/\(\s*guest\s*\)$/i.test(name)) return name
  throw invalid(
    `Expected a name of ${subject} that does not end in (guest), which marks guests on the pages, found ${name}; choose another.`,
  )
}

/** A name for sentences: quoted and with its unseen characters marked, since anybody may have chosen it. */
export const quotedName = (name: string, client: string | undefined): string =>
  markUnseen(JSON.stringify(client === undefined ? name : `${name} (${client})`))
