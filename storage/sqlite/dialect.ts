/** The SQL dialect of SQLite. */
import { sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../statement.ts'

const compiler = new SQLiteSyncDialect()

export const SQLITE: Dialect = {
  compile: (composed) => compiler.sqlToQuery(composed),
  rows: (json) => sql`json_each(${json})`,
  records: (json, fields) => {
    const columns = Object.keys(fields).map((name) => `value ->> '${name}' AS "${name}"`)
    return sql`(SELECT ${sql.raw(columns.join(', '))} FROM json_each(${json}))`
  },
  // SQLite does not reorder a CROSS JOIN. Source: its documentation, "The SQLite Query Optimizer", 7.2.
  thenJoin: sql.raw('CROSS JOIN'),
  thenLookUp: (table, alias, condition) => sql`CROSS JOIN ${sql.raw(`${table} AS ${alias}`)} ON ${condition}`,
  indexedBy: (index) => sql.raw(`INDEXED BY ${index}`),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  jsonField: (json, field) => sql`(${json} ->> ${sql.raw(`'${field}'`)})`,
  onConflict: (...columns) => sql.raw(`ON CONFLICT (${columns.join(', ')})`),
  indexedNumber: sql.raw('value.sortable'),
  nextNumber: (table) => sql.raw(`(SELECT seq + 1 FROM sqlite_sequence WHERE name = '${table}')`),
  steadyTime: (ours) => ours,
}
