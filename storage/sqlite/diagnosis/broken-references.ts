/** Finds broken references, which enabled foreign keys would prevent. */
import Sqlite, { type Database } from 'better-sqlite3'
import { formatCount } from '../../../src/base/format-number.ts'

export interface BrokenReference {
  table: string
  /** The table that the rows refer to. */
  parent: string
  rows: number
}

/**
 * References broken by the open transaction, per table. References that were broken before are ignored: another program
 * may have done that, and rejecting the file would not repair it.
 *
 * @param file  used to read the state before the transaction, if anything is broken at all
 */
export function brokenReferences(sqlite: Database, file: string | undefined): BrokenReference[] {
  const now = countBroken(sqlite)
  if (now.length === 0 || file === undefined) return now
  // A separate connection sees the file as it was before the transaction.
  const reader = new Sqlite(file, { readonly: true })
  try {
    const before = new Map(countBroken(reader).map(({ table, parent, rows }) => [`${table} ${parent}`, rows]))
    return now
      .map((broken) => ({ ...broken, rows: broken.rows - (before.get(`${broken.table} ${broken.parent}`) ?? 0) }))
      .filter(({ rows }) => rows > 0)
  } finally {
    reader.close()
  }
}

const countBroken = (sqlite: Database): BrokenReference[] =>
  sqlite
    .prepare<[], BrokenReference>(
      `SELECT "table", parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY "table", parent ORDER BY 1, 2`,
    )
    .all()

export const brokenReferencesText = (broken: readonly BrokenReference[]): string =>
  broken.map(({ table, parent, rows }) => `${formatCount(rows, 'row')} of ${table} without their ${parent}`).join(', ')
