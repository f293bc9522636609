/** Unauthenticated requests must not block the server, no matter what they contain. */
import { hostileBodies, ROUTES, send } from '../../../http/unauthenticated.ts'
import type { Attack } from '../attack.ts'
import { HOLD, longestHold } from '../loop.ts'
import type { AttackedServer } from '../server.ts'
import { program, signInUrl, Visitor } from '../sign-in.ts'
import type { World } from '../world.ts'

const MIB = 1024 * 1024
const FORM = 'application/x-www-form-urlencoded'
/** A query nearly as long as headers may be. */
const QUERY = `?${'a&'.repeat(7_000)}`

/** A server that no other attack uses. */
const measured = (world: World): Promise<AttackedServer> => world.serve({ flags: ['--oauth'], hasOwner: false })

const heldBy = (held: number, what: string): string[] =>
  held > HOLD ? [`${what} held the event loop for ${held} ms, more than ${HOLD} ms`] : []

async function sendAll(world: World): Promise<string[]> {
  const server = await measured(world)
  const key = new URL(await signInUrl(server)).pathname.split('/')[2] ?? ''
  for (const path of Object.values(ROUTES).flatMap((pathsOf) => pathsOf(key))) {
    // The first request does one-time work, which must not be measured.
    await send(server.origin, path)
    const query = await longestHold(server, () => send(server.origin, `${path}${QUERY}`))
    for (const { name, type, body } of hostileBodies()) {
      const headers = { 'content-type': type }
      const sent = { method: 'POST', headers, body: body(MIB) }
      const held = await longestHold(server, () => send(server.origin, path, sent))
      const faults = [...heldBy(query, `${path} with a long query`), ...heldBy(held, `${path} with ${name}`)]
      // One fault is enough, and each measurement takes its time.
      if (faults.length > 0) return faults
    }
  }
  return []
}

export const bodies: Attack = { finding: 1, name: 'bodies and queries that take long to parse', attempt: sendAll }

/** The password page is public, so anyone can submit its form. */
async function sendForm(world: World, form: string): Promise<number> {
  const server = await measured(world)
  const { browser } = await Visitor.open(await program(server))
  const { url } = browser.seen
  const headers = { 'content-type': FORM, cookie: browser.cookieFor(url), origin: url.origin }
  const sent = { method: 'POST', headers, body: `token=${browser.hidden('token')}&do=sign-in&${form}` }
  return longestHold(server, () => send(server.origin, url.pathname, sent))
}

export const form: Attack = {
  finding: 1,
  name: 'a form that takes long to parse, at a page that was opened',
  attempt: async (world) => heldBy(await sendForm(world, 'a&'.repeat(MIB / 2)), 'a form of 1 MiB'),
}

export const normalized: Attack = {
  finding: 4,
  name: 'a name that takes long to normalize',
  async attempt(world) {
    const name = '\ufdfa'.repeat(1.5 * MIB)
    return heldBy(await sendForm(world, `name=${name}&password=${name}`), 'a name of 4.5 MiB')
  },
}
