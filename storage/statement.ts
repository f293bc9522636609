/**
 * Statements: SQL that is composed once, with drizzle's `sql` template, and compiled for the engine that runs it.
 *
 * The SQL uses what SQLite and PostgreSQL have in common. Where they differ, a statement uses one of the few building
 * blocks of the dialect.
 */
import { type AnyColumn, getTableColumns, getTableName, Placeholder, type SQL, sql, type Table } from 'drizzle-orm'

/** The types of parameters that are cast, and of values in lists. */
export type ValueType = 'integer' | 'text'

/** The SQL that differs between engines. */
export interface Dialect {
  /** The text of a composed statement, and its parameters in order. */
  compile(composed: SQL): { sql: string; params: unknown[] }
  /**
   * The values of a list as rows of a table: column `value`, and column `id` for their order.
   *
   * @param json  a JSON array; see {@link jsonList}
   */
  rows(json: SQL, type: ValueType): SQL
  /**
   * The objects of a list as rows of a table: a column for each field.
   *
   * @param json  a JSON array
   */
  records(json: SQL, fields: Readonly<Record<string, ValueType>>): SQL
  /** A join that reads the left side first, and then the right side for each of its rows. */
  readonly thenJoin: SQL
  /**
   * Like {@link thenJoin}, but always looks up the right side per row of the left, even if the engine estimates few
   * rows.
   */
  thenLookUp(table: string, alias: string, condition: SQL): SQL
  /** Makes the engine read a table by this index where it would not choose it on its own. */
  indexedBy(index: string): SQL
  /** A condition that is true if a text contains another, compared character by character. */
  contains(text: SQL, part: SQL): SQL
  /** A field of a JSON object, as text. */
  jsonField(json: SQL, field: string): SQL
  /** `ON CONFLICT` with the columns of an index that is unique within one space. */
  onConflict(...columns: readonly string[]): SQL
  /** The indexed column of `value` to look up numbers by. */
  readonly indexedNumber: SQL
  /** The number that the next row of a table will get. */
  nextNumber(table: string): SQL
  /**
   * Milliseconds of a clock that all processes of the space share.
   *
   * @param ours  what the clock of this machine shows that is never set; a database uses its own clock instead
   */
  steadyTime(ours: SQL): SQL
}

/** A statement that is compiled for one engine. */
export interface CompiledStatement {
  readonly text: string
  /** The parameters in order: fixed values, or placeholders for the values that each run provides. */
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
 * Creates a statement. Statements without values of a single call are module constants, so they are compiled and
 * prepared only once.
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

/** A parameter whose value each run provides. */
export const param = (name: string): SQL => sql`${sql.placeholder(name)}`
/**
 * An integer parameter. Engines that bind all numbers as real numbers could not use an index for it without the cast.
 */
export const integer = (name: string): SQL => integerValue(sql.placeholder(name))
export const integerValue = (value: number | Placeholder): SQL => sql`CAST(${value} AS bigint)`

/** A list as the value of a parameter: see {@link listOf}. */
export const jsonList = (values: Iterable<string | number>): string => JSON.stringify([...values])
/** The values of a list parameter, for comparison with IN. Its value is a {@link jsonList}. */
export const listOf = (dialect: Dialect, name: string, type: ValueType): SQL =>
  sql`(SELECT value FROM ${dialect.rows(param(name), type)} AS list)`
/** Like {@link listOf}, but for given values instead of a parameter. */
export const listOfValues = (dialect: Dialect, values: Iterable<string | number>, type: ValueType): SQL =>
  sql`(SELECT value FROM ${dialect.rows(sql`${jsonList(values)}`, type)} AS list)`
/** The values of a list parameter as rows with columns `value` and `id`. An alias must follow it. */
export const rowsOf = (dialect: Dialect, name: string, type: ValueType): SQL => dialect.rows(param(name), type)

/** The objects of a list parameter as rows with a column for each field. An alias must follow it. */
export const recordsOf = (dialect: Dialect, name: string, fields: Readonly<Record<string, ValueType>>): SQL =>
  dialect.records(param(name), fields)

/** Constant words, such as the names of locations. Never user input. */
export const quoted = (words: readonly string[]): SQL => sql.raw(words.map((word) => `'${word}'`).join(', '))

/**
 * The columns of a table, aliased to the keys of its rows.
 *
 * @param alias  alias of the table in the statement
 * @param without  keys of columns to leave out
 */
export const columnsOf = (table: Table, alias = getTableName(table), without: readonly string[] = []): SQL =>
  sql.raw(
    Object.entries(getTableColumns(table) as Record<string, AnyColumn>)
      .filter(([key]) => !without.includes(key))
      .map(([key, { name }]) => (key === name ? `${alias}.${name}` : `${alias}.${name} AS "${key}"`))
      .join(', '),
  )

/** `SELECT … FROM` a table, with all columns that its rows have. */
export const selectFrom = (table: Table): SQL => sql`SELECT ${columnsOf(table)} FROM ${sql.raw(getTableName(table))}`

/** A column that a statement on rows sets or compares. */
export interface StatementColumn {
  /** Its key in a row. */
  key: string
  /** Its name in the database. */
  name: string
  /** Its type as the schema declares it: `integer`, `text` or `real`. */
  type: string
}

/** Columns of a table, in the order of the schema. @param keys  keys of the columns to return; all if absent */
function columnsByKey(table: Table, keys?: readonly string[]): StatementColumn[] {
  const columns = Object.entries(getTableColumns(table) as Record<string, AnyColumn>)
  return columns
    .filter(([key]) => keys === undefined || keys.includes(key))
    .map(([key, column]) => ({ key, name: column.name, type: column.getSQLType() }))
}

/** The columns of a table with these names in the database. The names also serve as their keys. */
export function columnsByName(table: Table, columnNames: readonly string[]): StatementColumn[] {
  const columns = new Map(columnsByKey(table).map((column) => [column.name, column]))
  return columnNames.map((name) => {
    const column = columns.get(name)
    if (column === undefined) throw new Error(`Expected a column ${name} in ${getTableName(table)}, found none.`)
    return { ...column, key: name }
  })
}

const placeholdersOf = (columns: readonly StatementColumn[]): SQL =>
  sql.join(
    columns.map(({ key }) => param(key)),
    sql`, `,
  )

const conditionsOf = (columns: readonly StatementColumn[]): SQL =>
  sql.join(
    columns.map(({ key, name, type }) => sql`${sql.raw(name)} = ${type === 'integer' ? integer(key) : param(key)}`),
    sql` AND `,
  )

/** A column with the same SQL value in all rows, for example one that is read from another table. */
export interface ComputedColumn {
  name: string
  value: SQL
}

/** Inserts rows. A batch inserts many rows with one statement. */
export class InsertStatement extends Statement {
  readonly table: string
  readonly columns: readonly StatementColumn[]
  /** SQL that follows the values, such as ON CONFLICT. */
  readonly tail: (dialect: Dialect) => SQL
  readonly computed: readonly ComputedColumn[]
  readonly #head: SQL
  readonly #row: SQL
  readonly #byCount = new Map<number, Statement>()

