/** Reads the recording of disk.c: each system call of a process on files below a folder. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** One system call. Paths are relative to the folder. A file or folder has a number, which stays when it is renamed. */
export type Step =
  | { does: 'make'; node: number; path: string; isFolder: boolean }
  | { does: 'write'; node: number; at: number; bytes: Buffer }
  | { does: 'truncate'; node: number; length: number }
  | { does: 'sync'; node: number }
  | { does: 'rename'; node: number; from: string; to: string }
  | { does: 'unlink'; path: string }
  /** A line was written to standard output. */
  | { does: 'tell'; text: string }

/** The size of a header in bytes, and the offsets of its fields. */
const HEADER = 24
const [DESCRIPTOR, AT, LENGTH] = [4, 8, 16]

/** Flags of open(2). */
const [O_CREAT, O_TRUNC] = [0o100, 0o1000]

/** The number of the folder itself. */
export const ROOT = 0

/** @throws for an impossible sequence, which means that some calls were not recorded */
export function readRecording(file: string, folder: string): Step[] {
  const record = readFileSync(file)
  const steps: Step[] = []
  const nodes = new Map<string, number>([['', ROOT]])
  const open = new Map<number, number>()
  let made = ROOT

  const make = (path: string, isFolder: boolean): number => {
    const node = ++made
    nodes.set(path, node)
    steps.push({ does: 'make', node, path, isFolder })
    return node
  }
  const nodeOf = (descriptor: number): number => {
    const node = open.get(descriptor)
    if (node === undefined) throw new Error(`Expected descriptor ${descriptor} to be open.`)
    return node
  }
  const opened = (descriptor: number, flags: number, path: string) => {
    const there = nodes.get(path)
    if (there === undefined && (flags & O_CREAT) === 0) throw new Error(`Expected ${path} to be made before.`)
    const node = there ?? make(path, false)
    if (there !== undefined && flags & O_TRUNC) steps.push({ does: 'truncate', node, length: 0 })
    open.set(descriptor, node)
  }

  for (let at = 0; at < record.length; ) {
    const kind = String.fromCharCode(record.readUInt32LE(at))
    const descriptor = record.readInt32LE(at + DESCRIPTOR)
    const number = Number(record.readBigUInt64LE(at + AT))
    const end = at + HEADER + Number(record.readBigUInt64LE(at + LENGTH))
    const bytes = record.subarray(at + HEADER, end)
    at = end
    const path = () => relative(folder, bytes.toString())
    if (kind === 'O') opened(descriptor, number, path())
    else if (kind === 'C') open.delete(descriptor)
    else if (kind === 'W') steps.push({ does: 'write', node: nodeOf(descriptor), at: number, bytes })
    else if (kind === 'T') steps.push({ does: 'truncate', node: nodeOf(descriptor), length: number })
    else if (kind === 'S') steps.push({ does: 'sync', node: nodeOf(descriptor) })
    else if (kind === 'M') make(path(), true)
    else if (kind === 'A') steps.push({ does: 'tell', text: bytes.toString() })
    else if (kind === 'U') {
      nodes.delete(path())
      steps.push({ does: 'unlink', path: path() })
    } else if (kind === 'R') {
      const [from = '', to = ''] = bytes
        .toString()
        .split('\0')
        .map((one) => relative(folder, one))
      const node = nodes.get(from)
      if (node === undefined) throw new Error(`Expected ${from} to be there.`)
      nodes.delete(from)
      nodes.set(to, node)
      steps.push({ does: 'rename', node, from, to })
    } else throw new Error(`Expected a call that is known, found ${kind}.`)
  }
  return steps
}
