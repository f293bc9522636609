/**
 * The SQL dialect of PostgreSQL. Statements name no space: row-level security filters rows, and a default fills the
 * column.
 */
import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Dialect } from '../statement.ts'

const compiler = new PgDialect()

export const POSTGRES: Dialect = {
  compile: (composed) => compiler.sqlToQuery(composed),
  rows: (json, type) => {
    const value = sql.raw(type === 'integer' ? 'CAST(value AS bigint)' : 'value')
    // Without OFFSET 0, the planner would move the cast into the conditions on tables. The cast is not LEAKPROOF, so
    // row-level security would keep these conditions from using indexes, and every row of the space would be compared
    // with the list. The condition on `id` is always true, and makes the planner expect one row. Otherwise it expects a
    // hundred. Where it knows little about a table, it then reads all rows of the space, and compares each with the
    // list.
    return sql`(SELECT ${value} AS value, id FROM json_array_elements_text(CAST(${json} AS json))
      WITH ORDINALITY AS element (value, id) WHERE id BETWEEN 1 AND 2147483647 OFFSET 0)`
  },
  // Declared as one row, and read before it is joined, for the same reasons.
  records: (json, fields) => {
    const columns = Object.keys(fields).map((name) => `"${name}"`)
    const typed = Object.entries(fields).map(([name, type]) => `"${name}" ${type === 'integer' ? 'bigint' : 'text'}`)
    const [list, types] = [sql.raw(columns.join(', ')), sql.raw(typed.join(', '))]
    return sql`(SELECT ${list} FROM ROWS FROM (json_to_recordset(CAST(${json} AS json)) AS (${types}))
      WITH ORDINALITY AS element (${list}, id) WHERE id BETWEEN 1 AND 2147483647 OFFSET 0)`
  },
  thenJoin: sql.raw('JOIN'),
  // OFFSET 0 keeps the planner from joining in another way, such as comparing all blocks of a document with each level
  // of its tree.
  thenLookUp: (table, alias, condition) => {
    const name = sql.raw(alias)
    return sql`CROSS JOIN LATERAL (SELECT * FROM ${sql.raw(table)} AS ${name} WHERE ${condition} OFFSET 0) AS ${name}`
  },
  indexedBy: () => sql``,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  jsonField: (json, field) => sql`(CAST(${json} AS json) ->> ${sql.raw(`'${field}'`)})`,
  onConflict: (...columns) => sql.raw(`ON CONFLICT (space, ${columns.join(', ')})`),
  indexedNumber: sql.raw('value.number'),
  nextNumber: (table) => sql.raw(`(SELECT last + 1 FROM table_number WHERE name = '${table}')`),
  // The time of the statement: a transaction may have waited for its lock since it began.
  steadyTime: () => sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`,
}
