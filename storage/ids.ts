/** Queries on IDs over all tables whose rows have one. */

import { sql } from 'drizzle-orm'
import { integer, jsonList, listOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** Tables of which each row has an ID, and that of IDs of deleted rows. */
const TABLES = ['block', 'folder', 'view', 'reminder', 'comment', 'file', 'retired_id']

const BETWEEN = statement<{ id: number }>(() => {
  const isBetween = sql`id BETWEEN ${integer('first')} AND ${integer('last')}`
  const selects = TABLES.map((table) => sql`SELECT id FROM ${sql.raw(table)} WHERE ${isBetween}`)
  return sql.join(selects, sql` UNION ALL `)
})

/** The IDs between these two, both included, that something in the space has or had. */
export async function issuedIdsBetween(tx: Transaction, first: number, last: number): Promise<Set<number>> {
  return new Set((await tx.all(BETWEEN, { first, last })).map(({ id }) => id))
}

const OF_FORMER = statement<{ former: string; id: number }>(
  (dialect) => sql`SELECT former, id FROM former_id WHERE former IN ${listOf(dialect, 'formers', 'text')}`,
)

/** The IDs of what had these UUIDs, in lower case, before IDs were numbers. */
export async function idsOfFormer(tx: Transaction, formers: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.all(OF_FORMER, { formers: jsonList(formers) })
  return new Map(rows.map(({ former, id }) => [former, id]))
}
