/** Makes system calls of a running process fail, by instructions to disk.c. */
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { constants } from 'node:os'

/** System calls that can fail: their bits in disk.c, and roughly how many of them a few writes make. */
export const KINDS = {
  fsync: { bit: 1, span: 12 },
  pwrite: { bit: 2, span: 150 },
  ftruncate: { bit: 4, span: 1 },
  open: { bit: 8, span: 6 },
  rename: { bit: 16, span: 2 },
  unlink: { bit: 32, span: 2 },
  mkdir: { bit: 64, span: 2 },
} as const

export type Kind = keyof typeof KINDS
export type FaultError = 'EIO' | 'ENOSPC'

/** The size and offsets of `struct faults` in disk.c. */
const SIZE = 40
const [FROM, SEEN, FAILED] = [8, 24, 32]
const FOR_GOOD = 2n ** 62n

export class Faults {
  readonly path: string
  readonly #descriptor: number

  constructor(path: string) {
    this.path = path
    this.#descriptor = openSync(path, 'w+')
    ftruncateSync(this.#descriptor, SIZE)
  }

  /** Makes a call fail, the `from`th of its kind counted from now, and all later ones if `isForGood` is true. */
  set(kind: Kind, error: FaultError, from: number, isForGood: boolean): void {
    this.clear()
    const wanted = Buffer.alloc(SIZE)
    wanted.writeUInt32LE(KINDS[kind].bit, 0)
    wanted.writeUInt32LE(constants.errno[error], 4)
    wanted.writeBigUInt64LE(BigInt(from), FROM)
    wanted.writeBigUInt64LE(isForGood ? FOR_GOOD : 1n, FROM + 8)
    // First how many calls and when, and then the kind of call, which turns the fault on.
    writeSync(this.#descriptor, wanted, FROM, SIZE - FROM, FROM)
    writeSync(this.#descriptor, wanted, 0, FROM, 0)
  }

  /** Turns all faults off. */
  clear(): void {
    writeSync(this.#descriptor, Buffer.alloc(4), 0, 4, 0)
  }

  get failed(): number {
    const found = Buffer.alloc(SIZE)
    readSync(this.#descriptor, found, 0, SIZE, 0)
    return found.readBigUInt64LE(SEEN) === 0n ? 0 : Number(found.readBigUInt64LE(FAILED))
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
