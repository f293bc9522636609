/**
 * Who manages links and people: the person who runs the program, and people who signed in to the pages. Never a link,
 * which could extend its own reach otherwise.
 */
import { accessLinkById, type HeldLinkRow, signedInName } from '../../../storage/access-links.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { isFullLink, narrowerAccess } from '../../space/model/access.ts'
import type { AccessLevel, AccessLink, Space } from '../../space/model/space.ts'

/**
 * - `operator`: everything.
 * - `all`: links of all, and inviting people. For people who may do everything in the whole space.
 * - `own`: links that are theirs.
 */
export type Management = 'operator' | 'all' | 'own'

/** What a caller manages; undefined for every link. */
export function managementOf(link: AccessLink): Management | undefined {
  if (link.id === undefined) return isFullLink(link) ? 'operator' : undefined
  // An agent that a person signed in is no person.
  if (!link.isPerson || !link.isSignedIn || link.kind !== 'full') return undefined
  return isFullLink(link) ? 'all' : 'own'
}

/** @throws FORBIDDEN for every link, and unless it is one of these */
export function assertManages({ link }: Space, ...allowed: Management[]): Management {
  const found = managementOf(link)
  if (found === undefined) {
    throw new ScriptoriumError(
      'FORBIDDEN',
      'Expected a person who signed in, or the one who runs this space, found a link; links, people and settings are managed by signing in, with scriptorium open, or on the command line.',
    )
  }
  if (allowed.length === 0 || allowed.includes(found)) return found
  throw new ScriptoriumError(
    'FORBIDDEN',
    allowed.includes('all')
      ? `Expected a person who may do everything in the space, found one with access ${link.access}; ask one who may, or the person who runs this space.`
      : 'Expected the person who runs this space, found another; ask them, or use scriptorium open.',
  )
}

/** @throws FORBIDDEN for everybody but the person who runs the program */
export const assertOperator = (space: Space): Management => assertManages(space, 'operator')

/**
 * A link that the caller manages.
 *
 * @throws NOT_FOUND_ERROR, with the same message for links of others where only own ones are managed; FORBIDDEN for the
 *   sign-in of another person
 */
export async function managedLink(space: Space, id: string): Promise<HeldLinkRow> {
  const management = assertManages(space)
  const row = await accessLinkById(space.tx, id.toLowerCase())
  const isOwn = row?.participant === space.link.participant
  if (row === undefined || (management === 'own' && !isOwn)) throw noSuchLink(id)
  if (management !== 'all' || isOwn) return row
  const person = await signedInName(space.tx, row.n)
  if (person === undefined) return row
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected a link that was made, found ${row.id}, with which ${person} signed in; they end it by signing out, and the person who runs this space with links revoke.`,
  )
}

export const noSuchLink = (id: string): ScriptoriumError =>
  new ScriptoriumError('NOT_FOUND_ERROR', `Expected the ID of a link, found ${id}; run links list to see them.`)

/** The most that the caller may allow others. */
export const grantableAccess = ({ link }: Space): AccessLevel => link.access

/** True if an access level allows nothing that the other does not. */
export const isWithinAccess = (one: AccessLevel, other: AccessLevel): boolean => narrowerAccess(one, other) === one
