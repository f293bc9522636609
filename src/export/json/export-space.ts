/**
 * Exports a whole space as JSON, to move it to another machine or database engine. Secrets are encrypted with a
 * passphrase, or left out (export-secrets.ts). Nothing else is lost.
 *
 *     scriptorium.json        metadata, including the version of the schema
 *     tables/block.jsonl      one row per line, with the columns of the database
 *     files/ab/cdef…          the bytes of files by their SHA-256
 */
import {
  type DumpedRow,
  dumpedKey,
  dumpedTables,
  dumpNumbers,
  dumpTable,
  SECRET_COLUMNS,
} from '../../../storage/dump.ts'
import { SCHEMA_VERSION } from '../../../storage/sqlite/migrations.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { SecretBox, type SecretsInfo } from '../../import/json/export-secrets.ts'
import { SPACE_FILE, SPACE_FORMAT } from '../../import/json/space-export.ts'
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
  secrets: SecretsInfo | 'left out'
}

/**
 * @param passphrase  encrypts the secrets; they are left out if it is absent
 * @returns the number of documents
 */
export async function exportSpace(
  space: OpenSpace,
  target: ExportTarget,
  now: number,
  passphrase?: string,
): Promise<number> {
  const files = new Map<string, number>()
  const { id, name } = space.info
  const box = passphrase === undefined ? undefined : await SecretBox.create(passphrase, id)
  let documents = 0
  await space.read(OPERATOR_LINK, async ({ tx }: Space) => {
    const about: SpaceExport = {
      ...{ format: SPACE_FORMAT, version: 1, schema: SCHEMA_VERSION, space: { id, name } },
      ...{ exportedAt: new Date(now).toISOString(), numbers: await dumpNumbers(tx) },
      secrets: box?.info ?? 'left out',
    }
    await target.write({ path: SPACE_FILE }, `${JSON.stringify(about, null, 2)}\n`)
    for (const table of dumpedTables()) {
      async function* lines(): AsyncGenerator<Uint8Array> {
        for await (const rows of dumpTable(tx, table)) {
          if (table === 'document') documents += rows.length
          if (table === 'file' || table === 'proposal_file') noteFiles(rows, files)
          const kept = table === 'webhook' ? withoutSubscriptions(rows, box, target) : rows
          const exported = kept.map((row) => withoutSecret(id, table, row, box))
          yield Buffer.from(exported.map((row) => `${JSON.stringify(row)}\n`).join(''))
        }
      }
      await target.write({ path: `tables/${table}.jsonl` }, lines())
    }
  })
  for (const [hash, size] of files) await exportBytes(space, target, hash, size)
  return documents
}

/** A row whose secret is encrypted, or left out. @param space  its ID */
function withoutSecret(space: string, table: string, row: DumpedRow, box: SecretBox | undefined): object {
  const column = SECRET_COLUMNS.get(table)
  if (column === undefined) return row
  const { [column]: secret, ...others } = row
  if (box === undefined) return others
  const place = [space, table, column, ...dumpedKey(table).map((key) => row[key] ?? null)]
  return { ...others, [column]: box.seal(place, String(secret)) }
}

/**
 * Leaves out subscriptions: their secrets are those of clients, which subscribe again. Notes this, and the secrets of the
 * other webhooks that are left out.
 */
function withoutSubscriptions(
  rows: readonly DumpedRow[],
  box: SecretBox | undefined,
  { problems }: ExportTarget,
): DumpedRow[] {
  const note = ({ id }: DumpedRow, message: string) => void problems.push({ path: `webhook ${id}`, message })
  for (const row of rows) {
    if (row.event_name !== null) note(row, 'A subscription is left out; its client subscribes again')
    else if (box === undefined) note(row, 'The secret of a webhook is left out; --passphrase encrypts it')
  }
  return rows.filter(({ event_name }) => event_name === null)
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
