/**
 * A process that writes to a space. It reads calls as lines from standard input, runs them concurrently, and writes
 * acknowledgements as lines to standard output.
 *
 *     node writer.js SPACE
 */
import { writeSync } from 'node:fs'
import module from 'node:module'
import { createInterface } from 'node:readline'
import type { Acknowledged, KeyedCall } from './keyed-call.ts'

module.enableCompileCache?.()
const { openAnswering } = await import('./answering.ts')

const STANDARD_OUTPUT = 1

/** Writes synchronously, so that the acknowledgement has a definite position among the recorded system calls. */
const send = (line: Acknowledged | { ready: number }) => void writeSync(STANDARD_OUTPUT, `${JSON.stringify(line)}\n`)

const { answer, close } = await openAnswering(process.argv[2] ?? '')
const going = new Set<Promise<void>>()
send({ ready: process.pid })
for await (const line of createInterface(process.stdin)) {
  const one = answer(JSON.parse(line) as KeyedCall).then(send)
  going.add(one)
  void one.finally(() => going.delete(one))
}
await Promise.all(going)
await close()
