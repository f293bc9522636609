/** Ends links and the participation of people, and decides what becomes of the work that they have open. */
import { accessLinkById } from '../../../storage/access-links.ts'
import { memberOfParticipant, memberThatIsLink } from '../../../storage/members.ts'
import { logCall } from '../../space/model/audit-log.ts'
import type { Space } from '../../space/model/space.ts'
import { decideOpenWork, type GivenWork, type WorkDecision } from '../../space/open-work/give-work.ts'
import { findParticipant, type Participant, removeParticipant } from '../../space/participants/participants.ts'
import { type AccessLinkInfo, revokeAccessLink } from './access-links.ts'

export { UNDECIDED } from '../../space/open-work/give-work.ts'

/** What was given to somebody else, if anything. */
export interface Ended<T> {
  ended: T
  given?: GivenWork
}

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR if the link has open work and nothing is decided about it */
export async function endLink(space: Space, id: string, decision: WorkDecision): Promise<Ended<AccessLinkInfo>> {
  const row = await accessLinkById(space.tx, id.toLowerCase())
  const member = row?.revokedAt === null ? await memberThatIsLink(space.tx, row.n, space.now) : undefined
  const given = member && (await decideOpenWork(space, member, decision))
  return { ended: await revokeAccessLink(space, id), ...(given && { given }) }
}

/**
 * Removes a participant.
 *
 * @throws VALIDATION_ERROR for one who does not exist or is the last one, and if there is open work and nothing is decided
 *   about it
 */
export async function endParticipant(
  space: Space,
  idOrName: string,
  decision: WorkDecision,
): Promise<Ended<Participant>> {
  const row = await findParticipant(space, idOrName)
  const member = row && (await memberOfParticipant(space.tx, row.n, space.now))
  const given = member && (await decideOpenWork(space, member, decision))
  return { ended: await removeParticipant(space, idOrName), ...(given && { given }) }
}

/**
 * Logs a call of the command line that ended somebody, so that what it gave to others can be undone.
 *
 * @returns the sentence that says so; undefined if nothing was given
 */
export async function logGivenWork(
  space: Space,
  endpoint: string,
  id: string,
  given: GivenWork | undefined,
  about: object,
): Promise<string | undefined> {
  const call = await logCall(space, endpoint, [id], { about })
  return given && givenSentence(given, space.spellId(call.id))
}

const givenSentence = ({ to, work }: GivenWork, call: string): string =>
  `${to} has ${work} now; scriptorium undo --call ${call} takes that back.`
