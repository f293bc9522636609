/** Three servers behind a proxy use two databases. All of them crash again and again while many callers write. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from '../../bench/figure.ts'
import { DatabaseServer } from '../../support/database-server.ts'
import { freePorts } from '../../support/free-ports.ts'
import { startRoundRobin } from '../../support/round-robin.ts'
import { Tally } from '../crash/fleet.ts'
import { chance, type ProofContext, type ProofResult } from '../proof.ts'
import { Approvals } from './approvals.ts'
import type { CallStatistics } from './calling.ts'
import { Databases, type Replication } from './databases.ts'
import { LockRacers } from './lock-racers.ts'
import { makeSpace, moveToFile, ServedSpace } from './served-space.ts'
import { Subscribers } from './subscribers.ts'
import { UnkeyedWriters } from './unkeyed.ts'

const SERVERS = 3
const SPACES = 4
const WRITERS = 32
const UNKEYED_WRITERS = 4
const LOCK_RACERS = 4
/**
 * The maximum number of acknowledgements before a kill, and then of milliseconds, so that kills hit any moment of a
 * call.
 */
const ACKNOWLEDGED = 100
const PUT_OFF = 50
/** Milliseconds for which replication is stopped before the primary crashes. */
const STOPPED = 500

export interface ClusterOptions {
  /** The script of the program to run. */
  script: string
  replication: Replication
  /** How often the primary crashes, and how many servers are killed before each crash. */
  falls: number
  killsPerFall: number
  /** True to stop replication before each crash of the primary. */
  isSenderStopped?: boolean
}

/** The number of faults of each kind. */
export interface ClusterResult extends ProofResult {
  found: {
    lost: number
    doubled: number
    refused: number
    late: number
    misread: number
    untrue: number
    shared: number
    beside: number
  }
}

export async function runCluster(context: ProofContext, call: ClusterOptions): Promise<ClusterResult> {
  const { script, replication, falls, killsPerFall, isSenderStopped = false } = call
  const random = chance(context.seed)
  const databases = await Databases.start(replication)
  const ports = await freePorts(SERVERS)
  const servers = ports.map((port) => new DatabaseServer(script, databases.address, port))
  const proxy = await startRoundRobin(ports, random)
  try {
    // All start concurrently on an empty database.
    await Promise.all(servers.map((server) => server.start()))
    const { address } = databases
    const met: CallStatistics = { cut: 0, putOff: 0, longest: 0 }
    const tally = new Tally()
    let fallen = 0
    const spaces: ServedSpace[] = []
    for (let index = 0; index < SPACES; index++) {
      const name = `space-${index}`
      const linkUrl = `${proxy.origin}${await makeSpace(address, name)}`
      spaces.push(new ServedSpace(name, linkUrl, WRITERS / SPACES, random, met, tally))
    }
    const unkeyed = new UnkeyedWriters(`${proxy.origin}${await makeSpace(address, 'unkeyed')}/api/v1`, UNKEYED_WRITERS)
    const racedUrl = async (access: 'full' | 'propose') =>
      `${proxy.origin}${await makeSpace(address, 'raced', access)}/api/v1`
    const racers = new LockRacers(await racedUrl('full'), LOCK_RACERS)
    const approvals = new Approvals(await racedUrl('propose'), await racedUrl('full'), racers.page)
    const subscribers = new Subscribers(servers, await makeSpace(address, 'heard'), random, () => fallen)
    const over = Promise.all(spaces.map(({ running }) => running))
    const someAcknowledged = () => tally.after(1 + random() * ACKNOWLEDGED, over)

    const coming = new Set<Promise<void>>()
    const killServers = async () => {
      for (let kill = 0; kill < killsPerFall; kill++) {
        await someAcknowledged()
        await delay(random() * PUT_OFF)
        const listening = servers.filter(({ isListening }) => isListening)
        const server = listening[Math.floor(random() * listening.length)]
        await server?.kill()
        if (server !== undefined) coming.add(server.start())
      }
      await someAcknowledged()
    }
    for (let fall = 0; fall < falls; fall++) {
      await killServers()
      if (isSenderStopped) {
        await databases.stopSending()
        await delay(STOPPED)
      }
      fallen++
      await databases.failOver()
      fallen++
      context.log(`the primary fell ${fall + 1} times, ${tally.count} acknowledged`)
      await someAcknowledged()
      await databases.restoreStandby()
    }
    await killServers()
    await Promise.all(coming)
    await subscribers.stop()
    await unkeyed.stop()
    await approvals.stop()
    await racers.stop()
    await Promise.all(spaces.map((space) => space.stop()))
    await Promise.all(servers.map((server) => server.stop()))

    const folder = mkdtempSync(join(context.folder, 'moved-'))
    const looked = []
    for (const space of spaces) looked.push(space.inspect(await moveToFile(address, space.name, folder)))
    const untrue = [...unkeyed.faults, ...unkeyed.wrong(await moveToFile(address, 'unkeyed', folder))]
    const lost = looked.flatMap((one) => one.lost)
    const doubled = looked.flatMap((one) => one.doubled)
    const misread = looked.flatMap((one) => one.misread)
    const refused = spaces.flatMap((space) => space.refused)
    const late = subscribers.faults
    const shared = racers.faults
    const ended = servers.flatMap(({ faults }) => faults)
    return {
      figures: {
        servers: SERVERS,
        writers: WRITERS + UNKEYED_WRITERS + LOCK_RACERS,
        'kills -9 of servers': servers.reduce((sum, { kills }) => sum + kills, 0),
        'of the primary': falls,
        'calls acknowledged': tally.count,
        'cut off': met.cut,
        'asked to retry': met.putOff,
        'seconds until the last was answered': (met.longest / 1_000).toFixed(1),
        lost: lost.length,
        doubled: doubled.length,
        'refused for others': refused.length,
        'written without a key': unkeyed.count('written'),
        'not known': unkeyed.count('unknown'),
        untrue: untrue.length,
        'times a lock was taken': racers.turns,
        'by two': shared.length,
        'proposals approved beside them': approvals.count,
        'refused for what is beside': approvals.faults.length,
        'heard on another server': subscribers.times.length,
        'within milliseconds': Math.round(median(subscribers.times)),
        'at most': Math.round(Math.max(0, ...subscribers.times)),
        'read of the feed': spaces.reduce((sum, { readCalls }) => sum + readCalls, 0),
        misread: misread.length,
      },
      faults: [
        ...misread,
        ...refused,
        ...doubled,
        ...lost,
        ...untrue,
        ...shared,
        ...approvals.faults,
        ...ended,
        ...late,
      ].map((sentence) => `${sentence} (seed ${context.seed})`),
      found: {
        lost: lost.length,
        doubled: doubled.length,
        refused: refused.length,
        late: late.length,
        misread: misread.length,
        untrue: untrue.length,
        shared: shared.length,
        beside: approvals.faults.length,
      },
    }
  } finally {
    await proxy.close()
    await Promise.all(servers.map((server) => server.kill()))
    await databases.stop()
  }
}
