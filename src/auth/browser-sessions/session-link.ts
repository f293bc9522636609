/** The link of a browser session, and the links of people who sign in to the pages with a password. */
import { accessLinkByConsent, accessLinkById, signedInName } from '../../../storage/access-links.ts'
import { groupLinkOf } from '../../../storage/group-links.ts'
import { passwordOfParticipant } from '../../../storage/passwords.ts'
import { narrowerAccess } from '../../space/model/access.ts'
import { guestAuthor } from '../../space/model/names.ts'
import type { AccessLink, Space } from '../../space/model/space.ts'
import { addAccessLink, getActiveLink } from '../access-links/access-links.ts'
import type { BrowserSession } from './browser-session.ts'

/** Prefix of the consent of links that were created by a password. */
const CONSENT = 'page '

/**
 * The current state of a session's link. Undefined if it was revoked or has expired, and for a link opened with a
 * password that has been changed since. The link of a sign-in writes under the name of the person who signed in.
 */
export async function getSessionLink(
  space: Space,
  { link: id, access, from, guest }: BrowserSession,
): Promise<AccessLink | undefined> {
  const { tx } = space
  const row = await accessLinkById(tx, id)
  const link = row && (await getActiveLink(space, id))
  if (row === undefined || link === undefined) return undefined
  if (row.consent?.startsWith(CONSENT)) {
    const password = await passwordOfParticipant(tx, row.participant)
    if (password === undefined || password.changedAt > from) return undefined
  }
  const person = await signedInName(tx, row.n)
  const narrowed = { ...link, access: narrowerAccess(link.access, access) }
  if (person !== undefined) return { ...narrowed, author: person, isSignedIn: true }
  const isGuest = narrowed.access === 'comment' && (await groupLinkOf(tx, row.n)) === undefined
  return isGuest ? guestLink(narrowed, guest) : narrowed
}

/** The link of a guest, who only reads before giving a name. */
const guestLink = (link: AccessLink, name: string | undefined): AccessLink => ({
  ...link,
  isGuest: true,
  ...(name === undefined ? { access: 'read' } : { author: guestAuthor(name) }),
})

/**
 * The ID of the link with which a participant uses the pages. Each participant has one, which is created at the first
 * sign-in, and again after it was revoked.
 *
 * @param participantId  the participant who signed in with a password
 */
export async function pageLinkOf(space: Space, participantId: string): Promise<string> {
  for (let time = 1; ; time++) {
    const consent = `${CONSENT}${participantId} ${time}`
    const row = await accessLinkByConsent(space.tx, consent)
    if (row === undefined) {
      const { info } = await addAccessLink(space, {
        kind: 'full',
        access: 'full',
        documents: [],
        name: 'the pages, signed in',
        isBearer: true,
        participant: participantId,
        consent,
        isOfPages: true,
      })
      return info.id
    }
    if (row.revokedAt === null) return row.id
  }
}
