/**
 * Reads all rows of a space, table by table, to move it to another machine or engine. Columns have their names in the
 * database.
 */
import { getTableColumns, getTableName, sql, type Table } from 'drizzle-orm'
import { type AnySQLiteColumn, getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from './schema.ts'
import { type Statement, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A value of a column. */
export type DumpedValue = string | number | null
export type DumpedRow = Record<string, DumpedValue>

/** Tables that can be rebuilt from the others, or whose rows describe running processes or expire within minutes. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'block_link',
  'block_tag',
  'unindexed_block',
  'upload',
  'webhook_lease',
  'import_job',
])

/**
 * The column of a table that holds a secret: something that opens or signs something as it is. The key of the space
 * signs sessions, another one addresses of files, and stored answers contain such addresses. Hashes of secrets are no
 * secrets.
 */
export const SECRET_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['space', 'secret'],
  ['address_key', 'file_key'],
  ['webhook', 'secret'],
  ['kept_answer', 'answer'],
])

const TABLES = Object.values(schema as Record<string, unknown>).filter(
  (one): one is SQLiteTable => one instanceof SQLiteTable && !LEFT_OUT.has(getTableName(one)),
)

/** The names of the tables that a dump contains, sorted. */
export const dumpedTables = (): string[] => TABLES.map((table) => getTableName(table)).sort()

/** The columns of a table, with their types. */
export function dumpedColumns(name: string): { name: string; type: string }[] {
  return Object.values(getTableColumns(tableOf(name))).map((column) => ({
    name: column.name,
    type: column.getSQLType(),
  }))
}

/** The names of the columns that identify a row of a table. */
export const dumpedKey = (name: string): string[] => keyOf(tableOf(name)).map((column) => column.name)

function tableOf(name: string): SQLiteTable {
  const table = TABLES.find((one) => getTableName(one) === name)
  if (table === undefined) throw new Error(`Expected a table of a space, found ${name}.`)
  return table
}

/** Rows to read with one statement. */
const ROWS_PER_BATCH = 1_000

/** Yields the rows of a table in batches, sorted by key. */
export async function* dumpTable(tx: Transaction, name: string): AsyncGenerator<DumpedRow[]> {
  const { first, next, key } = statementsOf(tableOf(name))
  for (let after: DumpedRow | undefined; ; ) {
    const rows: DumpedRow[] = after === undefined ? await tx.all(first, {}) : await tx.all(next, valuesOf(key, after))
    if (rows.length > 0) yield rows
    after = rows.at(-1)
    if (after === undefined || rows.length < ROWS_PER_BATCH) return
  }
}

interface TableStatements {
  first: Statement<DumpedRow>
  next: Statement<DumpedRow>
  /** The columns of the primary key. */
  key: readonly AnySQLiteColumn[]
}

const statements = new Map<Table, TableStatements>()

function statementsOf(table: SQLiteTable): TableStatements {
  const known = statements.get(table)
  if (known !== undefined) return known
  const key = keyOf(table)
  const name = sql.raw(getTableName(table))
  const columns = Object.values(getTableColumns(table)).map((column) => sql.raw(`"${column.name}"`))
  const select = sql`SELECT ${sql.join(columns, sql`, `)} FROM ${name}`
  const names = sql.join(
    key.map((column) => sql.raw(column.name)),
    sql`, `,
  )
  const values = sql.join(key.map(parameterOf), sql`, `)
  const limit = sql.raw(String(ROWS_PER_BATCH))
  const made = {
    key,
    first: statement<DumpedRow>(() => sql`${select} ORDER BY ${names} LIMIT ${limit}`),
    next: statement<DumpedRow>(() => sql`${select} WHERE (${names}) > (${values}) ORDER BY ${names} LIMIT ${limit}`),
  }
  statements.set(table, made)
  return made
}

const parameterOf = (column: AnySQLiteColumn) =>
  column.dataType === 'number'
    ? sql`CAST(${sql.placeholder(column.name)} AS bigint)`
    : sql`${sql.placeholder(column.name)}`

const valuesOf = (key: readonly AnySQLiteColumn[], row: DumpedRow): DumpedRow =>
  Object.fromEntries(key.map(({ name }) => [name, row[name] ?? null]))

function keyOf(table: SQLiteTable): AnySQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  const [composed] = primaryKeys
  return composed === undefined ? columns.filter((column) => column.primary) : composed.columns
}

/** For each table with numbered rows, the number that its next row gets. Numbers of deleted rows are not reused. */
export async function dumpNumbers(tx: Transaction): Promise<Record<string, number>> {
  const numbers: [table: string, next: number][] = []
  for (const table of TABLES) {
    const name = getTableName(table)
    const [key] = keyOf(table)
    if (key?.name !== 'n') continue
    const next = statement<{ next: number | null }>((dialect) => sql`SELECT ${dialect.nextNumber(name)} AS next`)
    const found = await tx.get(next)
    if (found?.next != null) numbers.push([name, found.next])
  }
  return Object.fromEntries(numbers)
}
