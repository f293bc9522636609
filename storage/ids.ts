/** Queries on IDs across all tables whose rows have one, and on the numbers of new blocks. */

import { type SQL, sql } from 'drizzle-orm'
import { type Dialect, integer, jsonList, listOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/**
 * Tables whose rows have IDs, including the tables of IDs that deleted rows had, and that proposals and imports
 * reserved.
 */
const TABLES = [
  ...['block', 'folder', 'view', 'reminder', 'comment', 'file', 'member'],
  ...['retired_id', 'proposal', 'promised_id', 'imported'],
]

const IS_BETWEEN = sql`id BETWEEN ${integer('first')} AND ${integer('last')}`
const SELECT_BETWEEN = sql.join(
  TABLES.map((table) => sql`SELECT id FROM ${sql.raw(table)} WHERE ${IS_BETWEEN}`),
  sql` UNION ALL `,
)
const BETWEEN = statement<{ id: number }>(() => SELECT_BETWEEN)

/** The IDs in this range, both ends included, that something in the space has, had or will get. */
export async function issuedIdsBetween(tx: Transaction, first: number, last: number): Promise<Set<number>> {
  return new Set((await tx.all(BETWEEN, { first, last })).map(({ id }) => id))
}

const selectNextBlock = (dialect: Dialect): SQL => sql`SELECT coalesce(${dialect.nextNumber('block')}, 1) AS n`
const NEXT_BLOCK = statement<{ n: number }>(selectNextBlock)

/**
 * The first block number that was never used. All numbers above it stay free until this transaction ends. Documents and
 * collections share the number of their block.
 */
export async function nextBlockNumber(tx: Transaction): Promise<number> {
  return (await tx.get(NEXT_BLOCK))?.n ?? 1
}

const NEXT_BLOCK_AND_BETWEEN = statement<{ n: number; id: number | null }>(
  (dialect) => sql`SELECT next_block.n, issued.id FROM (${selectNextBlock(dialect)}) AS next_block
    LEFT JOIN (${SELECT_BETWEEN}) AS issued ON true`,
)

/** The results of {@link nextBlockNumber} and {@link issuedIdsBetween}, in one statement. */
export async function nextBlockNumberAndIssuedIds(
  tx: Transaction,
  first: number,
  last: number,
): Promise<{ n: number; issued: Set<number> }> {
  const rows = await tx.all(NEXT_BLOCK_AND_BETWEEN, { first, last })
  return { n: rows[0]?.n ?? 1, issued: new Set(rows.flatMap(({ id }) => id ?? [])) }
}

const OF_FORMER = statement<{ former: string; id: number }>(
  (dialect) => sql`SELECT former, id FROM former_id WHERE former IN ${listOf(dialect, 'formers', 'text')}`,
)

/** Maps UUIDs from before IDs were numbers to the current IDs. UUIDs are in lower case. */
export async function idsOfFormer(tx: Transaction, formers: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.all(OF_FORMER, { formers: jsonList(formers) })
  return new Map(rows.map(({ former, id }) => [former, id]))
}
