/**
 * Makes processes that write: for each line on standard input, a space and a socket, it forks one that takes calls as
 * lines over the socket. See fork.c for how, and with what it is to be started.
 */
import { readlinkSync, readSync } from 'node:fs'
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'
import { SMALLEST_ID } from '../../../src/space/model/ids.ts'
import { openAnswering } from './answering.ts'
import type { Asked } from './asked.ts'
import { ask } from './fleet.ts'
import { Lane } from './lane.ts'

/** What fork.c takes for a fork. */
const FORK = 0o531
const IS_CHILD = 1

const STANDARD_INPUT = 0

// What V8 has compiled by then no child has to compile. In memory, and with IDs of its own, since children would have
// the chance that is left over from it in common.
let ids = 0
const { answer, close } = await openAnswering(':memory:', {
  newUuid: () => `warm-${++ids}`,
  drawIds: (count) => Array.from({ length: count }, () => SMALLEST_ID + ++ids),
})
const lane = new Lane('warm', 1)
for (let call = 0; call < 60; call++) lane.settle((await ask({ call: answer }, lane.next(true)))?.answer ?? {})
await close()

const buffer = Buffer.alloc(4096)
/** Waits for a line as nothing else can happen meanwhile: what a child has of its parent is at rest. */
function readLine(): string | undefined {
  const length = readSync(STANDARD_INPUT, buffer)
  return length === 0 ? undefined : buffer.toString('utf8', 0, length)
}

console.log('ready')
for (let line = readLine(); line !== undefined; line = readLine()) {
  if (process.umask(FORK) !== IS_CHILD) continue
  await write(line)
  break
}

async function write(line: string): Promise<void> {
  // Node looked it up at its start.
  Object.defineProperty(process, 'pid', { value: Number(readlinkSync('/proc/self')) })
  const { space, path } = JSON.parse(line) as { space: string; path: string }
  const socket = createConnection(path)
  const tell = (told: object) => void socket.write(`${JSON.stringify(told)}\n`)
  tell({ opening: process.pid })
  const opened = await openAnswering(space)
  tell({ ready: process.pid })
  const going = new Set<Promise<void>>()
  for await (const asked of createInterface(socket)) {
    const one = opened.answer(JSON.parse(asked) as Asked).then(tell)
    going.add(one)
    void one.finally(() => going.delete(one))
  }
  await Promise.all(going)
  await opened.close()
  process.kill(process.pid, 'SIGKILL')
}
