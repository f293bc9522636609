/**
 * Writes storage/sqlite/migrations/current-schema.ts, the schema of a new file: what all migrations leave of an empty
 * one.
 *
 *     npm run schema
 *
 * A new file is made by these statements, which takes a tenth of the time of all migrations.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { MIGRATIONS, migrate } from '../storage/sqlite/migrations.ts'

/** Tables in which migrations insert rows, apart from internal ones of FTS5 and SQLite. */
const FILLED_TABLES = ['byte_count', 'call_start', 'change_counter', 'location_count']
const INDEX_SETTINGS = "INSERT INTO search (search, rank) VALUES ('automerge', 8)"

export const SCHEMA_FILE = join(import.meta.dirname, '../storage/sqlite/migrations/current-schema.ts')

/** Generates the text of the file. */
export function currentSchemaFile(): string {
  const sqlite = new Sqlite(':memory:')
  // Runs the migrations one by one, since this file is what the shortcut is generated from.
  migrate(sqlite, { migrations: [...MIGRATIONS] })
  const shown = (name: string) => !name.startsWith('search_') && !name.startsWith('sqlite_')
  const schema = sqlite
    .prepare<[], { name: string; sql: string | null }>('SELECT name, sql FROM sqlite_schema ORDER BY rowid')
    .all()
    .flatMap(({ name, sql }) => (sql === null || !shown(name) ? [] : [sql]))
  const rows = FILLED_TABLES.flatMap((table) =>
    sqlite
      .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`)
      .all()
      .map(
        (row) =>
          `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`,
      ),
  )
  sqlite.close()
  const statements = [...schema, INDEX_SETTINGS, ...rows].map((sql) => `${sql};`).join('\n')
  return `/** The schema of a new file. Written by \`npm run schema\`; change it by a migration. */
export const currentSchema = ${'`'}
${statements.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}
${'`'}
`
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

if (import.meta.main) writeFileSync(SCHEMA_FILE, currentSchemaFile())
