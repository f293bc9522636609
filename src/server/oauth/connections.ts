/**
 * Sign-ins as links: who signs in with a program has a link of the space from then on, which is listed and ended like
 * all others. Its secret is known to nobody, so that it opens with tokens alone.
 */
import { identityOf, insertSignIn, linkOfSignIn } from '../../../storage/identities.ts'
import { activeParticipants } from '../../../storage/participants.ts'
import { ScriptoriumError } from '../../errors.ts'
import { CLIENT_NAME_LENGTH } from '../../limits.ts'
import type { OpenSpace } from '../../space/open.ts'
import { ACCESSES, type Access, type Link, OWN_LINK, type Space } from '../../space/space.ts'
import { addLink, currentLink } from '../links.ts'
import type { Token } from './token.ts'

/** What was signed in with, and how it stands from now on. */
export interface Connection {
  link: Link
  /** Milliseconds for which the token stands. */
  lasts: number
  /** None once it was ended, or the participant left. */
  currentLink(): Promise<Link | undefined>
}

/**
 * @param access  what the token allows
 * @throws FORBIDDEN for whom the space does not know, and for what was revoked
 */
export async function connect(space: OpenSpace, token: Token, access: Access): Promise<Connection> {
  const { known, lasts } = await space.read(OWN_LINK, async (view) => ({
    known: await find(view, token, access),
    lasts: token.expiresAt - view.now,
  }))
  const link = known ?? (await space.write(OWN_LINK, (view) => make(view, token, access)))
  return {
    link,
    lasts,
    currentLink: () =>
      space.read(OWN_LINK, async (view) => {
        const now = await currentLink(view, link.id ?? '')
        return now && signedIn(now, link.author, access)
      }),
  }
}

/** A link reaches what it reaches, and lets do what both it and the token allow. */
const signedIn = (link: Link, author: string, access: Access): Link => ({
  ...link,
  author,
  access: ACCESSES[Math.max(ACCESSES.indexOf(link.access), ACCESSES.indexOf(access))] ?? 'read',
  isSignedIn: true,
})

/** @returns none where they sign in with this program for the first time */
async function find(view: Space, token: Token, access: Access): Promise<Link | undefined> {
  const id = token.link ?? (await knownSignIn(view, token))
  if (id === undefined) return undefined
  const link = await currentLink(view, id)
  if (link === undefined) {
    throw new ScriptoriumError(
      'FORBIDDEN',
      `Expected a connection that stands, found ${id}, which was revoked; ask whoever runs this space.`,
    )
  }
  const author = (await activeParticipants(view.tx)).find(({ n }) => n === link.participant)?.name ?? link.author
  return signedIn(link, author, access)
}

async function knownSignIn({ tx }: Space, token: Token): Promise<string | undefined> {
  const identity = await identityOf(tx, token)
  if (identity === undefined) throw unknown(token)
  return linkOfSignIn(tx, identity.n, token.client)
}

// Looked up again, since another request may have made it in the meantime.
async function make(view: Space, token: Token, access: Access): Promise<Link> {
  const found = await find(view, token, access)
  if (found !== undefined) return found
  const identity = await identityOf(view.tx, token)
  const whose = (await activeParticipants(view.tx)).find(({ n }) => n === identity?.participant)
  if (identity === undefined || whose === undefined) throw unknown(token)
  // It stands in lists, a line each.
  const client = token.client.slice(0, CLIENT_NAME_LENGTH).replace(/[^\x20-\x7e]/g, '?')
  const name = `signed in with ${client === '' ? 'a program' : client}`
  const asked = { kind: 'full', access: 'full', documents: [], isBearer: true, name, participant: whose.id } as const
  const { info } = await addLink(view, asked)
  await insertSignIn(view.tx, identity.n, token.client, info.id)
  const made = await find(view, token, access)
  if (made === undefined) throw new Error('Expected the link that was made.')
  return made
}

/** The same for a space that there is not, so that nobody learns which there are. */
export const unknown = ({ subject, issuer }: Token): ScriptoriumError =>
  new ScriptoriumError(
    'FORBIDDEN',
    `Expected someone who takes part in this space, found ${JSON.stringify(subject)} of ${issuer}; whoever runs it lets them in with participants add NAME --subject.`,
  )
