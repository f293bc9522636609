/** A transaction on a PostgreSQL connection. */
import { createHash } from 'node:crypto'
import type { PoolClient, QueryResult } from 'pg'
import { type CompiledStatement, parametersOf, type Statement } from '../statement.ts'
import type { Values } from '../transaction.ts'
import { isConnectionLost, translateError } from './database-errors.ts'
import type { DatabaseTransaction } from './database-transaction.ts'
import { POSTGRES } from './dialect.ts'
import { arraysFor, manyRowsStatement } from './row-statements.ts'
import { PostgresWordIndex, type WordToolsLoader } from './word-index.ts'

/** Maximum number of rows per statement: the parameters for that many are built without yielding. */
const ROWS_PER_STATEMENT = 2_000

/**
 * Names of prepared statements by text. All processes use the same name for a text, since a pooler may give a
 * connection to several of them.
 */
const statementNames = new Map<string, string>()

function nameOf(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url')
    statementNames.set(text, name)
  }
  return name
}

/**
 * Everything between BEGIN and COMMIT. Statements are pipelined: each is sent without waiting for the previous ones.
 */
export class Connection implements DatabaseTransaction {
  readonly words: PostgresWordIndex
  readonly #client: PoolClient
  #changes = 0
  #isLost = false
  #hasDeferred = false

  constructor(client: PoolClient, words: WordToolsLoader | undefined) {
    this.#client = client
    this.words = new PostgresWordIndex(this, words)
  }

  /** The number of rows changed since the transaction began. */
  get changes(): number {
    return this.#changes
  }

  /** True once the connection is gone, and the transaction with it. */
  get isLost(): boolean {
    return this.#isLost
  }

  async all<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]> {
    return (await this.#runStatement(statement.compile(POSTGRES), values)).rows as Row[]
  }

  async get<Row>(statement: Statement<Row>, values?: Values): Promise<Row | undefined> {
    return (await this.#runStatement(statement.compile(POSTGRES), values)).rows[0] as Row | undefined
  }

  async run(statement: Statement, values?: Values): Promise<number> {
    return (await this.#runStatement(statement.compile(POSTGRES), values)).rowCount ?? 0
  }

  async batch(statement: Statement, rows: readonly Values[]): Promise<number> {
    if (rows.length === 0) return 0
    const many = manyRowsStatement(statement)
    const sent: Promise<QueryResult>[] = []
    if (many === undefined) {
      const compiled = statement.compile(POSTGRES)
      for (const values of rows) sent.push(this.#runStatement(compiled, values))
    } else {
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
        sent.push(this.query(many.text, arraysFor(many, rows.slice(from, from + ROWS_PER_STATEMENT))))
      }
    }
    const results = await Promise.all(sent)
    return results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    await this.query('SAVEPOINT attempt')
    const restorePending = this.words.savePending()
    const changes = this.#changes
    try {
      const result = await work()
      await this.query('RELEASE attempt')
      return result
    } catch (error) {
      restorePending()
      this.#changes = changes
      if (!this.#isLost) {
        await this.query('ROLLBACK TO attempt')
        await this.query('RELEASE attempt')
      }
      throw error
    }
  }

  async deferReferences(): Promise<void> {
    this.#hasDeferred = true
    await this.query('SET CONSTRAINTS ALL DEFERRED')
  }

  /** Checks the deferred references, so that a broken reference fails the write that caused it. */
  async checkReferences(): Promise<void> {
    if (!this.#hasDeferred) return
    this.#hasDeferred = false
    await this.query('SET CONSTRAINTS ALL IMMEDIATE')
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<QueryResult<Row>> {
    try {
      const result = await this.#client.query<Row>({ name: nameOf(text), text, values: [...values] })
      if (result.command !== 'SELECT') this.#changes += result.rowCount ?? 0
      return result
    } catch (error) {
      if (isConnectionLost(error)) this.#isLost = true
      throw translateError(error)
    }
  }

  #runStatement(compiled: CompiledStatement, values: Values | undefined): Promise<QueryResult> {
    return this.query(compiled.text, parametersOf(compiled, values))
  }
}
