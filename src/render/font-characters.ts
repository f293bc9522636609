/**
 * Which characters a font file has. Only its `cmap` is read: fonts of many letters are tens of megabytes long, and a
 * machine can have hundreds of them. Source: OpenType 1.9, "cmap" and "Font Collections".
 */
import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes of a table that is read; the largest known has 700 KB. */
const MAX_TABLE_LENGTH = 4 * 1024 * 1024
const MAX_TABLES = 200
const TABLE_RECORD = 16
const ENCODING_RECORD = 8
const COLLECTION = 0x74746366
const CMAP = 0x636d6170

/**
 * Whether a font has a character. Of a collection the first font is looked at: the others have the same characters.
 *
 * @returns undefined for a file that is no font or cannot be read
 */
export function readFontCharacters(file: string): ((codePoint: number) => boolean) | undefined {
  try {
    const handle = openSync(file, 'r')
    try {
      const table = readCmap(handle)
      const has = table && findSubtable(table)
      return has && ((codePoint) => falseIfDamaged(() => has(codePoint)))
    } finally {
      closeSync(handle)
    }
  } catch {
    // A file that is damaged or belongs to another user has nothing to offer.
    return undefined
  }
}

/** A table that ends before its entries do has nothing to offer, either. */
function falseIfDamaged(read: () => boolean): boolean {
  try {
    return read()
  } catch {
    return false
  }
}

function readCmap(handle: number): Buffer | undefined {
  const header = readBytes(handle, 0, 16)
  const start = header.readUInt32BE(0) === COLLECTION ? header.readUInt32BE(12) : 0
  const count = readBytes(handle, start, 12).readUInt16BE(4)
  const records = readBytes(handle, start + 12, TABLE_RECORD * Math.min(count, MAX_TABLES))
  for (let at = 0; at < records.length; at += TABLE_RECORD) {
    if (records.readUInt32BE(at) !== CMAP) continue
    const length = Math.min(records.readUInt32BE(at + 12), MAX_TABLE_LENGTH)
    return readBytes(handle, records.readUInt32BE(at + 8), length)
  }
  return undefined
}

/** @throws RangeError where a file ends before that */
function readBytes(handle: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const read = readSync(handle, bytes, 0, length, position)
  return bytes.subarray(0, read)
}

/** The subtable with all of Unicode where there is one, otherwise that with its first 65,536 characters. */
function findSubtable(table: Buffer): ((codePoint: number) => boolean) | undefined {
  let segments: Buffer | undefined
  for (let index = 0; index < table.readUInt16BE(2); index++) {
    const subtable = table.subarray(table.readUInt32BE(4 + index * ENCODING_RECORD + 4))
    const format = subtable.readUInt16BE(0)
    if (format === 12) return (codePoint) => isInGroups(subtable, codePoint)
    if (format === 4) segments = subtable
  }
  return segments && ((codePoint) => isInSegments(segments as Buffer, codePoint))
}

function isInGroups(table: Buffer, codePoint: number): boolean {
  const count = Math.min(table.readUInt32BE(12), (table.length - 16) / 12)
  for (let index = 0; index < count; index++) {
    const at = 16 + index * 12
    if (codePoint <= table.readUInt32BE(at + 4)) return codePoint >= table.readUInt32BE(at)
  }
  return false
}

function isInSegments(table: Buffer, codePoint: number): boolean {
  const doubledCount = table.readUInt16BE(6)
  const [ends, starts] = [14, 16 + doubledCount]
  const [deltas, offsets] = [starts + doubledCount, starts + 2 * doubledCount]
  for (let at = 0; at < doubledCount; at += 2) {
    if (codePoint > table.readUInt16BE(ends + at)) continue
    const start = table.readUInt16BE(starts + at)
    if (codePoint < start) return false
    const offset = table.readUInt16BE(offsets + at)
    if (offset === 0) return ((codePoint + table.readUInt16BE(deltas + at)) & 0xffff) !== 0
    return table.readUInt16BE(offsets + at + offset + 2 * (codePoint - start)) !== 0
  }
  return false
}
