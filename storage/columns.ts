/** Plain SQL over drizzle's tables, for queries that every call runs. */

import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/**
 * `SELECT … FROM` a table, with columns under drizzle's names. Rows are returned as they are: drizzle's binding and
 * mapping took more than half of the time for reading a document.
 */
export function selectColumns(table: SQLiteTable): string {
  const columns = Object.entries(getTableColumns(table)).map(([key, { name }]) =>
    key === name ? name : `${name} AS ${key}`,
  )
  return `SELECT ${columns.join(', ')} FROM ${getTableName(table)}`
}
