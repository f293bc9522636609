/** A space that is served over HTTP in this process, to links and to those who sign in at its own issuer. */

import { AddressBudget, Budget } from '../../../src/server/budget.ts'
import { serveHttp } from '../../../src/server/http.ts'
import { EmbeddedIssuer } from '../../../src/server/issuer/issuer.ts'
import { addLink, exposeDocuments, listLinks, revokeLink, spaceKey } from '../../../src/server/links.ts'
import { oneSpace } from '../../../src/server/spaces.ts'
import type { OpenSpace } from '../../../src/space/open.ts'
import { addParticipant } from '../../../src/space/participants.ts'
import { hashPassword } from '../../../src/space/passwords.ts'
import { type Kind, OWN_LINK } from '../../../src/space/space.ts'
import { openSignIns } from '../../../storage/sign-ins.ts'
import { openUsage } from '../../../storage/usage.ts'
import { announcements, endpoints, resources } from '../../../tools/index.ts'
import { Browser } from '../../server/issuer/browser.ts'
import { plainHost } from '../../server/issuer/plain-host.ts'
import type { Address } from './over-http.ts'

/** A connection that was made: its address, and the ID of its link. */
export interface Opened extends Address {
  linkId: string
}

export interface SpaceServer {
  /** A link whose secret comes in a header. */
  bearer(kind: Kind, documents: readonly string[]): Promise<Opened>
  /** The owner of the space signs in with a program, by the pages of the issuer, and lets it do all that it may. */
  signedIn(kind: Kind, documents: readonly string[]): Promise<Opened>
  expose(linkId: string, documents: readonly string[]): Promise<void>
  revoke(linkId: string): Promise<void>
  close(): Promise<void>
}

export interface ServingOptions {
  /** The time that the space is told. */
  clock(): number
  /** What calls are given in place of the space; links are made in the space itself. */
  as?: OpenSpace
  budget?: Budget
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
  const limits = budget ?? new Budget(openUsage(':memory:'), { requests: 0, blocks: 0 }, clock)
  const spaces = oneSpace({ space: as, budget: limits, signIns, close: async () => {} }, announcements)
  const faults: string[] = []
  const report = (line: string) => void faults.push(line)
  const embedded = new EmbeddedIssuer({ hold: (key) => spaces.hold(key), first: 'full', clock, report })
  const server = await serveHttp({
    ...{ endpoints, resources, spaces, version: '0.0.0', host: '127.0.0.1', port: 0, trustsProxy: false },
    addresses: new AddressBudget(0, clock),
    signIn: { issuer: embedded, embedded, first: 'full' },
    journal: { note: report, request: () => {} },
  })
  const { origin } = server
  const onSpace = <T>(work: Parameters<typeof space.write<T>>[1]) => space.write(OWN_LINK, work)
  return {
    async bearer(kind, documents) {
      const asked = { kind, access: 'full', documents, isBearer: true, participant: OWNER } as const
      const { info, secret } = await onSpace((view) => addLink(view, asked))
      const headers = { authorization: `Bearer ${secret}` }
      return { origin, path: `/links/${info.id}`, headers, linkId: info.id }
    },
    async signedIn(kind, documents) {
      hashed ??= hashPassword(PASSWORD)
      const password = await hashed
      await onSpace((view) => addParticipant(view, OWNER, { password }))
      const path = `/spaces/${spaceKey(space.info.id)}`
      const token = await atTime(clock(), () => signIn(`${origin}${path}/mcp`, kind, documents))
      const links = await space.read(OWN_LINK, listLinks)
      return { origin, path, headers: { authorization: `Bearer ${token}` }, linkId: links.at(-1)?.id ?? '' }
    },
    expose: async (linkId, documents) => void (await onSpace((view) => exposeDocuments(view, linkId, documents))),
    revoke: async (linkId) => void (await onSpace((view) => revokeLink(view, linkId))),
    async close() {
      await server.close()
      signIns.close()
      if (faults.length > 0) throw new Error(`the server blamed itself: ${faults.join('; ')}`)
    },
  }
}

/** @returns an access token */
async function signIn(mcp: string, kind: Kind, documents: readonly string[]): Promise<string> {
  const host = await plainHost(mcp)
  const browser = new Browser()
  await browser.open(host.authorization({ scope: 'space:read space:write space:delete' }))
  await browser.submit({ name: OWNER, password: PASSWORD, do: 'sign-in' })
  const { url, html } = await browser.submit({ kind, access: 'full', document: documents, do: 'allow' })
  const { access_token: token } = await host.token(url.searchParams.get('code') ?? '')
  if (token === undefined) throw new Error(`Expected to be let in, found ${html}.`)
  return token
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
