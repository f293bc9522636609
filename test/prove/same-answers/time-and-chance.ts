/**
 * Loaded into the program with `--import`, before any of its own modules.
 *
 * The parent process sets the time, in milliseconds since 1970. Until it does, and in worker threads, the time is that
 * of the environment variable PROOF_TIME.
 *
 * Random bytes are derived from PROOF_SEED. Most of them become IDs or secrets, which comparisons number anyway. But
 * searches also look for patterns in file addresses, and would find different matches in each run.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { chance } from '../proof.ts'

const RealDate = Date
let now = Number(process.env.PROOF_TIME)

class FixedDate extends RealDate {
  // Passes any arguments on to Date.
  constructor(...args: [] | [number]) {
    super(...(args.length === 0 ? ([now] as const) : args))
  }

  static override now(): number {
    return now
  }
}

globalThis.Date = FixedDate as DateConstructor

/** Returns a generator with a series of its own, so that calls of one source do not affect the others. */
function seededBytes(series: number): (into: Uint8Array) => void {
  const next = chance(Number(process.env.PROOF_SEED) * 10 + series)
  return (into) => {
    for (let at = 0; at < into.length; at++) into[at] = Math.floor(next() * 256)
  }
}

const [fillValues, fillBytes] = [seededBytes(1), seededBytes(2)]

globalThis.crypto.getRandomValues = (array) => {
  if (array !== null) fillValues(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return array
}
crypto.randomBytes = ((size: number, callback?: (error: null, bytes: Buffer) => void) => {
  const bytes = Buffer.alloc(size)
  fillBytes(bytes)
  if (callback === undefined) return bytes
  queueMicrotask(() => callback(null, bytes))
  return undefined
}) as typeof crypto.randomBytes
syncBuiltinESMExports()

process.on('message', (time: number) => {
  now = time
  process.send?.(time)
})
// Waiting for the next message does not keep the process running.
process.channel?.unref()
