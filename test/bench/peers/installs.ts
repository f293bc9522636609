/** What it takes to install each peer and to start it for the first time. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installationSize } from '../../support/installation-size.ts'
import { median } from '../figure.ts'
import { connectTo, type Store } from './connection.ts'
import type { Peer } from './peer.ts'
import type { Row } from './times.ts'

const ROUNDS = 3
const ROOT = join(import.meta.dirname, '../../..')

interface Installed {
  seconds: number
  megabytes: number
  packages: number
  /** The time from starting the process until its list of tools has arrived. */
  firstStart: number
}

/** Installs each peer from the registry and this project from its tarball, always with an empty cache. */
export async function installRows(peers: readonly Peer[], folder: string): Promise<Row[]> {
  mkdirSync(folder)
  const { stdout } = await npm(ROOT, 'pack', '--json', '--pack-destination', folder)
  const [{ filename, name, version }] = JSON.parse(stdout)
  const own = { package: name, version }
  const all = peers.map((): Installed[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, peer] of peers.entries()) {
      const place = join(folder, `${index}-${round}`)
      const { from = own } = peer
      const spec = peer.from === undefined ? join(folder, filename) : `${from.package}@${from.version}`
      all[index]?.push(await installOnce({ ...peer, from }, spec, place))
    }
  }
  const row = (what: string, unit: string, of: (one: Installed) => number): Row => ({
    what,
    unit,
    values: all.map((rounds) => median(rounds.map(of))),
  })
  return [
    row('install', 's', ({ seconds }) => seconds),
    row('installed', 'MB', ({ megabytes }) => megabytes),
    row('installed', 'packages', ({ packages }) => packages),
    row('first start, to the list of tools', 'ms', ({ firstStart }) => firstStart),
  ]
}

async function installOnce(peer: Peer, spec: string, place: string): Promise<Installed> {
  const notes = join(place, 'notes')
  mkdirSync(notes, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "private": true }')
  const from = performance.now()
  await npm(place, 'install', '--cache', join(place, 'cache'), '--no-fund', '--no-audit', spec)
  const seconds = (performance.now() - from) / 1000
  const { packages, bytes } = installationSize(join(place, 'node_modules'))
  peer.prepare?.(notes)
  const store: Store = { peer, folder: notes, ids: new Map(), packages: place }
  return { seconds, packages, megabytes: bytes / 1e6, firstStart: await firstStart(store, join(place, 'cache')) }
}

/** Measures the first start, without this server's compile cache. */
async function firstStart(store: Store, cache: string): Promise<number> {
  const { peer } = store
  const start: Peer['start'] = (folder) => {
    const { args, env } = peer.start(folder)
    return { args, env: { ...env, XDG_CACHE_HOME: cache } }
  }
  const from = performance.now()
  const connection = await connectTo({ ...store, peer: { ...peer, start } })
  await connection.client.listTools()
  const time = performance.now() - from
  await connection.close()
  return time
}

const npm = (cwd: string, ...args: string[]) =>
  promisify(execFile)('npm', args, { cwd, shell: process.platform === 'win32', maxBuffer: 16 * 1024 * 1024 })
