/** Names that operators give to links, participants and spaces: they stand in lists and beside what is written. */
import { findControl } from '../control-characters.ts'
import { invalid } from '../errors.ts'
import { NAME_LENGTH } from '../limits.ts'

/**
 * A name without spaces around it.
 *
 * @param what  has the name, such as `a link`
 * @throws VALIDATION_ERROR for no name, one of more than {@link NAME_LENGTH} characters, and one with control characters
 */
export function checkName(given: string, what: string): string {
  const name = given.trim()
  if (name === '') throw invalid(`Expected the name of ${what}, found none; give it.`)
  if (name.length > NAME_LENGTH) {
    throw invalid(
      `Expected a name of ${what} of at most ${NAME_LENGTH} characters, found ${name.length.toLocaleString('en-US')}; shorten it.`,
    )
  }
  const control = findControl(name)
  if (control === undefined) return name
  throw invalid(`Expected a name of ${what} without control characters, found ${control} in it; leave it out.`)
}
