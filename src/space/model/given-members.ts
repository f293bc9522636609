/** Members as callers name them: by ID, by `@handle`, by name, or `me`. */
import { activeMembers, type MemberRow } from '../../../storage/members.ts'
import { invalid } from '../../base/errors.ts'
import { GivenId, readSpelledId } from './ids.ts'
import { type ConnectedMember, knownMembers, ownMember } from './member-reach.ts'

/** Stands for the member that the caller is. */
export const ME = 'me'

/** A member as a caller named it. It must be resolved before it is used, as every {@link GivenId}. */
export class GivenMember extends GivenId {
  readonly name: string

  /** True for a name as it was read, which may be that of no member. */
  readonly isNameToo: boolean

  constructor(text: string, { isNameToo = false } = {}) {
    super(text)
    this.name = text
    this.isNameToo = isNameToo
  }

  /** Every form has to be looked up. */
  override get isShort(): boolean {
    return false
  }

  /** The digits of the ID, once it is resolved. */
  get id(): string | undefined {
    return this.number > 0 ? String(this.number) : undefined
  }
}

/**
 * Looks up members that a caller named, among those that were not removed and that it may know of.
 *
 * @throws VALIDATION_ERROR for one that is not there, or is not the only one with its name
 */
export async function resolveMembers(
  space: ConnectedMember & { now: number },
  given: readonly GivenMember[],
): Promise<void> {
  if (given.length === 0) return
  const isKnown = await knownMembers(space)
  const members = (await activeMembers(space.tx, space.now)).filter(({ n }) => isKnown(n))
  const own = given.some(({ name }) => isMe(name)) ? await ownMember(space) : undefined
  for (const one of given) {
    if (isMe(one.name)) one.number = ownIn(members, own)
    else if (!one.isNameToo) one.number = memberNamed(members, one.name).id
    else one.number = onlyMember(members.filter(({ name }) => name === one.name))?.id
  }
}

const onlyMember = (found: readonly MemberRow[]): MemberRow | undefined => (found.length === 1 ? found[0] : undefined)

const isMe = (text: string): boolean => text.trim().toLowerCase() === ME

function ownIn(members: readonly MemberRow[], own: number | undefined): number {
  const found = members.find(({ n }) => n === own)
  if (found !== undefined) return found.id
  throw invalid(
    'Expected a connection that is a member of the space, found one without a link or under another name; name a member by ID, @handle or name.',
  )
}

/** Ways to name a member, the most exact first. */
const WAYS: readonly ((member: MemberRow, text: string) => boolean)[] = [
  ({ id }, text) => {
    const spelled = readSpelledId(text)
    return spelled.kind === 'number' && spelled.number === id
  },
  ({ handle }, text) => handle !== null && text.toLowerCase() === `@${handle}`,
  ({ name }, text) => name === text,
  ({ name, handle }, text) => [name.toLowerCase(), handle].includes(text.toLowerCase()),
]

/** The members that a text names, by the most exact way in which it names any. */
export function membersNamed(members: readonly MemberRow[], text: string): readonly MemberRow[] {
  for (const isNamed of WAYS) {
    const found = members.filter((member) => isNamed(member, text))
    if (found.length > 0) return found
  }
  return []
}

/**
 * The one member that a text names.
 *
 * @param hint  where the members are found, at the end of the message
 * @throws VALIDATION_ERROR if there is none, or several have this name
 */
export function memberNamed(members: readonly MemberRow[], given: string, hint = LISTED): MemberRow {
  const text = given.trim()
  const [found, ...others] = membersNamed(members, text)
  if (found !== undefined && others.length === 0) return found
  if (found !== undefined) {
    const ids = [found, ...others].map(({ id }) => id).join(', ')
    throw invalid(`Expected one member, found ${others.length + 1} with the name ${text}; name one by its ID: ${ids}.`)
  }
  throw invalid(`Expected a member by ID, @handle or name, found ${JSON.stringify(text.slice(0, 100))}; ${hint}.`)
}

const LISTED = 'connection_get lists the members, and me is the connection itself'
