/** Serves a space over HTTP in this process, to access links and to participants who sign in at its own issuer. */

import {
  addAccessLink,
  exposeDocuments,
  listAccessLinkInfos,
  revokeAccessLink,
  spaceKey,
} from '../../../src/auth/access-links/access-links.ts'
import { EmbeddedIssuer } from '../../../src/auth/issuer/embedded-issuer.ts'
import { logFaultsTo } from '../../../src/base/logger.ts'
import { AddressRateLimiter, RateLimiter } from '../../../src/call/rate-limiter.ts'
import { singleSpaceRegistry } from '../../../src/call/space-registry.ts'
import { serveHttp } from '../../../src/http/app.ts'
import { type AccessLink, type ConnectionKind, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { hashPassword } from '../../../src/space/participants/passwords.ts'
import { Subscriptions } from '../../../src/webhooks/subscriptions.ts'
import { openSignIns } from '../../../storage/sqlite/sign-ins.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { endpoints, noticeSources, prompts, resources, skills } from '../../../tools/index.ts'
import { instructionsFor } from '../../../tools/instructions.ts'
import { Browser } from '../../auth/issuer/browser.ts'
import { type PlainHost, plainHost } from '../../auth/issuer/plain-host.ts'
import { connectionOf } from '../../sqlite.ts'
import type { Address } from './over-http.ts'

/** A connection that was created: its address and the ID of its access link. */
export interface Opened extends Address {
  linkId: string
}

export interface SpaceServer {
  /** Creates an access link whose secret is sent in a header. */
  bearer(kind: ConnectionKind, documents: readonly string[], access?: AccessLink['access']): Promise<Opened>
  /** Signs the owner in with a program, through the issuer's pages, and grants the program full access. */
  signedIn(kind: ConnectionKind, documents: readonly string[]): Promise<Opened>
  expose(linkId: string, documents: readonly string[]): Promise<void>
  revoke(linkId: string): Promise<void>
  close(): Promise<void>
}

export interface ServingOptions {
  /** The clock of the space. */
  clock(): number
  /** The space that calls run on, if it is not the one in which links are created. */
  as?: OpenSpace
  budget?: RateLimiter
  /** Requests that an address may make in ten seconds; no limit if absent. */
  requestsPerAddress?: number
}

/** Events are only sent to receivers of the proofs. */
export const isThisMachine = (address: string): boolean => address.startsWith('127.')

const OWNER = 'Owner'
const PASSWORD = 'correct horse battery'
/** Hashed once, since hashing is slow. */
let hashed: Promise<string> | undefined

export async function serveSpace(
  space: OpenSpace,
  { clock, as = space, budget, requestsPerAddress = 0 }: ServingOptions,
): Promise<SpaceServer> {
  const signIns = openSignIns(':memory:')
  const limits = budget ?? new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 0 }, clock)
  const spaces = singleSpaceRegistry({ space: as, rateLimiter: limits, signIns, close: async () => {} }, noticeSources)
  const faults: string[] = []
  const report = (line: string) => void faults.push(line)
  const embedded = new EmbeddedIssuer({
    acquireSpace: (key) => spaces.acquire(key),
    initialAccess: 'full',
    clock,
    report,
  })
  const server = await serveHttp({
    instructions: instructionsFor,
    ...{
      endpoints,
      resources,
      prompts,
      skills,
      spaces,
      version: '0.0.0',
      host: '127.0.0.1',
      port: 0,
      trustsProxy: false,
    },
    addressLimiter: new AddressRateLimiter(requestsPerAddress, clock),
    signIn: { issuer: embedded, embedded, initialAccess: 'full' },
    subscriptions: new Subscriptions({ version: '0.0.0', isAllowed: isThisMachine }),
    logger: logFaultsTo(report),
  })
  const { origin } = server
  const onSpace = <T>(work: Parameters<typeof space.write<T>>[1]) => space.write(OPERATOR_LINK, work)
  /** Replaces the random ID of the newest link by its ordinal number: addresses of files contain it. */
  const rename = () =>
    onSpace(async (view) => {
      const links = await listAccessLinkInfos(view)
      const linkId = `${spaceKey(space.info.id)}${String(links.length).padStart(12, '0')}`
      connectionOf(view.tx)
        .sql('UPDATE link SET id = ? WHERE id = ?')
        .run(linkId, links.at(-1)?.id ?? '')
      return linkId
    })
  return {
    async bearer(kind, documents, access = 'full') {
      const options = { kind, access, documents, isBearer: true, participant: OWNER } as const
      const { secret } = await onSpace((view) => addAccessLink(view, options))
      const linkId = await rename()
      return { origin, path: `/links/${linkId}`, headers: { authorization: `Bearer ${secret}` }, linkId }
    },
    async signedIn(kind, documents) {
      hashed ??= hashPassword(PASSWORD)
      const password = await hashed
      await onSpace((view) => addParticipant(view, OWNER, { password }))
      const path = `/spaces/${spaceKey(space.info.id)}`
      return atTime(clock(), async () => {
        const host = await plainHost(`${origin}${path}/mcp`)
        const code = await consent(host, kind, documents)
        const linkId = await rename()
        const { access_token: token, error } = await host.token(code)
        if (token === undefined) throw new Error(`Expected a token, found ${error}.`)
        return { origin, path, headers: { authorization: `Bearer ${token}` }, linkId }
      })
    },
    expose: async (linkId, documents) => void (await onSpace((view) => exposeDocuments(view, linkId, documents))),
    revoke: async (linkId) => void (await onSpace((view) => revokeAccessLink(view, linkId))),
    async close() {
      await server.close()
      signIns.close()
      if (faults.length > 0) throw new Error(`the server blamed itself: ${faults.join('; ')}`)
    },
  }
}

/** @returns the authorization code */
async function consent(host: PlainHost, kind: ConnectionKind, documents: readonly string[]): Promise<string> {
  const browser = new Browser()
  await browser.open(host.authorization({ scope: 'space:read space:write space:delete' }))
  await browser.submit({ name: OWNER, password: PASSWORD, do: 'sign-in' })
  const { url, html } = await browser.submit({ kind, access: 'full', document: documents, do: 'allow' })
  const code = url.searchParams.get('code')
  if (code === null) throw new Error(`Expected to be let in, found ${html}.`)
  return code
}

/** Tokens use the system clock, which is set to the time of the space during a sign-in. */
async function atTime<T>(time: number, work: () => Promise<T>): Promise<T> {
  const { now } = Date
  Date.now = () => time
  try {
    return await work()
  } finally {
    Date.now = now
  }
}
