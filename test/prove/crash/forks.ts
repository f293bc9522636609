/**
 * Forks writing processes: for each line on standard input, which names a space and a socket, it forks a process that
 * receives calls as lines over the socket. See fork.c for how this works and how to start it.
 */
import { readlinkSync, readSync } from 'node:fs'
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'
import { SMALLEST_ID } from '../../../src/space/model/ids.ts'
import { openAnswering } from './answering.ts'
import { ask } from './fleet.ts'
import type { KeyedCall } from './keyed-call.ts'
import { Lane } from './lane.ts'

/** The mode that fork.c interprets as a fork. */
const FORK = 0o531
const IS_CHILD = 1

const STANDARD_INPUT = 0

// Warms up V8, so that no child has to compile this code. It uses memory and IDs of its own: children would otherwise
// share the rest of the parent's random pool.
let ids = 0
const { answer, close } = await openAnswering(':memory:', {
  newUuid: () => `warm-${++ids}`,
  generateIds: (count) => Array.from({ length: count }, () => SMALLEST_ID + ++ids),
})
const lane = new Lane('warm', 1)
for (let call = 0; call < 60; call++) lane.acknowledge((await ask({ call: answer }, lane.next(true)))?.answer ?? {})
await close()

const buffer = Buffer.alloc(4096)
/** Blocks until there is a line, so that nothing else is in progress in the parent when it forks. */
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
  // Node caches the process ID at startup, so a fork has its parent's.
  Object.defineProperty(process, 'pid', { value: Number(readlinkSync('/proc/self')) })
  const { space, path } = JSON.parse(line) as { space: string; path: string }
  const socket = createConnection(path)
  const send = (response: object) => void socket.write(`${JSON.stringify(response)}\n`)
  send({ opening: process.pid })
  const opened = await openAnswering(space)
  send({ ready: process.pid })
  const going = new Set<Promise<void>>()
  for await (const message of createInterface(socket)) {
    const one = opened.answer(JSON.parse(message) as KeyedCall).then(send)
    going.add(one)
    void one.finally(() => going.delete(one))
  }
  await Promise.all(going)
  await opened.close()
  process.kill(process.pid, 'SIGKILL')
}
