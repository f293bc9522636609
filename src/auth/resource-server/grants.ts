/**
 * Sign-ins as links: a participant who signs in with a program gets a link of the space, which is listed and revoked
 * like all others. No one knows its secret, so it only works with tokens.
 */
import { accessLinkOfSignIn, findIdentity, insertSignIn } from '../../../storage/identities.ts'
import { activeParticipants } from '../../../storage/participants.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { CLIENT_NAME_LENGTH } from '../../base/limits.ts'
import { connectionNameOf } from '../../call/connection-names.ts'
import { narrowerAccess } from '../../space/model/access.ts'
import { logOccurrence } from '../../space/model/audit-log.ts'
import { type AccessLevel, type AccessLink, OPERATOR_LINK, type Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { addAccessLink, getActiveLink } from '../access-links/access-links.ts'
import type { AccessToken } from './access-token.ts'

/** The result of a sign-in, and its current state. */
export interface SignInGrant {
  link: AccessLink
  /** Remaining lifetime of the token in milliseconds. */
  lifetime: number
  /** Undefined if the link was revoked or the participant left. */
  currentLink(): Promise<AccessLink | undefined>
}

/**
 * @param access  the access that the token allows
 * @throws FORBIDDEN for people unknown to the space, and for revoked links
 */
export async function openGrant(space: OpenSpace, token: AccessToken, access: AccessLevel): Promise<SignInGrant> {
  const { known: existing, lasts: lifetime } = await space.read(OPERATOR_LINK, async (view) => ({
    known: await findGrantLink(view, token, access),
    lasts: token.expiresAt - view.now,
  }))
  const link = existing ?? (await space.write(OPERATOR_LINK, (view) => addGrantLink(view, token, access)))
  return {
    link,
    lifetime,
    currentLink: () =>
      space.read(OPERATOR_LINK, async (view) => {
        const active = await getActiveLink(view, link.id ?? '')
        return active && narrowLink(active, link.author, access)
      }),
  }
}

/**
 * The link, with its access limited to that of the token. All tokens of a sign-in are one connection, which MCP
 * sessions divide further.
 */
const narrowLink = (link: AccessLink, author: string, access: AccessLevel): AccessLink => ({
  ...link,
  author,
  ...(link.id !== undefined && { connection: connectionNameOf(link.id) }),
  access: narrowerAccess(link.access, access),
  isSignedIn: true,
})

/** @returns undefined if this is the first sign-in with this program */
async function findGrantLink(view: Space, token: AccessToken, access: AccessLevel): Promise<AccessLink | undefined> {
  const id = token.link ?? (await findSignInLinkId(view, token))
  if (id === undefined) return undefined
  const link = await getActiveLink(view, id)
  if (link === undefined) {
    throw new ScriptoriumError(
      'FORBIDDEN',
      `Expected a connection that is still allowed, found ${id}, which was revoked; ask the person who runs this space.`,
    )
  }
  const author = (await activeParticipants(view.tx)).find(({ n }) => n === link.participant)?.name ?? link.author
  return narrowLink(link, author, access)
}

async function findSignInLinkId({ tx }: Space, token: AccessToken): Promise<string | undefined> {
  const identity = await findIdentity(tx, token)
  if (identity === undefined) throw unknownSubject(token)
  return accessLinkOfSignIn(tx, identity.n, token.client)
}

// Looked up again, since another request may have created it in the meantime.
async function addGrantLink(view: Space, token: AccessToken, access: AccessLevel): Promise<AccessLink> {
  const found = await findGrantLink(view, token, access)
  if (found !== undefined) return found
  const identity = await findIdentity(view.tx, token)
  const participant = (await activeParticipants(view.tx)).find(({ n }) => n === identity?.participant)
  if (identity === undefined || participant === undefined) throw unknownSubject(token)
  // Limited, since it is shown on one line of lists.
  const client = token.client.slice(0, CLIENT_NAME_LENGTH).replace(/[^\x20-\x7e]/g, '?')
  const name = `signed in with ${client === '' ? 'a program' : client}`
  const newLink = {
    kind: 'full',
    access: 'full',
    documents: [],
    isBearer: true,
    name,
    participant: participant.id,
  } as const
  const { info } = await addAccessLink(view, newLink)
  await insertSignIn(view.tx, identity.n, token.client, info.id)
  const signedIn = view.withLink({ ...OPERATOR_LINK, author: participant.name })
  await logOccurrence(signedIn, 'links_add', { ids: [info.id], about: { signedInWith: client } })
  const added = await findGrantLink(view, token, access)
  if (added === undefined) throw new Error('Expected the link that was made.')
  return added
}

/** Also used for spaces that do not exist, so that it does not reveal which exist. */
export const unknownSubject = ({ subject, issuer }: AccessToken): ScriptoriumError =>
  new ScriptoriumError(
    'FORBIDDEN',
    `Expected someone who takes part in this space, found ${JSON.stringify(subject)} of ${issuer}; the person who runs it can let them in with participants add NAME --subject.`,
  )
