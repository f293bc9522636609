/** The tables of a space for PostgreSQL, made from those of SQLite. */
import type { Database } from 'better-sqlite3'

interface Column {
  name: string
  type: string
  notnull: number
  pk: number
}

const TYPES: Record<string, string> = { INTEGER: 'bigint', REAL: 'double precision', TEXT: 'text' }

/** Tables of what PostgreSQL has in another way: the index of words, and what SQLite keeps for itself. */
const OWN = /^(sqlite_|search)/

export function postgresTables(sqlite: Database): string {
  const tables = sqlite
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
  return tables
    .filter((name) => !OWN.test(name))
    .map((name) => createTable(sqlite, name))
    .join('\n')
}

function createTable(sqlite: Database, table: string): string {
  // With generated columns.
  const columns = sqlite.pragma(`table_xinfo(${table})`) as Column[]
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
  const lines = columns.map(({ name, type }) =>
    name === 'n' && key.length === 1 ? 'n bigserial' : `${name} ${TYPES[type.split(' ')[0] ?? ''] ?? 'text'}`,
  )
  lines.push(`PRIMARY KEY (${key.map(({ name }) => name).join(', ')})`)
  const indexes = sqlite.pragma(`index_list(${table})`) as {
    name: string
    unique: number
    origin: string
    partial: number
  }[]
  for (const { name, origin, unique, partial } of indexes) {
    if (unique === 0 || origin === 'pk' || partial === 1) continue
    const names = (sqlite.pragma(`index_info(${name})`) as { name: string }[]).map((column) => column.name)
    lines.push(`UNIQUE (${names.join(', ')})`)
  }
  return `CREATE TABLE ${table} (${lines.join(', ')});`
}