  constructor(
    table: string,
    columns: readonly StatementColumn[],
    tail: (dialect: Dialect) => SQL,
    computed: readonly ComputedColumn[] = [],
  ) {
    const names = [...columns, ...computed].map(({ name }) => name)
    const head = sql.raw(`INSERT INTO ${table} (${names.join(', ')}) VALUES `)
    const row = sql.join([placeholdersOf(columns), ...computed.map(({ value }) => value)], sql`, `)
    super((dialect) => sql`${head}(${row}) ${tail(dialect)}`)
    this.table = table
    this.columns = columns
    this.tail = tail
    this.computed = computed
    this.#head = head
    this.#row = row
  }

  /**
   * The statement for `count` rows. Its parameters are the values of all columns of the first row, then of the next,
   * and so on.
   */
  forRows(count: number): Statement {
    let many = this.#byCount.get(count)
    if (many === undefined) {
      const rows = sql.join(Array(count).fill(sql`(${this.#row})`), sql`, `)
      many = new Statement((dialect) => sql`${this.#head}${rows} ${this.tail(dialect)}`)
      this.#byCount.set(count, many)
    }
    return many
  }
}

/** Sets columns of the rows that have the given values in other columns. An engine may run a batch as one statement. */
export class UpdateStatement extends Statement {
  readonly table: string
  readonly set: readonly StatementColumn[]
  readonly where: readonly StatementColumn[]

  constructor(table: string, set: readonly StatementColumn[], where: readonly StatementColumn[]) {
    const assignments = sql.join(
      set.map(({ key, name }) => sql`${sql.raw(name)} = ${param(key)}`),
      sql`, `,
    )
    super(() => sql`UPDATE ${sql.raw(table)} SET ${assignments} WHERE ${conditionsOf(where)}`)
    this.table = table
    this.set = set
    this.where = where
  }
}

/** Deletes the rows that have the given values in some columns. An engine may run a batch as one statement. */
export class DeleteStatement extends Statement {
  readonly table: string
  readonly where: readonly StatementColumn[]

  constructor(table: string, where: readonly StatementColumn[]) {
    super(() => sql`DELETE FROM ${sql.raw(table)} WHERE ${conditionsOf(where)}`)
    this.table = table
    this.where = where
  }
}

/**
 * A statement that inserts rows of a table.
 *
 * @param keys  keys of the columns to fill; all if absent
 * @param tail  SQL that follows the values, such as ON CONFLICT
 * @param computed  columns that are computed by SQL instead of taken from the rows
 */
export const insertInto = (
  table: Table,
  keys?: readonly string[],
  tail: (dialect: Dialect) => SQL = () => sql``,
  computed: readonly ComputedColumn[] = [],
): InsertStatement => new InsertStatement(getTableName(table), columnsByKey(table, keys), tail, computed)

/**
 * A statement that sets columns of rows.
 *
 * @param set  keys of the columns to set
 * @param where  keys of the columns that select the rows
 */
export const updateWhere = (table: Table, set: readonly string[], where: readonly string[] = ['n']): UpdateStatement =>
  new UpdateStatement(getTableName(table), columnsByKey(table, set), columnsByKey(table, where))

/** A statement that deletes rows. @param where  keys of the columns that select the rows */
export const deleteWhere = (table: Table, where: readonly string[]): DeleteStatement =>
  new DeleteStatement(getTableName(table), columnsByKey(table, where))
