/**
 * Reads the files of a zip archive. Only nested archives are unpacked to disk; other entries are read when they are
 * needed. The size and checksum in the header of an entry must match its content.
 */

import { isUtf8 } from 'node:buffer'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, validateFileName, type ZipFile } from 'yauzl'
import { invalid } from '../base/errors.ts'
import { formatNumber } from '../base/format-number.ts'
import {
  IMPORT_DEPTH,
  IMPORT_FILES,
  IMPORT_PATH_LENGTH,
  NESTED_ZIPS,
  UNPACKED_BYTES,
  UNPACKED_RATIO,
} from '../base/limits.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import { isIgnored, tooManyFiles } from './folder-source.ts'
import { baseName, extensionOf, type ImportProblem, type ImportSource, type SourceFile } from './import-source.ts'
import { SPACE_FILE } from './json/space-export.ts'
import { detectNames, nameOfEncoding } from './text-decoding.ts'
import { openZipFile } from './zip-file.ts'

export interface ZipOptions {
  /** Identifies the source in later imports. Defaults to the path. */
  name?: string
  title?: string
  /** Maximum total size of the unpacked entries in bytes. */
  maxBytes?: number
  /**
   * Maximum number of files. Up to twice as many entries are allowed, since folders and system files are entries too.
   */
  maxFiles?: number
}

/**
 * @param path  path of a file that is not the file of a space
 * @throws VALIDATION_ERROR if the file is not a zip archive, or would unpack to too much data
 */
export async function openZip(path: string, options: ZipOptions = {}): Promise<ImportSource> {
  const zip = new ZipSource(options)
  try {
    await zip.add(path, 0)
  } catch (error) {
    await zip.close()
    throw error
  }
  const files = withoutTop(zip.files).sort((one, other) => (one.path < other.path ? -1 : 1))
  const { name } = parse(path)
  return {
    ...{ name: options.name ?? path, title: options.title ?? name, files, problems: zip.problems },
    close: () => zip.close(),
  }
}

/** If a vault or an export was packed together with its folder, that folder becomes the top level. */
function withoutTop(files: readonly SourceFile[]): SourceFile[] {
  const [top = ''] = /^[^/]+\//.exec(files[0]?.path ?? '') ?? []
  const isVault = files.some(
    ({ path }) =>
      path.startsWith(`${top}.obsidian/`) ||
      path === `${top}.scriptorium/manifest.json` ||
      path === `${top}${SPACE_FILE}`,
  )
  if (top === '' || top.startsWith('.') || !isVault || !files.every(({ path }) => path.startsWith(top)))
    return [...files]
  return files.map((file) => ({ ...file, path: file.path.slice(top.length) }))
}

/** The flag for names in UTF-8. */
const UTF8_FLAG = 0x800
/** The number of the extra field that has a name in UTF-8. */
const UNICODE_PATH = 0x7075
/** The part of a Unix file mode that contains the type of the file. */
const FILE_TYPE = 0o170000
const REGULAR = 0o100000
const NO_TYPE = 0
/** Files up to this size in bytes may have any compression ratio: they cannot do harm. */
const SMALL = 1024 * 1024

class ZipSource {
  readonly files: SourceFile[] = []
  readonly problems: ImportProblem[] = []
  readonly #maxBytes: number
  readonly #maxFiles: number
  readonly #open: ZipFile[] = []
  readonly #paths = new Set<string>()
  #folder: string | undefined
  #unpacked = 0
  #entries = 0

  constructor({ maxBytes = UNPACKED_BYTES, maxFiles = IMPORT_FILES }: ZipOptions) {
    this.#maxBytes = maxBytes
    this.#maxFiles = maxFiles
  }

