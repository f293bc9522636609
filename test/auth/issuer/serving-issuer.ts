/** A server whose space has its own issuer. Anna and Bob are participants with passwords. */
import { onTestFinished } from 'vitest'
import { spaceKey } from '../../../src/auth/access-links/access-links.ts'
import { EmbeddedIssuer, type EmbeddedIssuerOptions } from '../../../src/auth/issuer/embedded-issuer.ts'
import { RateLimiter } from '../../../src/call/rate-limiter.ts'
import { singleSpaceRegistry } from '../../../src/call/space-registry.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { hashPassword } from '../../../src/space/participants/passwords.ts'
import type { SignIns } from '../../../storage/sign-ins.ts'
import { openSignIns } from '../../../storage/sqlite/sign-ins.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { noticeSources } from '../../../tools/index.ts'
import { buildSpace } from '../../build.ts'
import { type Serving, type ServingOptions, serveBuilt } from '../../http/serving.ts'
import { quickPasswords } from '../../support/quick-passwords.ts'
import type { Person } from '../resource-server/host.ts'
import { Browser } from './browser.ts'

export interface ServingIssuer extends Serving {
  key: string
  mcp: string
  issuer: string
  signIns: SignIns
  /** The internal errors that the issuer reported. */
  faults: string[]
}

export const PASSWORDS = { Anna: 'correct horse', Bob: 'battery staple' } as const

const hashAll = () =>
  Promise.all(
    Object.entries(PASSWORDS).map(async ([name, password]) => ({ name, password: await hashPassword(password) })),
  )
/** Hashed like in the program, but only once, since it takes a while. */
let hashed: ReturnType<typeof hashAll> | undefined
const hashOnce = () => {
  hashed ??= hashAll()
  return hashed
}

interface Options extends ServingOptions {
  first?: EmbeddedIssuerOptions['initialAccess']
  documents?: EmbeddedIssuerOptions['metadataFetch']
}

export async function serveIssuer({ first = 'no-delete', documents, ...other }: Options = {}): Promise<ServingIssuer> {
  const to = other.to ?? (await buildSpace(':memory:', { clock: () => Date.now() }))
  const { space } = to
  const signIns = openSignIns(':memory:')
  onTestFinished(() => signIns.close())
  const budget = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 0 }, Date.now)
  const spaces = singleSpaceRegistry({ space, rateLimiter: budget, signIns, close: async () => {} }, noticeSources)
  const faults: string[] = []
  const report = (line: string) => void faults.push(line)
  const embedded = new EmbeddedIssuer({
    acquireSpace: (key) => spaces.acquire(key),
    initialAccess: first,
    report,
    ...(documents && { metadataFetch: documents }),
  })
  quickPasswords()
  await addPeople(space, hashAll())
  const serving = await serveBuilt({
    ...other,
    to,
    spaces,
    signIn: { issuer: embedded, embedded, initialAccess: first },
  })
  const key = spaceKey(space.info.id)
  const base = `http://127.0.0.1:${serving.port}/spaces/${key}`
  return { ...serving, key, signIns, faults, mcp: `${base}/mcp`, issuer: `${base}/oauth` }
}

/** Adds Anna and Bob to a space. */
export async function addPeople(space: OpenSpace, hashes = hashOnce()): Promise<void> {
  for (const { name, password } of await hashes) {
    await space.write(OPERATOR_LINK, (view) => addParticipant(view, name, { password }))
  }
}

/** The choices of a person on the pages. */
export interface Says {
  name?: keyof typeof PASSWORDS
  kind?: 'full' | 'selected' | 'daily'
  /** By default, what the page has preselected. */
  access?: 'full' | 'no-delete' | 'read'
  documents?: readonly string[]
  do?: 'allow' | 'refuse'
}

/** A person with a separate browser, who signs in if needed, and makes these choices for every client. */
export function person(answers: Says = {}, browser = new Browser()): Person {
  const { name = 'Anna', kind = 'full', documents = [], do: button = 'allow' } = answers
  return async (sentTo) => {
    let { html } = await browser.open(sentTo)
    if (html.includes('name="password"')) {
      html = (await browser.submit({ name, password: PASSWORDS[name], do: 'sign-in' })).html
    }
    if (html === '') return browser.seen.url.searchParams
    const access = answers.access ?? /name="access"[^>]* value="([^"]*)" checked/.exec(html)?.[1] ?? ''
    const { url } = await browser.submit({ kind, access, document: documents, do: button })
    return url.searchParams
  }
}
