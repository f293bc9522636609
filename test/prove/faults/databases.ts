/** The database of a space falls silent, loses connections without saying so, or is locked by another program. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { spaceAddress } from '../../../storage/postgres/address.ts'
import { type PostgresProxy, startProxy } from '../../support/postgres-proxy.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { databaseOf, type Scenario, type ScenarioContext } from './scenario.ts'
import { addDocument, type Reply, type Running, start, TRANSPORTS, titlesOf } from './transports.ts'

/**
 * Seconds in which a call must be answered, also on a busy machine. The program gives up after ten without a database,
 * and after five for a lock; a statement of its own may take sixty.
 */
const ANSWER_SECONDS = 25
const AGAIN_MS = 250
/** Calls that are made at the same time, of each kind. */
const CALLS = 3

/** What a refused call must say: that the caller may try again, and not that the server is at fault. */
const COMES_AGAIN = /try again|send the call again|send it again/

interface Answered {
  label: string
  reply: Reply
  seconds: number
}

/** Makes some writes and reads at the same time. */
async function callAtOnce(running: Running, titles: readonly string[]): Promise<Answered[]> {
  const timed = async (label: string, call: () => Promise<Reply>): Promise<Answered> => {
    const from = performance.now()
    const reply = await call()
    return { label, reply, seconds: (performance.now() - from) / 1000 }
  }
  return Promise.all([
    ...titles.map((title) => timed(title, () => addDocument(running, title))),
    ...titles.map(() => timed('a read', () => running.call('documents_list'))),
  ])
}

const titlesFor = (when: string): string[] => Array.from({ length: CALLS }, (_, index) => `${when} ${index}`)

/** Faults of responses: too late, or refused in other words than those of a database that is away for a while. */
const wrongAnswers = (answered: readonly Answered[]): string[] =>
  answered.flatMap(({ label, reply, seconds }) => [
    ...(seconds > ANSWER_SECONDS ? [`${label} was answered after ${seconds.toFixed(0)} seconds.`] : []),
    ...(reply.isRefused && !COMES_AGAIN.test(reply.text) ? [`${label} was refused with: ${reply.text}`] : []),
  ])

/** Calls until everything is answered again. @returns the faults, and the titles that were acknowledged */
async function recovered(running: Running): Promise<{ faults: string[]; acknowledged: string[] }> {
  const from = performance.now()
  const acknowledged: string[] = []
  const faults: string[] = []
  for (let round = 0; performance.now() - from < ANSWER_SECONDS * 1000; round++) {
    const answered = await callAtOnce(running, titlesFor(`After round ${round}`))
    faults.push(...wrongAnswers(answered))
    acknowledged.push(...acknowledgedOf(answered))
    if (answered.every(({ reply }) => !reply.isRefused)) return { faults, acknowledged }
    await delay(AGAIN_MS)
  }
  return { faults: [...faults, `calls were refused for ${ANSWER_SECONDS} seconds.`], acknowledged }
}

const acknowledgedOf = (answered: readonly Answered[]): string[] =>
  answered.filter(({ label, reply }) => label !== 'a read' && !reply.isRefused).map(({ label }) => label)

/** What a database does to a running program, and how it ends. */
interface Trouble {
  begin(): Promise<void> | void
  end(): Promise<void> | void
  /** True if calls cannot succeed until the trouble ends. */
  isTotal: boolean
}

async function survive(running: Running, { begin, end, isTotal }: Trouble): Promise<string[]> {
  const before = await callAtOnce(running, titlesFor('Before'))
  await begin()
  const during = await callAtOnce(running, titlesFor('During'))
  const done = during.filter(({ reply }) => isTotal && !reply.isRefused)
  await end()
  const { faults, acknowledged } = await recovered(running)
  const titles = await titlesOf(running)
  const expected = [...acknowledgedOf([...before, ...during]), ...acknowledged]
  const lost = expected.filter((title) => !titles.includes(title))
  const all = [
    ...before.filter(({ reply }) => reply.isRefused).map(({ reply }) => `before, a call was refused: ${reply.text}`),
    ...wrongAnswers(during),
    ...done.map(({ label }) => `${label} was answered without a database.`),
    ...faults,
    ...lost.map((title) => `${title} was acknowledged and is lost.`),
  ]
  return all.map((fault) => `over ${running.name}, ${fault}`)
}

async function surviveBehindProxy(
  context: ScenarioContext,
  troubleOf: (proxy: PostgresProxy) => Trouble,
): Promise<string[]> {
  const database = await databaseOf(context)
  const faults = TRANSPORTS.map(async (transport) => {
    const proxy = await startProxy(database)
    context.leave(() => proxy.close())
    const running = await start(transport, context, spaceAddress(proxy.address, randomUUID()))
    const found = await survive(running, troubleOf(proxy))
    await running.end()
    return found
  })
  return (await Promise.all(faults)).flat()
}

export const silent: Scenario = {
  name: 'the database falls silent, and answers again',
  planted: [
    {
      file: 'storage/postgres/database.ts',
      find: 'const UNREACHABLE_WAIT_MS = 10_000',
      replace: 'const UNREACHABLE_WAIT_MS = 100_000',
    },
  ],
  run: (context) =>
    surviveBehindProxy(context, (proxy) => ({
      begin: () => proxy.stop(),
      end: () => proxy.resume(),
      isTotal: true,
    })),
}

export const abandoned: Scenario = {
  name: 'the connections to the database are dead, and new ones are not',
  planted: [
    {
      file: 'storage/postgres/waiting-connections.ts',
      find: 'for (const { connection } of dead) connection.break()',
      replace: 'for (const { connection } of dead) void connection',
    },
    // The database would end them as well, and the first statement of a transaction has a timeout of its own.
    {
      file: 'storage/postgres/quick-query.ts',
      find: 'const QUICK_TIMEOUT_MS = 4_000',
      replace: 'const QUICK_TIMEOUT_MS = 40_000',
    },
    {
      file: 'storage/postgres/waiting-connections.ts',
      find: 'if (left.length > 0) await client.query',
      replace: 'if (left.length > Number.MAX_SAFE_INTEGER) await client.query',
    },
  ],
  run: (context) =>
    surviveBehindProxy(context, (proxy) => ({
      begin: () => proxy.abandon(),
      end: () => {},
      isTotal: false,
    })),
}

export const locked: Scenario = {
  name: 'another program locks a table of the database',
  planted: [
    {
      file: 'storage/postgres/open-storage.ts',
      find: 'const LOCK_WAIT_MS = 5_000',
      replace: 'const LOCK_WAIT_MS = 50_000',
    },
  ],
  async run(context) {
    // A lock concerns all spaces, so it has a database of its own.
    const database = await startPostgres()
    context.leave(() => database.stop())
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const running = await start(transport, context, spaceAddress(database.address, randomUUID()))
      const other = new pg.Client(database.address)
      await other.connect()
      const trouble: Trouble = {
        begin: async () => void (await other.query('BEGIN; LOCK TABLE document IN ACCESS EXCLUSIVE MODE')),
        end: async () => void (await other.query('ROLLBACK')),
        isTotal: true,
      }
      faults.push(...(await survive(running, trouble)))
      await other.end()
      await running.end()
    }
    return faults
  },
}
