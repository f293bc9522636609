/** Requests of an address are counted over all servers of a database. */
import { randomInt, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { addressKey } from '../../src/base/client-address.ts'
import { SharedAddressLimiter } from '../../src/call/shared-address-limiter.ts'
import { type AddressScope, DatabaseAddressUsage } from '../../storage/postgres/address-usage.ts'
import { type Database, releaseDatabase, useDatabase } from '../../storage/postgres/database.ts'
import { TEST_DATABASE } from '../build.ts'
import { makeLink, type ServingOptions, serveBuilt } from '../http/serving.ts'
import { servePages } from '../page/visiting.ts'
import { start } from '../program.ts'

const WINDOW_MS = 10_000

/** The database as another process has it, with separate connections. */
async function connect(process: number): Promise<Database> {
  const database = await useDatabase(`${TEST_DATABASE}&fallback_application_name=limits${process}`)
  onTestFinished(() => releaseDatabase(database))
  return database
}

/** Limiters of two processes, with a clock that the test controls. */
async function limiters(limit: number, scope?: AddressScope) {
  const clock = { now: 0 }
  const databases = [await connect(1), await connect(2)] as const
  const [one, other] = databases.map(
    (database) => new SharedAddressLimiter(new DatabaseAddressUsage(database, scope), limit, () => clock.now),
  ) as [SharedAddressLimiter, SharedAddressLimiter]
  return { clock, database: databases[0], one, other }
}

/** An address that no other test counts. */
const newAddress = (): string => `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(1, 65_536).toString(16)}::1`

const usageOf = async (
  database: Database,
  address: string,
  scope: AddressScope = 'agents',
): Promise<number | undefined> => {
  const text = 'SELECT used FROM address_usage WHERE address = $1'
  const key = scope === 'agents' ? addressKey(address) : `${scope} ${addressKey(address)}`
  const { rows } = await database.withClient((client) => client.query<{ used: number }>(text, [key]))
  return rows[0]?.used
}

/** Pretends that this time has passed in the database. */
const letPass = (database: Database, address: string, ms: number) =>
  database.withClient((client) =>
    client.query('UPDATE address_usage SET start = start - $2 WHERE address = $1', [addressKey(address), ms]),
  )

const USED_UP =
  'Expected at most 3 requests in 10 seconds from one address, found them used up by all its connections together. Retry after'

test('two servers count an address together, and refund what its space rejects', async () => {
  const { database, one, other } = await limiters(3)
  const serve = (options: ServingOptions) => serveBuilt({ trustsProxy: true, ...options })
  const first = await serve({ addressLimiter: one })
  const second = await serve({ addressLimiter: other, to: first, limits: { requests: 1, blocks: 0 } })
  const [link, there] = [await first.link(), await makeLink(first, second.server.origin)]
  const [address, stranger] = [newAddress(), newAddress()]
  const from = (client: string) => ({ 'x-forwarded-for': client })
  const statusOf = async (ask: typeof link.ask, client = address) =>
    (await ask('GET /connection', undefined, from(client))).status
  expect(await statusOf(link.ask)).toBe(200)
  // The window outlasts this test even on a busy machine.
  await letPass(database, address, 1 - WINDOW_MS)
  expect(await statusOf(there.ask)).toBe(200)
  // By the limit of the space.
  expect(await statusOf(there.ask)).toBe(429)
  expect(await usageOf(database, address)).toBe(2)
  // Attempts with secrets are counted as well.
  expect((await second.ask('GET /links/none/api/v1/connection', undefined, from(address))).status).toBe(401)
  for (const ask of [link.ask, there.ask]) {
    const { status, json } = await ask('GET /connection', undefined, from(address))
    expect([status, json.error.replace(/ \d+ seconds\.$/, '')]).toEqual([429, USED_UP])
  }
  expect(await usageOf(database, address)).toBe(3)
  expect(await statusOf(link.ask, stranger)).toBe(200)
})

test('of concurrent requests to both, as many pass as the limit allows', async () => {
  const { database, one, other } = await limiters(7)
  const address = newAddress()
  const all = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? one : other).acquire(address))
  const settled = await Promise.allSettled(all)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  expect(await usageOf(database, address)).toBe(7)
})

