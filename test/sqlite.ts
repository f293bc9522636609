/** Direct access to the tables of a space, for tests. */
import { Connection as PostgresConnection } from '../storage/postgres/connection.ts'
import type { Connection } from '../storage/sqlite/connection.ts'
import type { Transaction } from '../storage/transaction.ts'

/** The connection of a transaction on SQLite. */
export const connectionOf = (tx: Transaction): Connection => tx as Connection

/** The result of a statement on either engine: `?` stands for each parameter. */
export async function rowsOf<Row extends object>(
  tx: Transaction,
  source: string,
  ...parameters: readonly unknown[]
): Promise<Row[]> {
  if (!(tx instanceof PostgresConnection))
    return connectionOf(tx)
      .sql<Row>(source)
      .all(...parameters)
  let count = 0
  const numbered = source.replace(/\?/g, () => `$${++count}`)
  return (await tx.query<Row>(numbered, parameters)).rows
}

/** The first column of the first row of a result. */
export async function firstValue<Value>(
  tx: Transaction,
  source: string,
  ...parameters: readonly unknown[]
): Promise<Value | undefined> {
  const [row] = await rowsOf<Record<string, Value>>(tx, source, ...parameters)
  return row && Object.values(row)[0]
}

/** Rows with broken references, which PostgreSQL prevents. */
export async function brokenReferences(tx: Transaction): Promise<number> {
  if (tx instanceof PostgresConnection) return 0
  return (await firstValue<number>(tx, 'SELECT count(*) FROM pragma_foreign_key_check')) ?? 0
}

/** Runs a statement that changes rows. @returns the number of changed rows */
export async function changeRows(tx: Transaction, source: string, ...parameters: readonly unknown[]): Promise<number> {
  if (tx instanceof PostgresConnection) {
    const before = tx.changes
    await rowsOf(tx, source, ...parameters)
    return tx.changes - before
  }
  return connectionOf(tx)
    .sql(source)
    .run(...parameters).changes
}
