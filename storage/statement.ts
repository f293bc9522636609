/**
 * Statements: SQL that is composed once, by drizzle's `sql` template, and compiled for the engine that runs it.
 *
 * The SQL is what SQLite and PostgreSQL have in common. Where they differ, a statement uses one of the few pieces of the
 * dialect.
 */
import { type AnyColumn, getTableColumns, getTableName, Placeholder, type SQL, sql, type Table } from 'drizzle-orm'

/** The types of parameters that are cast, and of values in lists. */
export type ValueType = 'integer' | 'text'

/** What the engines say differently. */
export interface Dialect {
  /** The text of a composed statement, and its parameters in order. */
  compile(composed: SQL): { sql: string; params: unknown[] }
  /**
   * The values of a list as rows of a table: column `value`, and `id` with their order.
   *
   * @param json  a JSON array; see {@link jsonList}
   */
  rows(json: SQL, type: ValueType): SQL
  /** A join that reads the left side first, and for each of its rows the right side. */
  readonly thenJoin: SQL
  /** Reads a table by this index, where the engine would not choose it by itself. */
  indexedBy(index: string): SQL
  /** True if a text contains another, compared character by character. */
  contains(text: SQL, part: SQL): SQL
  /** A field of a JSON object, as text. */
  jsonField(json: SQL, field: string): SQL
  /** The number that the next row of a table will get. */
  nextNumber(table: string): SQL
}

/** A statement for one engine. */
export interface CompiledStatement {
  readonly text: string
  /** The parameters in order: values, or the names of values that each run provides. */
  readonly parameters: readonly unknown[]
}

/** @template Row  a row of its result */
export class Statement<Row = unknown> {
  /** Only for the type checker: ties a statement to its rows. */
  declare readonly row: Row
  readonly #compose: (dialect: Dialect) => SQL
  readonly #compiled = new Map<Dialect, CompiledStatement>()

  constructor(compose: (dialect: Dialect) => SQL) {
    this.#compose = compose
  }

  compile(dialect: Dialect): CompiledStatement {
    let compiled = this.#compiled.get(dialect)
    if (compiled === undefined) {
      const { sql: text, params } = dialect.compile(this.#compose(dialect))
      compiled = { text, parameters: params }
      this.#compiled.set(dialect, compiled)
    }
    return compiled
  }
}

/**
 * A statement. Those without values of one call are constants of their module, and so are compiled and prepared once.
 *
 * @param compose  returns the SQL; parameters of each run are {@link param}s, and other interpolated values are bound
 */
export const statement = <Row = unknown>(compose: (dialect: Dialect) => SQL): Statement<Row> => new Statement(compose)

/** The values of one run, in the order of the parameters. */
export function parametersOf({ parameters }: CompiledStatement, values: object | undefined): unknown[] {
  return parameters.map((parameter) =>
    parameter instanceof Placeholder ? ((values as Record<string, unknown>)?.[parameter.name] ?? null) : parameter,
  )
}

/** A parameter of each run. */
export const param = (name: string): SQL => sql`${sql.placeholder(name)}`
/** An integer. Engines that bind all numbers as real numbers would not find it by an index otherwise. */
export const integer = (name: string): SQL => integerValue(sql.placeholder(name))
export const integerValue = (value: number | Placeholder): SQL => sql`CAST(${value} AS bigint)`

/** A list as the value of a parameter: see {@link listOf}. */
export const jsonList = (values: Iterable<string | number>): string => JSON.stringify([...values])
/** The values of a list parameter, to compare with by IN. Its value is a {@link jsonList}. */
export const listOf = (dialect: Dialect, name: string, type: ValueType): SQL =>
  sql`(SELECT value FROM ${dialect.rows(param(name), type)} AS list)`
/** The same for values of this call. */
export const listOfValues = (dialect: Dialect, values: Iterable<string | number>, type: ValueType): SQL =>
  sql`(SELECT value FROM ${dialect.rows(sql`${jsonList(values)}`, type)} AS list)`
/** The values of a list parameter as rows with columns `value` and `id`; named by an alias behind it. */
export const rowsOf = (dialect: Dialect, name: string, type: ValueType): SQL => dialect.rows(param(name), type)

/** Constant words, such as the names of locations. Never user input. */
export const quoted = (words: readonly string[]): SQL => sql.raw(words.map((word) => `'${word}'`).join(', '))

/** The columns of a table under the names of its rows. @param alias  of the table in the statement */
export const columnsOf = (table: Table, alias = getTableName(table)): SQL =>
  sql.raw(
    Object.entries(getTableColumns(table) as Record<string, AnyColumn>)
      .map(([key, { name }]) => (key === name ? `${alias}.${name}` : `${alias}.${name} AS "${key}"`))
      .join(', '),
  )

/** `SELECT … FROM` a table, with its rows. */
export const selectFrom = (table: Table): SQL => sql`SELECT ${columnsOf(table)} FROM ${sql.raw(getTableName(table))}`

/** Inserts rows. A batch of it inserts many rows with one statement. */
export class InsertStatement extends Statement {
  /** Keys of a row, in the order of its values. */
  readonly keys: readonly string[]
  readonly #head: SQL
  readonly #tail: SQL
  readonly #byCount = new Map<number, Statement>()

  constructor(table: Table, keys: readonly string[] | undefined, tail: SQL) {
    const columns = Object.entries(getTableColumns(table) as Record<string, AnyColumn>).filter(
      ([key]) => keys === undefined || keys.includes(key),
    )
    const head = sql.raw(
      `INSERT INTO ${getTableName(table)} (${columns.map(([, { name }]) => name).join(', ')}) VALUES `,
    )
    const values = columns.map(([key]) => param(key))
    super(() => sql`${head}(${sql.join(values, sql`, `)}) ${tail}`)
    this.keys = columns.map(([key]) => key)
    this.#head = head
    this.#tail = tail
  }

  /** The statement for so many rows: its parameters are the values of all keys of the first row, then of the next. */
  forRows(count: number): Statement {
    let many = this.#byCount.get(count)
    if (many === undefined) {
      const row = sql`(${sql.join(
        this.keys.map((key) => param(key)),
        sql`, `,
      )})`
      many = new Statement(() => sql`${this.#head}${sql.join(Array(count).fill(row), sql`, `)} ${this.#tail}`)
      this.#byCount.set(count, many)
    }
    return many
  }
}

/**
 * A statement that inserts rows of a table.
 *
 * @param keys  of the columns to fill; all when absent
 * @param tail  what follows the values, such as ON CONFLICT
 */
export const insertInto = (table: Table, keys?: readonly string[], tail = sql``): InsertStatement =>
  new InsertStatement(table, keys, tail)
