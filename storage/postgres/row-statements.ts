/** Statements that write many rows at once. Each column is a parameter: an array with one value per row. */
import { sql } from 'drizzle-orm'
import {
  DeleteStatement,
  InsertStatement,
  type Statement,
  type StatementColumn,
  UpdateStatement,
} from '../statement.ts'
import type { Values } from '../transaction.ts'
import { POSTGRES } from './dialect.ts'
import { NUMBERED_BY_DEFAULT } from './migrations.ts'

/** A statement for any number of rows. */
export interface ManyRowsStatement {
  text: string
  /** The keys of the columns, in the order of the parameters. */
  keys: readonly string[]
  /**
   * Keys that identify a row. Of two rows with the same values for these keys, only the later one is written, with the
   * same result as one statement per row.
   */
  distinctBy: readonly string[]
}

const ARRAY_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    integer: 'bigint[]',
    text: 'text[]',
    real: 'double precision[]',
  }),
)

/**
 * SQL that inserts rows with these columns. Each column is a parameter: an array.
 *
 * @param columns  names in the database, with types from the schema
 */
export function insertText(table: string, columns: readonly { name: string; type: string }[]): string {
  const names = columns.map(({ name }) => `"${name}"`)
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${ARRAY_TYPES.get(type)}`)
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`
}

function arraysOf(columns: readonly StatementColumn[], extra = ''): string {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${ARRAY_TYPES.get(type)}`)
  return `unnest(${arrays.join(', ')})${extra === '' ? '' : ' WITH ORDINALITY'} AS given (${columns.map((_, index) => `c${index}`).join(', ')}${extra})`
}

function insertMany({ table, columns, tail, computed }: InsertStatement): ManyRowsStatement {
  const isNumbered = NUMBERED_BY_DEFAULT.has(table) && columns.every(({ name }) => name !== 'n')
  const last = `(SELECT coalesce(max(last), 0) FROM table_number WHERE name = '${table}')`
  const names = [...(isNumbered ? ['n'] : []), ...[...columns, ...computed].map(({ name }) => name)]
  const values = [...(isNumbered ? [`${last} + given.ordinal`] : []), ...columns.map((_, index) => `given.c${index}`)]
  const selected = sql.join([sql.raw(values.join(', ')), ...computed.map(({ value }) => value)], sql`, `)
  const from = sql.raw(arraysOf(columns, isNumbered ? ', ordinal' : ''))
  const composed = sql`INSERT INTO ${sql.raw(table)} (${sql.raw(names.join(', '))})
    SELECT ${selected} FROM ${from} ${tail(POSTGRES)}`
  return { text: POSTGRES.compile(composed).sql, keys: columns.map(({ key }) => key), distinctBy: [] }
}

function updateMany({ table, set, where }: UpdateStatement): ManyRowsStatement {
  const columns = [...set, ...where]
  const assignments = set.map(({ name }, index) => `${name} = given.c${index}`)
  const conditions = where.map(({ name }, index) => `${table}.${name} = given.c${set.length + index}`)
  return {
    text: `UPDATE ${table} SET ${assignments.join(', ')} FROM ${arraysOf(columns)} WHERE ${conditions.join(' AND ')}`,
    keys: columns.map(({ key }) => key),
    distinctBy: where.map(({ key }) => key),
  }
}

function deleteMany({ table, where }: DeleteStatement): ManyRowsStatement {
  const conditions = where.map(({ name }, index) => `${table}.${name} = given.c${index}`)
  return {
    text: `DELETE FROM ${table} USING ${arraysOf(where)} WHERE ${conditions.join(' AND ')}`,
    keys: where.map(({ key }) => key),
    distinctBy: [],
  }
}

const compiled = new WeakMap<Statement, ManyRowsStatement | null>()

/** The statement that does for many rows what the given one does for one row; undefined if there is none. */
export function manyRowsStatement(statement: Statement): ManyRowsStatement | undefined {
  let found = compiled.get(statement)
  if (found === undefined) {
    found =
      statement instanceof InsertStatement
        ? insertMany(statement)
        : statement instanceof UpdateStatement
          ? updateMany(statement)
          : statement instanceof DeleteStatement
            ? deleteMany(statement)
            : null
    compiled.set(statement, found)
  }
  return found ?? undefined
}

/** The parameters of such a statement: one array per column. */
export function arraysFor({ keys, distinctBy }: ManyRowsStatement, rows: readonly Values[]): unknown[][] {
  const records = rows as readonly Record<string, unknown>[]
  const distinct = distinctBy.length === 0 ? records : lastOfEach(records, distinctBy)
  return keys.map((key) => distinct.map((row) => row[key] ?? null))
}

function lastOfEach(rows: readonly Record<string, unknown>[], keys: readonly string[]): Record<string, unknown>[] {
  return [...new Map(rows.map((row) => [keys.map((key) => String(row[key])).join(' '), row])).values()]
}
