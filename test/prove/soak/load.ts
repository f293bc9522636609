/** Puts a mixed load on a server for some time at a limited pace, and measures the server's resources. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProofContext } from '../proof.ts'
import { bigFile } from './file.ts'
import { type Held, makeSpaces, SoakServer } from './server.ts'
import { Session } from './session.ts'

export interface Load {
  /** The duration of the load in seconds. The first quarter is the warm-up. */
  seconds: number
  /** Seconds of load after which resident memory is read, to be compared with that after the rest. */
  earlySeconds: number
  /** Seconds without any calls, after the load and before the last measurement. */
  restSeconds: number
  stdio: number
  /** Calls per second, over all sessions. */
  pace: number
  /** The size of the file that is uploaded and downloaded at the beginning, in bytes. */
  fileBytes?: number
  /** Modules that the server process loads before the program. */
  modules?: readonly string[]
}

export interface Soaked {
  samples: Held[]
  /** Resident memory in bytes, early under load and after the rest. */
  early: number
  rested: number
  calls: number
  errors: string[]
  spaces: number
  sessions: number
  fileBytes: number
}

const SPACES = 50
const SESSIONS = 100
const SAMPLES = 48
/** Searches for a pattern that start at the same moment, after every twelfth sample. */
const PATTERNS_AT_ONCE = 40
const SAMPLES_PER_SEARCH = 12
const MINUTE = 60_000
const OVER_HTTP = ['2025', '2026', 'rest'] as const

export async function soak({ folder, log }: ProofContext, load: Load): Promise<Soaked> {
  const spacesFolder = join(folder, 'spaces')
  mkdirSync(spacesFolder)
  const made = await makeSpaces(spacesFolder, SPACES)
  const server = await SoakServer.start(spacesFolder, load.modules ?? [])
  const ways = [
    ...Array.from({ length: SESSIONS }, (_, index) => OVER_HTTP[index % OVER_HTTP.length] ?? 'rest'),
    ...Array.from({ length: load.stdio }, () => 'stdio' as const),
  ]
  const sessions = ways.flatMap((way, index) => {
    const space = made[index % SPACES]
    return space === undefined ? [] : new Session(way, space, server.origin)
  })
  const result = { calls: 0, errors: [] as string[], samples: [] as Held[] }
  const stop = new AbortController()
  try {
    const fileBytes = load.fileBytes ?? 0
    if (fileBytes > 0) await bigFile(`${server.origin}/links/${made[0]?.secret}/api/v1`, fileBytes)
    // Sequentially, and before the measurements: what is opened and filled once and for all is not a leak.
    for (const session of sessions) await session.warmUp()
    const start = performance.now()
    const turn = (sessions.length / load.pace) * 1000
    const running = sessions.map((session, index) =>
      keepAsking(session, index / sessions.length, turn, result, stop.signal),
    )
    const every = (load.seconds * 1000) / SAMPLES
    const secondsSoFar = () => (performance.now() - start) / 1000
    let early = 0
    while (secondsSoFar() < load.seconds) {
      await delay(every)
      const held = await server.held()
      result.samples.push(held)
      if (result.samples.length % SAMPLES_PER_SEARCH === 0) {
        await searchAtOnce(sessions.slice(0, PATTERNS_AT_ONCE), result)
      }
      if (early === 0 && secondsSoFar() >= load.earlySeconds) early = held.resident
      if (every > MINUTE || result.samples.length % 8 === 0) log(lineOf(result, secondsSoFar()))
    }
    stop.abort()
    await Promise.all(running)
    await Promise.all(sessions.map((session) => session.close()))
    await delay(load.restSeconds * 1000)
    const { resident: rested } = await server.held()
    log(`after a rest of ${load.restSeconds} s: ${(rested / MIB).toFixed(1)} MiB resident`)
    return { ...result, early, rested, spaces: SPACES, sessions: sessions.length, fileBytes }
  } finally {
    stop.abort()
    await Promise.allSettled(sessions.map((session) => session.close()))
    const code = await server.close()
    if (code !== 0) result.errors.push(`Expected the server to end with 0, found ${code}.`)
  }
}

/**
 * Makes one call per turn. A session that is late does not catch up.
 *
 * @param share  the fraction of a turn that it waits at first, so that sessions do not all call at the same time
 * @param turn  milliseconds between two calls
 */
async function keepAsking(
  session: Session,
  share: number,
  turn: number,
  result: Pick<Soaked, 'calls' | 'errors'>,
  signal: AbortSignal,
): Promise<void> {
  await delay(share * turn)
  while (!signal.aborted) {
    const from = performance.now()
    try {
      await session.step()
    } catch (error) {
      result.errors.push(String(error))
    }
    result.calls++
    // This delay only sets the pace of the load. It does not wait for a result.
    await delay(Math.max(0, turn - (performance.now() - from)), undefined, { signal }).catch(() => {})
  }
}

async function searchAtOnce(sessions: readonly Session[], result: Pick<Soaked, 'calls' | 'errors'>): Promise<void> {
  const searches = await Promise.allSettled(sessions.map((session) => session.searchPattern()))
  result.calls += searches.length
  for (const search of searches) if (search.status === 'rejected') result.errors.push(String(search.reason))
}

const MIB = 1024 * 1024
function lineOf({ calls, errors, samples }: Pick<Soaked, 'calls' | 'errors' | 'samples'>, seconds: number): string {
  const last = samples.at(-1)
  if (last === undefined) return ''
  const [used, resident] = [last.used, last.resident].map((bytes) => (bytes / MIB).toFixed(1))
  return (
    `${seconds.toFixed(0)} s: ${calls} calls, ${errors.length} errors, ${used} MiB used, ${resident} resident, ` +
    `${last.files} files and ${last.others} others open, WAL ${last.log.toFixed(1)} MiB`
  )
}