  /** @param depth  how many archives contain this one */
  async add(path: string, depth: number): Promise<void> {
    const zip = await openZipFile(path).catch((error: Error) => {
      throw invalid(`Expected a zip, found ${parse(path).base}, which cannot be read as one: ${error.message}.`)
    })
    this.#open.push(zip)
    this.#entries += zip.entryCount
    if (this.#entries > 2 * this.#maxFiles) throw tooManyFiles(this.#maxFiles)
    const listed: Entry[] = []
    for await (const entry of zip.eachEntry()) {
      listed.push(entry)
      await yieldToEventLoop()
    }
    const encoding = encodingOfNames(listed)
    if (encoding !== undefined) this.problems.push(namesAs(parse(path).base, encoding))
    const entries: { entry: Entry; path: string }[] = []
    for (const entry of listed) {
      const found = this.#pathOf(entry, encoding)
      if (found !== undefined) entries.push({ entry, path: found })
      if (entries.length + this.files.length > this.#maxFiles) throw tooManyFiles(this.#maxFiles)
      await yieldToEventLoop()
    }
    // Exports that are too large for one archive consist of archives inside an archive.
    const isOuter = entries.length > 0 && entries.every(({ path: inner }) => extensionOf(inner) === 'zip')
    for (const { entry, path: inner } of entries) {
      const file = this.#fileOf(zip, entry, inner)
      if (isOuter && depth < NESTED_ZIPS) await this.add(await this.#extract(file), depth + 1)
      else if (this.#paths.has(inner)) this.#leave(inner, 'Another entry has the same name.')
      else {
        this.#paths.add(inner)
        this.files.push(file)
      }
    }
  }

  #leave(path: string, message: string): undefined {
    this.problems.push({ path, kind: 'left out', message })
  }

  /** Returns the path of an entry if it is a file and can be read. */
  #pathOf(entry: Entry, encoding = 'cp437'): string | undefined {
    const path = nameOf(entry, encoding)
    const shown = path.slice(0, 200)
    if (path.endsWith('/')) return undefined
    const parts = path.split('/')
    if (parts.some(isIgnored)) return undefined
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no name has them
    if (validateFileName(path) !== null || /[\u0000-\u001f]/.test(path) || parts.includes('')) {
      return this.#leave(shown, 'Its name is invalid or leads out of the archive.')
    }
    if (path.length > IMPORT_PATH_LENGTH) return this.#leave(shown, 'Its name is too long.')
    if (parts.length - 1 > IMPORT_DEPTH) return this.#leave(shown, `It is more than ${IMPORT_DEPTH} folders deep.`)
    const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE
    if (type !== NO_TYPE && type !== REGULAR) return this.#leave(path, 'It is a symbolic link or a device.')
    if (!entry.canDecodeFileData()) return this.#leave(path, 'It is encrypted, or packed in a way that is not known.')
    this.#assertSize(entry)
    return path
  }

  #assertSize({ uncompressedSize, compressedSize }: Entry): void {
    this.#unpacked += uncompressedSize
    const isBomb = uncompressedSize > SMALL && uncompressedSize > compressedSize * UNPACKED_RATIO
    if (!isBomb && this.#unpacked <= this.#maxBytes) return
    throw invalid(
      isBomb
        ? `Expected files at most ${UNPACKED_RATIO} times as large as packed, found one of ${formatNumber(uncompressedSize)} bytes in ${formatNumber(compressedSize)}; unpack the zip and import the folder, if you trust it.`
        : `Expected at most ${formatNumber(this.#maxBytes)} bytes in the zip, unpacked, found more; import parts of it one by one.`,
    )
  }

  #fileOf(zip: ZipFile, entry: Entry, path: string): SourceFile {
    const { uncompressedSize: size, crc32: checksum } = entry
    const time = entry.getLastModDate().getTime()
    return {
      ...{ path, name: baseName(path), size, stamp: `${size} ${checksum}` },
      ...(time > 0 && { createdAt: time, modifiedAt: time }),
      open: () => readEntry(zip, entry),
    }
  }

  async #extract(file: SourceFile): Promise<string> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'scriptorium-zip-'))
    const path = join(this.#folder, `${this.#open.length}.zip`)
    await writeFile(path, file.open(), { mode: 0o600, flag: 'wx' })
    return path
  }

  async close(): Promise<void> {
    for (const zip of this.#open) zip.close()
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Since `decodeStrings` is off, this is the undecoded name. */
const rawName = ({ fileName }: Entry): Buffer => fileName as unknown as Buffer

/** A name that states no encoding and is not UTF-8. Many programs write UTF-8 without setting the flag. */
const isUnstated = (entry: Entry): boolean =>
  !isUtf8(rawName(entry)) && !entry.extraFields.some(({ id }) => id === UNICODE_PATH)

function nameOf(entry: Entry, encoding: string): string {
  const raw = rawName(entry)
  if (isUnstated(entry) && encoding !== 'cp437') {
    return new TextDecoder(encoding).decode(raw).replaceAll('\\', '/')
  }
  const flags = isUtf8(raw) ? entry.generalPurposeBitFlag | UTF8_FLAG : entry.generalPurposeBitFlag & ~UTF8_FLAG
  return getFileNameLowLevel(flags, raw, entry.extraFields, false)
}

/** The encoding of all names that state none, found together, since each is short. Undefined if there are none. */
function encodingOfNames(entries: readonly Entry[]): string | undefined {
  const unstated = entries.filter(isUnstated).map(rawName)
  if (unstated.length === 0) return undefined
  const cp437 = unstated.map((raw) => getFileNameLowLevel(0, raw, [], false)).join('\n')
  return detectNames(Buffer.concat(unstated.flatMap((raw) => [raw, LINE_END])), cp437)
}

const LINE_END = Uint8Array.of(10)

const namesAs = (path: string, encoding: string): ImportProblem => ({
  ...{ path, kind: 'changed' },
  message: `Names in this zip were read as ${nameOfEncoding(encoding)}, since they do not state an encoding and are not UTF-8.`,
})

/** @throws Error if the bytes do not match the checksum */
async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let checksum = 0
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    checksum = crc32(chunk as Buffer, checksum)
    yield chunk as Buffer
  }
  if (checksum !== entry.crc32)
    throw new Error('Expected the bytes that were packed, found others: the zip is damaged.')
}
