/**
 * A whole space as JSON, with nothing left out: the way to another machine or engine.
 *
 *     scriptorium.json        what it is, and of which schema
 *     tables/block.jsonl      a row a line, with the columns that the database has
 *     files/ab/cdef…          the bytes of files by their SHA-256
 */
import { type DumpedRow, dumpedTables, dumpNumbers, dumpTable } from '../../../storage/dump.ts'
import { SCHEMA_VERSION } from '../../../storage/sqlite/migrations.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { OPERATOR_LINK, type Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { ExportTarget } from '../export-target.ts'

/** What `scriptorium.json` says. */
export interface SpaceExport {
  format: typeof SPACE_FORMAT
  version: 1
  schema: number
  space: { id: string; name: string }
  exportedAt: string
  /** The number that the next row of each table gets. */
  numbers: Record<string, number>
}

export const SPACE_FORMAT = 'scriptorium-space'
export const SPACE_FILE = 'scriptorium.json'

/** @returns how many documents there are */
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
