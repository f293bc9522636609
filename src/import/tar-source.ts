/** Reads tar archives, which have no index: their files are written to a temporary folder first. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Extract, extract } from 'tar-stream'
import { messageOf } from '../base/errors.ts'
import { IMPORT_DEPTH, IMPORT_FILES, IMPORT_PATH_LENGTH, IMPORT_ZIP_UNPACKED_BYTES } from '../base/limits.ts'
import { isIgnored, tooManyFiles } from './folder-source.ts'
import { baseName, type ImportProblem, type SourceFile } from './import-source.ts'
import { readChecked } from './spaces/read-checked.ts'

export interface UnpackedTar {
  files: SourceFile[]
  problems: ImportProblem[]
  /** Deletes the temporary files. */
  close(): Promise<void>
}

/** @throws VALIDATION_ERROR if the archives contain too many files */
export async function unpackTar(archives: readonly SourceFile[]): Promise<UnpackedTar> {
  const files: SourceFile[] = []
  const problems: ImportProblem[] = []
  if (archives.length === 0) return { files, problems, close: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-tar-'))
  const close = () => rm(folder, { recursive: true, force: true })
  const limit = { bytes: IMPORT_ZIP_UNPACKED_BYTES }
  try {
    for (const archive of archives) {
      const within = archives.length > 1 ? `${archive.path}/` : ''
      try {
        for await (const entry of entriesOf(archive)) {
          const found = await unpackEntry(entry, within, join(folder, String(files.length)), limit)
          if (typeof found === 'string')
            problems.push({ path: entry.header.name.slice(0, 200), kind: 'left out', message: found })
          else if (found !== undefined) files.push(found)
          if (files.length > IMPORT_FILES) throw tooManyFiles(IMPORT_FILES)
        }
      } catch (error) {
        problems.push({
          path: archive.path,
          kind: 'failed',
          message: `The archive is damaged, or none: ${messageOf(error)}`,
        })
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  return { files, problems, close }
}

function entriesOf(archive: SourceFile): Extract {
  const reader = extract()
  const bytes = Readable.from(archive.open(), { objectMode: false })
  bytes.on('error', (error) => reader.destroy(error))
  reader.on('close', () => bytes.destroy())
  bytes.pipe(reader as unknown as NodeJS.WritableStream)
  return reader
}

type Entry = Extract extends AsyncIterable<infer One> ? One : never

/** @returns the file; the reason why it is left out; or undefined for a folder */
async function unpackEntry(
  entry: Entry,
  within: string,
  path: string,
  limit: { bytes: number },
): Promise<SourceFile | string | undefined> {
  const { name, type, size = 0, mtime } = entry.header
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  const skip = async () => {
    for await (const _ of entry);
  }
  if (type !== 'file' || parts.some(isIgnored)) {
    await skip()
    return type === 'file' || type === 'directory' ? undefined : 'It is a link or a device.'
  }
  limit.bytes -= size
  const reason =
    parts.includes('..') || /\p{Cc}/u.test(name)
      ? 'Its name is invalid or leads out of the archive.'
      : name.length > IMPORT_PATH_LENGTH || parts.length - 1 > IMPORT_DEPTH
        ? 'Its name is too long, or it is too deep.'
        : limit.bytes < 0
          ? 'The archive contains too much.'
          : undefined
  if (reason !== undefined) {
    await skip()
    return reason
  }
  const hash = createHash('sha256')
  async function* bytes() {
    for await (const part of entry as AsyncIterable<Buffer>) {
      hash.update(part)
      yield part
    }
  }
  await writeFile(path, bytes(), { flag: 'wx', mode: 0o600 })
  const shown = `${within}${parts.join('/')}`
  const time = mtime?.getTime() ?? 0
  const open = () => createReadStream(path)
  return {
    ...{ path: shown, name: baseName(shown), size, stamp: hash.digest('base64') },
    open: () => readChecked({ path: shown, open }),
    ...(time > 0 && { createdAt: time, modifiedAt: time }),
  }
}
