/** Restores a whole space from an export: see `src/export/json/export-space.ts`. */

import { FileStore } from '../../../storage/bytes/file-store.ts'
import { loadDump } from '../../../storage/sqlite/copies/load-dump.ts'
import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { openSpace } from '../../space/open-space.ts'
import type { ImportProblem, ImportSource, SourceFile } from '../import-source.ts'
import { type ExportedRow, LoadedSecrets } from './loaded-secrets.ts'
import { SPACE_FILE, type SpaceExportInfo } from './space-export.ts'

/** Maximum size of one row in bytes. Rows can contain images of whiteboards. */
const ROW_BYTES = 64 * 1024 * 1024

export interface LoadedSpace {
  rows: number
  files: number
  problems: ImportProblem[]
  /** Sentences about what differs from the exported space. */
  notes: string[]
}

export interface LoadOptions {
  /** Decrypts the secrets of the export. */
  passphrase?: string | undefined
  /** Draws a secret for a webhook whose own one is not in the export. */
  newSigningSecret(): string
  /** Milliseconds since 1970. */
  clock?: () => number
}

/**
 * @param file  path of the new space; nothing may exist there yet
 * @throws VALIDATION_ERROR for a wrong passphrase, and if rows are invalid; no file is left behind then
 */
export async function loadSpace(
  file: string,
  source: ImportSource,
  about: SpaceExportInfo,
  { passphrase, newSigningSecret, clock = Date.now }: LoadOptions,
): Promise<LoadedSpace> {
  const loaded: LoadedSpace = { rows: 0, files: 0, problems: [...source.problems], notes: [] }
  const secrets = await LoadedSecrets.open(about, passphrase, newSigningSecret, clock())
  const tables = source.files.filter(({ path }) => /^tables\/[a-z_]+\.jsonl$/.test(path))
  async function* rows() {
    for (const table of tables) {
      const name = table.path.slice('tables/'.length, -'.jsonl'.length)
      for await (const part of readRows(table)) {
        loaded.rows += part.length
        yield { table: name, rows: part.map((row) => secrets.complete(name, row)) }
        await yieldToEventLoop()
      }
    }
  }
  const { schema, numbers } = about
  if (typeof numbers !== 'object' || numbers === null) throw damaged(SPACE_FILE)
  await loadDump(file, { schema, numbers, rows: rows() })
  loaded.problems.push(...secrets.problems)
  loaded.notes.push(...secrets.notes)
  const store = new FileStore(file)
  for (const bytes of source.files) {
    const [, start = '', rest = ''] = /^files\/([0-9a-f]{2})\/([0-9a-f]{62})$/.exec(bytes.path) ?? []
    if (rest === '') continue
    const isWhole = await storeBytes(store, bytes, start + rest)
    if (isWhole) loaded.files++
    else loaded.problems.push({ path: bytes.path, kind: 'left out', message: 'The bytes of a file are damaged.' })
  }
  // Opening the space builds the full-text index.
  await (await openSpace(file, { historyRetention: Infinity, clock })).close()
  return loaded
}

async function storeBytes(store: FileStore, bytes: SourceFile, hash: string): Promise<boolean> {
  const written = await store.write(bytes.open(), Infinity).catch(() => undefined)
  if (written === undefined) return false
  if (written.hash === hash) await store.commit(written)
  else await written.discard()
  return written.hash === hash
}

/** How many rows are loaded at a time. */
const ROWS_PER_PART = 500

async function* readRows(file: SourceFile): AsyncGenerator<ExportedRow[]> {
  let part: ExportedRow[] = []
  for await (const line of readLines(file)) {
    const row = parseRow(line)
    if (row === undefined) throw damaged(file.path)
    part.push(row)
    if (part.length < ROWS_PER_PART) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

function parseRow(line: string): ExportedRow | undefined {
  try {
    const row = JSON.parse(line)
    return isObject(row) ? row : undefined
  } catch {
    return undefined
  }
}

async function* readLines(file: SourceFile): AsyncGenerator<string> {
  let left: Buffer[] = []
  let size = 0
  for await (const chunk of file.open()) {
    const bytes = Buffer.from(chunk)
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      yield Buffer.concat([...left, bytes.subarray(start, end)]).toString('utf8')
      left = []
      size = 0
      start = end + 1
    }
    size += bytes.byteLength - start
    if (size > ROW_BYTES) throw damaged(file.path)
    left.push(bytes.subarray(start))
  }
  const last = Buffer.concat(left).toString('utf8')
  if (last !== '') yield last
}

const damaged = (path: string) =>
  invalid(`Expected rows of a space in ${path}, found something else; export the space again.`)
