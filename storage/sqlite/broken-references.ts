/** References that lead nowhere: what foreign keys forbid while they are on. */
import Sqlite, { type Database } from 'better-sqlite3'

export interface BrokenReference {
  table: string
  /** The table that the rows refer to. */
  parent: string
  rows: number
}

/**
 * What the open transaction has broken, table by table. What was broken before it is passed over: another program may
 * have done that, and to refuse the file would not mend it.
 *
 * @param file  where the state before the transaction is read, if anything is broken at all
 */
export function brokenReferences(sqlite: Database, file: string | undefined): BrokenReference[] {
  const now = countBroken(sqlite)
  if (now.length === 0 || file === undefined) return now
  // A connection of its own sees the file as it was before the transaction.
  const reader = new Sqlite(file, { readonly: true })
  try {
    const before = new Map(countBroken(reader).map(({ table, parent, rows }) => [`${table} ${parent}`, rows]))
    return now
      .map((one) => ({ ...one, rows: one.rows - (before.get(`${one.table} ${one.parent}`) ?? 0) }))
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
  broken
    .map(({ table, parent, rows }) => `${rows} ${rows === 1 ? 'row' : 'rows'} of ${table} without their ${parent}`)
    .join(', ')
