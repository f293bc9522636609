/**
 * Puts files into a zip, without compression: a folder is sent as one file, as a zip that a person chose is. Files stay
 * on the disk of the browser until they are sent.
 *
 *     local header, name, bytes     of each file
 *     central header, name          of each file
 *     end record
 */

export interface ZippedFile {
  /** Relative, with `/` as separator. */
  path: string
  file: File
}

/** More than the number of entries in the end record can say. */
const MOST_FILES = 65_535
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** 2.0, names in UTF-8, no compression. */
const VERSION = 20
const UTF8 = 0x0800

/**
 * @param mostBytes  of all files
 * @param onRead  called with the number of files that were read
 * @throws Error with a sentence for the reader
 */
export async function zipOfFiles(
  files: readonly ZippedFile[],
  mostBytes: number,
  onRead: (count: number) => void = () => {},
): Promise<Blob> {
  const size = files.reduce((sum, { file }) => sum + file.size, 0)
  if (files.length > MOST_FILES || size > mostBytes) {
    throw new Error(
      'This is too much for one import here. Choose a part of it, or run “scriptorium import” where the space is.',
    )
  }
  const [entries, directory]: [(File | Uint8Array<ArrayBuffer>)[], Uint8Array<ArrayBuffer>[]] = [[], []]
  let [at, directorySize] = [0, 0]
  for (const [index, { path, file }] of files.entries()) {
    const name = new TextEncoder().encode(path)
    const common = [UTF8, 0, ...dosTime(file.lastModified)]
    const sizes = [await crcOf(file), file.size, file.size]
    const extra = timeField(file.lastModified)
    const head = record(LOCAL, [VERSION, ...common], sizes, [name.length, extra.length])
    const lengths = [name.length, extra.length, 0, 0, 0]
    const central = record(CENTRAL, [VERSION, VERSION, ...common], sizes, lengths, [0, at])
    entries.push(head, name, extra, file)
    directory.push(central, name, extra)
    at += head.length + name.length + extra.length + file.size
    directorySize += central.length + name.length + extra.length
    onRead(index + 1)
  }
  const end = record(END, [0, 0, files.length, files.length], [directorySize, at], [0])
  return new Blob([...entries, ...directory, end], { type: 'application/zip' })
}

/** A record of numbers with 4 bytes and with 2 bytes in turn, beginning with its signature. */
function record(signature: number, ...groups: number[][]): Uint8Array<ArrayBuffer> {
  const widths = [[signature], ...groups].flatMap((group, index) =>
    group.map((value) => ({ value, width: index % 2 === 0 ? 4 : 2 })),
  )
  const bytes = new Uint8Array(widths.reduce((sum, { width }) => sum + width, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const { value, width } of widths) {
    if (width === 4) view.setUint32(at, value, true)
    else view.setUint16(at, value, true)
    at += width
  }
  return bytes
}

/** Time and date as MS-DOS has them, which are of no time zone. The extra field below says more. */
function dosTime(milliseconds: number): [time: number, date: number] {
  const when = new Date(milliseconds)
  const year = Math.min(Math.max(when.getFullYear(), 1980), 2107)
  const time = (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1)
  return [time, ((year - 1980) << 9) | ((when.getMonth() + 1) << 5) | when.getDate()]
}

/** The time of the last change in seconds since 1970 (Info-ZIP's extended timestamp). */
function timeField(milliseconds: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(9)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0x5455, true)
  view.setUint16(2, 5, true)
  bytes[4] = 1
  view.setUint32(5, Math.max(0, Math.floor(milliseconds / 1_000)), true)
  return bytes
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 of a file, which zips have in front of its bytes. */
async function crcOf(file: File): Promise<number> {
  let crc = 0xffffffff
  const reader = file.stream().getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const byte of part.value) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  }
  return (crc ^ 0xffffffff) >>> 0
}
