/** Runs the same job on this server and on others, in one run and with the same client. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../../scripts/build.ts'
import { installed } from '../../installed.ts'
import { inFolder } from '../workbench.ts'
import { answerTokens, listedTitles, narrowerLists } from './answers.ts'
import type { Store } from './connection.ts'
import { floorTimes } from './floors.ts'
import { installRows } from './installs.ts'
import { libsql } from './libsql.ts'
import { mcpvault } from './mcpvault.ts'
import { memory } from './memory.ts'
import { obsidian } from './obsidian.ts'
import type { Peer } from './peer.ts'
import { scriptorium } from './scriptorium.ts'
import { keptOf } from './stored-notes.ts'
import { type KeptRow, markdownTable, worseFigures } from './table.ts'
import { callTimes, fill, type Row, startTimes } from './times.ts'

/** This server is first: the others are shown in relation to it. */
const PEERS: readonly Peer[] = [scriptorium, mcpvault, obsidian, libsql, memory]
const SMALL = 1_000
const LARGE = 5_000
const ROUNDS = 11
/** The number of rounds on large stores, where some servers take half a minute for one response. */
const LARGE_ROUNDS = 5

const PARALLEL = [
  ['notes', 1, '20 new notes at once'],
  ['notes', 2, '40 new notes at once from two processes'],
  ['lines', 1, '20 lines at once into one note'],
  ['lines', 2, '40 lines at once into one note from two processes'],
] as const

/** @returns the table, with notes */
export const sideBySide = (log: (line: string) => void): Promise<string> =>
  inFolder(async (folder) => {
    await build()
    const versions = PEERS.flatMap(({ from }) => (from === undefined ? [] : [[from.package, from.version] as const]))
    const packages = await installed(Object.fromEntries(versions))
    const stores = (name: string) => PEERS.map((peer) => newStore(peer, join(folder, name, peer.name), packages))

    const installs = await installRows(PEERS, join(folder, 'installs'))
    log('installed')
    const small = await measured(stores('small'), SMALL, log, true)
    const large = await measured(stores('large'), LARGE, log, false)
    const kept = await parallel(stores('parallel'), log)
    const rows = [...installs, ...small.rows, ...large.rows, ...small.tokens]
    return [
      markdownTable(PEERS, rows, kept),
      '',
      ...PEERS.map(({ name, from, note }) => `- ${name}${from ? ` ${from.version}` : ''}: ${note}.`),
      ...[small, large].map(
        ({ count, titles }) =>
          `- Titles in the list of ${count}: ${PEERS.map(({ name }, of) => `${name} ${titles[of]}`).join(', ')}.`,
      ),
      ...small.notes.map((line) => `- ${line}.`),
      '',
      'Behind:',
      ...worseFigures(PEERS, rows).map((line) => `- ${line}`),
    ].join('\n')
  })

function newStore(peer: Peer, folder: string, packages: string): Store {
  mkdirSync(folder, { recursive: true })
  peer.prepare?.(folder)
  return { peer, folder, ids: new Map(), packages }
}

async function measured(stores: readonly Store[], count: number, log: (line: string) => void, hasMore: boolean) {
  const { connections, row } = await fill(stores, count, log)
  const [own] = stores
  const tokens: Row[] = hasMore ? await answerTokens(connections, count) : []
  const titles = await listedTitles(connections)
  const notes = hasMore && own !== undefined ? [...(await narrowerLists(own)), await floorTimes(own)] : []
  const rows: Row[] = [row, ...(await callTimes(connections, count, hasMore ? ROUNDS : LARGE_ROUNDS))]
  for (const connection of connections) await connection.close()
  if (hasMore) rows.unshift(await startTimes(stores))
  log(`${count} notes measured`)
  return { count, rows, tokens, titles, notes }
}

async function parallel(stores: readonly Store[], log: (line: string) => void): Promise<KeptRow[]> {
  const rows: KeptRow[] = []
  for (const [of, processes, what] of PARALLEL) {
    const values: KeptRow['values'] = []
    for (const store of stores) values.push(await keptOf(store, of, processes))
    rows.push({ what, values })
    log(what)
  }
  return rows
}