test('several requests at once are counted all or none', async () => {
  const { database, one, other } = await limiters(3)
  const address = newAddress()
  await expect(one.acquire(address, 4)).rejects.toThrow(`${USED_UP} 10 seconds.`)
  expect(await usageOf(database, address)).toBe(undefined)
  await one.acquire(address, 2)
  await expect(other.acquire(address, 2)).rejects.toThrow('from one address')
  await other.acquire(address)
  expect(await usageOf(database, address)).toBe(3)
})

test('an expired window starts again, and those of others are removed', async () => {
  const { clock, database, one, other } = await limiters(1)
  const [address, gone] = [newAddress(), newAddress()]
  await one.acquire(gone)
  await letPass(database, gone, WINDOW_MS)
  await one.acquire(address)
  await expect(one.acquire(address)).rejects.toThrow('Expected at most 1 request in 10 seconds from one address')
  await letPass(database, address, WINDOW_MS)
  clock.now += WINDOW_MS
  await one.acquire(address)
  expect(await usageOf(database, address)).toBe(1)
  // Its first count: each process checks once per window.
  await other.acquire(newAddress())
  expect(await usageOf(database, gone)).toBe(undefined)
})

test('a limit of 0 sends no query to the database', async () => {
  const { database, one } = await limiters(0)
  const address = newAddress()
  await one.acquire(address, 1000)
  expect(await usageOf(database, address)).toBe(undefined)
})

test('the pages of two servers count an address together, apart from its calls', async () => {
  const { database, one, other } = await limiters(4, 'pages')
  const first = await servePages({ trustsProxy: true, pageLimiter: one })
  const second = await servePages({ trustsProxy: true, pageLimiter: other, to: first })
  const address = newAddress()
  const headers = { 'x-forwarded-for': address }
  const { secret } = await makeLink(first, first.server.origin)
  const visit = async (origin: string): Promise<number> =>
    (await fetch(`${origin}/links/${secret}/view`, { redirect: 'manual', headers })).status
  const origins = [first.server.origin, second.server.origin, first.server.origin, second.server.origin]
  for (const origin of origins) expect(await visit(origin)).toBe(303)
  expect([await visit(origins[0] ?? ''), await visit(origins[1] ?? '')]).toEqual([429, 429])
  expect([await usageOf(database, address, 'pages'), await usageOf(database, address)]).toEqual([4, undefined])
})

test('programs that serve one space of a database count an address together', async () => {
  const { database } = await limiters(0)
  const place = `${TEST_DATABASE}#${randomUUID()}`
  const args = ['serve', '--space', place, '--port', '0', '--trusted-proxies', '127.0.0.1', '--limit-ip', '3']
  const address = newAddress()
  const statusAt = async (origin: string, path: string): Promise<number> =>
    (await fetch(`${origin}${path}`, { headers: { 'x-forwarded-for': address }, redirect: 'manual' })).status
  const statuses: number[] = []
  const served = await Promise.all([start(args), start(args)].map((server) => server.until(/Serving at (\S+);/)))
  const origins = served.map(([, origin = '']) => origin)
  for (let turn = 0; turn < 4; turn++) {
    statuses.push(await statusAt(origins[turn % 2] ?? '', '/links/none/api/v1/connection'))
    // The window outlasts this test even on a busy machine.
    if (turn === 0) await letPass(database, address, 1 - WINDOW_MS)
  }
  expect(statuses).toEqual([401, 401, 401, 429])
  await statusAt(origins[0] ?? '', '/links/none/view')
  expect([await usageOf(database, address, 'pages'), await usageOf(database, address)]).toEqual([1, 3])
})
