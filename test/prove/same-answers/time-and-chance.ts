/**
 * Loaded into the program with `--import`, before any of its own modules.
 *
 * The time is what the parent process says, in milliseconds since 1970. Until it says something, and in worker threads,
 * it is that of the environment variable PROOF_TIME.
 *
 * Random bytes follow from PROOF_SEED. Most of what is made of them is an ID or a secret, which comparisons number
 * anyway; but patterns are searched for in addresses of files too, and would find other letters in each run.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { chance } from '../proof.ts'

const RealDate = Date
let now = Number(process.env.PROOF_TIME)

class FixedDate extends RealDate {
  // The arguments are those of Date, whatever they are.
  constructor(...args: [] | [number]) {
    super(...(args.length === 0 ? ([now] as const) : args))
  }

  static override now(): number {
    return now
  }
}

globalThis.Date = FixedDate as DateConstructor

/** Bytes of a series of their own, so that how often one source is asked does not change what another gives. */
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
// Waiting for the next time does not keep the program from ending.
process.channel?.unref()
