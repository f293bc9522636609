/** The lower bounds of a single call: a call that does nothing, on this server's SDK, and the disk. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { timed } from '../figure.ts'
import { connectTo, type Store } from './connection.ts'
import type { CallTool, Peer } from './peer.ts'
import { BEFORE, byTurns } from './times.ts'

const ROUNDS = 40
const PAGE = Buffer.alloc(4_096)

const echo = (call: CallTool) => () => call('echo', {})

const EMPTY: Peer = {
  name: 'empty',
  script: 'test/bench/echo-server.ts',
  start: () => ({ args: [] }),
  bulk: { notesPerCall: 1, calls: 1 },
  note: 'a tool that does nothing',
  open: (call) => ({ write: echo(call), read: echo(call), search: echo(call), list: echo(call) }),
}

/** @param beside  the store for comparison, whose folder and packages are used */
export async function floorTimes(beside: Store): Promise<string> {
  const { notes, close } = await connectTo({ ...beside, peer: EMPTY })
  for (let call = 0; call < BEFORE; call++) await notes.read('')
  const [call = Number.NaN] = await byTurns([notes], ROUNDS, () => timed(() => notes.read('')))
  await close()
  const file = openSync(join(beside.folder, 'page'), 'w')
  const flush = () => {
    writeSync(file, PAGE)
    fsyncSync(file)
  }
  const [kept = Number.NaN] = await byTurns([file], ROUNDS, () => timed(flush))
  closeSync(file)
  return `A tool that does nothing, on the SDK of scriptorium, answers in ${call.toFixed(2)} ms, and the disk keeps a page in ${kept.toFixed(2)}`
}
