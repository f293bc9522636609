/** Members as values and filters name them: by ID, `person://ID`, `@handle`, name, or `me`. */
import { activeMembers, type MemberRow, membersByIds } from '../../../storage/members.ts'
import { ME, membersNamed } from '../model/given-members.ts'
import { knownMembers, ownMember } from '../model/member-reach.ts'
import type { Space } from '../model/space.ts'

/**
 * Finds the members that texts name, among those whom the connection knows. A removed member is found by its ID alone. A
 * name that several have finds none of them.
 */
export async function findReferencedMembers(
  space: Space,
  references: Iterable<string>,
): Promise<ReadonlyMap<string, MemberRow>> {
  const texts = new Set(references)
  if (texts.size === 0) return new Map()
  const isKnown = await knownMembers(space)
  const active = (await activeMembers(space.tx, space.now)).filter(({ n }) => isKnown(n))
  const numbers = await space.readIds(texts)
  const rows = await membersByIds(space.tx, [...new Set(numbers.values())], space.now)
  const byId = new Map(rows.filter(({ n }) => isKnown(n)).map((row) => [row.id, row]))
  const own = texts.has(ME) ? await ownMember(space) : undefined
  const found = new Map<string, MemberRow>()
  for (const text of texts) {
    const withId = byId.get(numbers.get(text) ?? 0)
    const [row, ...others] = text === ME ? active.filter(({ n }) => n === own) : membersNamed(active, text.trim())
    const one = withId ?? (others.length === 0 ? row : undefined)
    if (one !== undefined) found.set(text, one)
  }
  return found
}

/** The end of a message about a text that names no member. */
export const unknownMember = (reference: string): string =>
  `Expected a member whom this connection knows, by ID, @handle or name, found ${JSON.stringify(reference.slice(0, 60))}; connection_get lists the members.`
