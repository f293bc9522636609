/** Plain SQL over drizzle's tables, for what every call reads. */

import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/**
 * `SELECT … FROM` a table, its columns under the names that drizzle knows them by: rows come as they are, where
 * drizzle's binding and mapping took more than half of the time in which a document is read.
 */
export function selectColumns(table: SQLiteTable): string {
  const columns = Object.entries(getTableColumns(table)).map(([key, { name }]) =>
    key === name ? name : `${name} AS ${key}`,
  )
  return `SELECT ${columns.join(', ')} FROM ${getTableName(table)}`
}
