/** SQL as PostgreSQL has it, as far as statements need it to be prepared there. */
import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Dialect } from '../../../storage/statement.ts'

const compiler = new PgDialect()

export const POSTGRES: Dialect = {
  compile: (composed) => compiler.sqlToQuery(composed),
  rows: (json, type) => {
    const value = sql.raw(type === 'integer' ? 'CAST(value AS bigint)' : 'value')
    return sql`(SELECT ${value} AS value, id FROM jsonb_array_elements_text(CAST(${json} AS jsonb))
      WITH ORDINALITY AS element (value, id))`
  },
  thenJoin: sql.raw('JOIN'),
  indexedBy: () => sql``,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  jsonField: (json, field) => sql`(CAST(${json} AS jsonb) ->> ${sql.raw(`'${field}'`)})`,
  nextNumber: (table) =>
    sql.raw(`(SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM ${table}_n_seq)`),
}
