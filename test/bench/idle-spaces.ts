/** What many idle spaces cost a database. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openWorkbench, type Workbench } from './workbench.ts'

/** The number of spaces that are created concurrently. */
const AT_ONCE = 20
/** Milliseconds after which all work caused by opening the spaces has ended. */
const SETTLING_MS = 1_000

export interface Idle {
  /** The number of connections that the process has. */
  connections: number
  /** How many of them ran a statement while all spaces were idle. */
  used: number
  /** Bytes per space in the database. */
  bytes: number
}

interface ConnectionActivity {
  connections: number
  last: string
  size: string
}

const TELL = `SELECT count(*)::integer AS connections, max(state_change)::text AS last, pg_database_size(current_database()) AS size
  FROM pg_stat_activity WHERE application_name = 'scriptorium'`
const USED = `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = 'scriptorium' AND state_change > $1::timestamptz`

/** @param seconds  how long they stay open and idle */
export async function idleSpaces(address: string, count: number, seconds: number): Promise<Idle> {
  const observer = new pg.Client(address)
  await observer.connect()
  const readActivity = async (): Promise<ConnectionActivity> =>
    (await observer.query<ConnectionActivity>(TELL)).rows[0] as ConnectionActivity
  const before = await readActivity()
  const open: Workbench[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from(
      { length: Math.min(AT_ONCE, count - from) },
      (_, index) => `${address}#idle-${from + index}`,
    )
    open.push(...(await Promise.all(some.map((place) => openWorkbench(place)))))
  }
  await delay(SETTLING_MS)
  const after = await readActivity()
  await delay(seconds * 1_000)
  const { rows } = await observer.query<{ count: number }>(USED, [after.last])
  await observer.end()
  await Promise.all(open.map((bench) => bench.close()))
  return {
    connections: after.connections,
    used: rows[0]?.count ?? Number.NaN,
    bytes: (Number(after.size) - Number(before.size)) / count,
  }
}
