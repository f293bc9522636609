/** All tables of the schema, by their names in the database. */
import { getTableName, is, Table } from 'drizzle-orm'
import * as schema from './schema.ts'

export const TABLES: ReadonlyMap<string, Table> = new Map(
  Object.values(schema).flatMap((declared) => (is(declared, Table) ? [[getTableName(declared), declared]] : [])),
)

/** @throws Error if no table has this name */
export function tableByName(name: string): Table {
  const table = TABLES.get(name)
  if (table === undefined) throw new Error(`Expected the name of a table, found ${name}.`)
  return table
}
