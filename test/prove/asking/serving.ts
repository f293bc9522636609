/** A space that is served over HTTP in this process, to links and to those who sign in at its own issuer. */

import {
  addAccessLink,
  exposeDocuments,
  listAccessLinkInfos,
  revokeAccessLink,
  spaceKey,
} from '../../../src/auth/access-links/access-links.ts'
import { EmbeddedIssuer } from '../../../src/auth/issuer/embedded-issuer.ts'
import { AddressRateLimiter, RateLimiter } from '../../../src/call/rate-limiter.ts'
import { singleSpaceRegistry } from '../../../src/call/space-registry.ts'
import { serveHttp } from '../../../src/http/app.ts'
import { type AccessLink, type ConnectionKind, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { hashPassword } from '../../../src/space/participants/passwords.ts'
import { openSignIns } from '../../../storage/sqlite/sign-ins.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { endpoints, noticeSources, prompts, resources, skills } from '../../../tools/index.ts'
import { instructionsFor } from '../../../tools/instructions.ts'
import { Browser } from '../../auth/issuer/browser.ts'
import { type PlainHost, plainHost } from '../../auth/issuer/plain-host.ts'
import { connectionOf } from '../../sqlite.ts'
import type { Address } from './over-http.ts'

/** A connection that was made: its address, and the ID of its link. */
export interface Opened extends Address {
  linkId: string
}

export interface SpaceServer {
  /** A link whose secret comes in a header. */
  bearer(kind: ConnectionKind, documents: readonly string[], access?: AccessLink['access']): Promise<Opened>
  /** The owner of the space signs in with a program, by the pages of the issuer, and lets it do all that it may. */
  signedIn(kind: ConnectionKind, documents: readonly string[]): Promise<Opened>
  expose(linkId: string, documents: readonly string[]): Promise<void>
  revoke(linkId: string): Promise<void>
  close(): Promise<void>
}

export interface ServingOptions {
  /** The time that the space is told. */
  clock(): number
  /** What calls are given in place of the space; links are made in the space itself. */
  as?: OpenSpace
  budget?: RateLimiter
}

const OWNER = 'Owner'
const PASSWORD = 'correct horse battery'
/** Hashed once: it takes its time. */
let hashed: Promise<string> | undefined

export async function serveSpace(
  space: OpenSpace,
  { clock, as = space, budget }: ServingOptions,
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
    addressLimiter: new AddressRateLimiter(0, clock),
    signIn: { issuer: embedded, embedded, initialAccess: 'full' },
    logger: { warn: report, request: () => {} },
  })
  const { origin } = server
  const onSpace = <T>(work: Parameters<typeof space.write<T>>[1]) => space.write(OPERATOR_LINK, work)
  /** The last link gets an ID that says how many there are, not one by chance: addresses of files have it in them. */
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
      const asked = { kind, access, documents, isBearer: true, participant: OWNER } as const
      const { secret } = await onSpace((view) => addAccessLink(view, asked))
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

/** @returns the code with which the program gets its token */
async function consent(host: PlainHost, kind: ConnectionKind, documents: readonly string[]): Promise<string> {
  const browser = new Browser()
  await browser.open(host.authorization({ scope: 'space:read space:write space:delete' }))
  await browser.submit({ name: OWNER, password: PASSWORD, do: 'sign-in' })
  const { url, html } = await browser.submit({ kind, access: 'full', document: documents, do: 'allow' })
  const code = url.searchParams.get('code')
  if (code === null) throw new Error(`Expected to be let in, found ${html}.`)
  return code
}

/** Tokens are made by the system's time, which is made that of the space while somebody signs in. */
async function atTime<T>(time: number, work: () => Promise<T>): Promise<T> {
  const { now } = Date
  Date.now = () => time
  try {
    return await work()
  } finally {
    Date.now = now
  }
}
