/**
 * Inspects a write-ahead log for lost changes. SQLite itself reads a log up to the first invalid frame and does not
 * report what came after it.
 *
 * The formats are those of https://sqlite.org/walformat.html. Only for programs that have not opened the database:
 * closing the files here would drop the locks that SQLite holds on them in this process.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** The problem with a log, as a sentence ending; `lost` if committed changes are gone. */
export interface WalProblem {
  found: string
  lost: boolean
}

const LOG_HEADER_SIZE = 32
const FRAME_HEADER_SIZE = 24
/**
 * In the shared-memory index: size of its header, which is stored twice, and offset of the number of checkpointed
 * frames.
 */
const INDEX_HEADER_SIZE = 48
const CHECKPOINTED_OFFSET = 96

/** @returns undefined if the log is complete, or not needed */
export function findWalProblem(database: string): WalProblem | undefined {
  const problem = inspectLog(database)
  if (problem === undefined) return undefined
  // A process may be writing frames right now, so check twice.
  return inspectLog(database)?.found === problem.found ? problem : undefined
}

function inspectLog(database: string): WalProblem | undefined {
  // Read before the log, which is always ahead of its index.
  const index = readIndex(`${database}-shm`)
  const path = `${database}-wal`
  const log = existsSync(path) ? readLog(path) : undefined
  if (!existsSync(database)) {
    return log !== undefined && log.size > 0
      ? { found: `${path} lies there without its database`, lost: true }
      : undefined
  }
  const expected = index !== undefined && index.frames > index.folded ? index.frames : 0
  if (log === undefined || log.size === 0) {
    if (expected === 0) return undefined
    return { found: `${path} is missing or empty and had ${expected} frames that are not in the database`, lost: true }
  }
  if (!log.hasHeader) return { found: `the header of ${path} is not right, so that nothing in it is read`, lost: true }
  const isSame = index?.salts.equals(log.salts) === true
  if (isSame && log.validFrames < expected) {
    return { found: `${path} has ${log.validFrames} of its ${expected} frames`, lost: true }
  }
  if (log.commitsAfter > 0) {
    return {
      found: `frame ${log.validFrames + 1} of ${path} is damaged, and ${log.commitsAfter} commits come after it`,
      lost: true,
    }
  }
  if (log.trailingBytes > 0) return { found: `${path} ends within a frame that was never committed`, lost: false }
  return undefined
}

/** @returns undefined if there is no readable index */
function readIndex(path: string): { frames: number; folded: number; salts: Buffer } | undefined {
  if (!existsSync(path)) return undefined
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(CHECKPOINTED_OFFSET + 4)
    if (readSync(file, bytes, 0, bytes.length, 0) < bytes.length) return undefined
    const isWhole = bytes
      .subarray(0, INDEX_HEADER_SIZE)
      .equals(bytes.subarray(INDEX_HEADER_SIZE, 2 * INDEX_HEADER_SIZE))
    if (!isWhole || bytes[12] !== 1) return undefined
    // In the byte order of the machine; the salts have the same bytes as in the log.
    const frames = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    return { frames: frames[4] ?? 0, folded: frames[CHECKPOINTED_OFFSET / 4] ?? 0, salts: bytes.subarray(32, 40) }
  } finally {
    closeSync(file)
  }
}

interface LogState {
  size: number
  hasHeader: boolean
  salts: Buffer
  /** Number of valid frames from the first on. */
  validFrames: number
  /** Commits of the same log generation after an invalid frame. */
  commitsAfter: number
  /** Bytes after the last complete frame, if that belongs to this log generation. */
  trailingBytes: number
}

function readLog(path: string): LogState {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const empty: LogState = {
      size,
      hasHeader: false,
      salts: Buffer.alloc(8),
      validFrames: 0,
      commitsAfter: 0,
      trailingBytes: 0,
    }
    const header = Buffer.alloc(LOG_HEADER_SIZE)
    if (readSync(file, header, 0, LOG_HEADER_SIZE, 0) < LOG_HEADER_SIZE) return empty
    const magic = header.readUInt32BE(0)
    if (magic !== 0x377f0682 && magic !== 0x377f0683) return empty
    const isBig = magic === 0x377f0683
    const pageSize = header.readUInt32BE(8)
    let sum = checksum(header.subarray(0, 24), isBig, [0, 0])
    if (!isChecksum(header, 24, sum) || pageSize < 512 || pageSize > 65536) return empty
    const salts = Buffer.from(header.subarray(16, 24))
    const frame = Buffer.alloc(FRAME_HEADER_SIZE + pageSize)
    let [valid, commitsAfter, isValid] = [0, 0, true]
    let at = LOG_HEADER_SIZE
    for (; at + frame.length <= size; at += frame.length) {
      readSync(file, frame, 0, frame.length, at)
      // Frames of an earlier log generation follow those of this one.
      if (!frame.subarray(8, 16).equals(salts)) {
        if (isValid) return { ...empty, hasHeader: true, salts, validFrames: valid }
        continue
      }
      if (isValid) {
        sum = checksum(frame.subarray(0, 8), isBig, sum)
        sum = checksum(frame.subarray(FRAME_HEADER_SIZE), isBig, sum)
        isValid = isChecksum(frame, 16, sum)
        if (isValid) valid++
      } else if (frame.readUInt32BE(4) > 0) commitsAfter++
    }
    return { size, hasHeader: true, salts, validFrames: valid, commitsAfter, trailingBytes: size - at }
  } finally {
    closeSync(file)
  }
}

type Checksum = readonly [number, number]

const isChecksum = (bytes: Buffer, at: number, [first, second]: Checksum): boolean =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second

function checksum(bytes: Buffer, isBig: boolean, [first, second]: Checksum): Checksum {
  let [one, other] = [first, second]
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + other) >>> 0
    other = (other + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + one) >>> 0
  }
  return [one, other]
}
