/**
 * Exports a whole space as JSON without any loss, to move it to another machine or database engine.
 *
 *     scriptorium.json        metadata, including the version of the schema
 *     tables/block.jsonl      one row per line, with the columns of the database
 *     files/ab/cdef…          the bytes of files by their SHA-256
 */
import { type DumpedRow, dumpedTables, dumpNumbers, dumpTable } from '../../../storage/dump.ts'
import { SCHEMA_VERSION } from '../../../storage/sqlite/migrations.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { OPERATOR_LINK, type Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { ExportTarget } from '../export-target.ts'

/** The content of `scriptorium.json`. */
export interface SpaceExport {
  format: typeof SPACE_FORMAT
  version: 1
  schema: number
  space: { id: string; name: string }
  exportedAt: string
  /** For each table: the number that its next row gets. */
  numbers: Record<string, number>
}

export const SPACE_FORMAT = 'scriptorium-space'
export const SPACE_FILE = 'scriptorium.json'

/** @returns the number of documents */
export async function exportSpace(space: OpenSpace, target: ExportTarget, now: number): Promise<number> {
  const files = new Map<string, number>()
  let documents = 0
  await space.read(OPERATOR_LINK, async ({ tx, info }: Space) => {
    const about: SpaceExport = {
      ...{ format: SPACE_FORMAT, version: 1, schema: SCHEMA_VERSION, space: { id: info.id, name: info.name } },
      ...{ exportedAt: new Date(now).toISOString(), numbers: await dumpNumbers(tx) },
    }
    await target.write({ path: SPACE_FILE }, `${JSON.stringify(about, null, 2)}\n`)
    for (const table of dumpedTables()) {
      async function* lines(): AsyncGenerator<Uint8Array> {
        for await (const rows of dumpTable(tx, table)) {
          if (table === 'document') documents += rows.length
          if (table === 'file' || table === 'proposal_file') noteFiles(rows, files)
          yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
        }
      }
      await target.write({ path: `tables/${table}.jsonl` }, lines())
    }
  })
  for (const [hash, size] of files) await exportBytes(space, target, hash, size)
  return documents
}

function noteFiles(rows: readonly DumpedRow[], files: Map<string, number>): void {
  for (const { hash, size } of rows) files.set(String(hash), Number(size))
}

async function exportBytes(space: OpenSpace, target: ExportTarget, hash: string, size: number): Promise<void> {
  const path = `files/${hash.slice(0, 2)}/${hash.slice(2)}`
  try {
    await target.write({ path, hash, size }, await space.files.read({ hash, size }))
  } catch (error) {
    if (!(error instanceof ScriptoriumError) || error.code !== 'FILE_DAMAGED') throw error
    target.problems.push({ path, message: 'The bytes of a file are missing or damaged' })
  }
}
