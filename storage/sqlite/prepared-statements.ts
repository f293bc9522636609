/** Prepared statements of one SQLite database. */
import type { Database, Statement } from 'better-sqlite3'

/**
 * Maximum number of statements that stay prepared. Statements of a single call are composed of parts, and there are not
 * that many combinations.
 */
const MAX_PREPARED = 1_000

export class PreparedStatements {
  readonly sqlite: Database
  readonly #prepared = new Map<string, Statement<unknown[], unknown>>()

  constructor(sqlite: Database) {
    this.sqlite = sqlite
  }

  /** A prepared statement, for SQL that is specific to SQLite. */
  sql<Row = unknown>(source: string): Statement<unknown[], Row> {
    let prepared = this.#prepared.get(source)
    if (prepared === undefined) {
      if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear()
      prepared = this.sqlite.prepare<unknown[], unknown>(source)
      this.#prepared.set(source, prepared)
    }
    return prepared as Statement<unknown[], Row>
  }
}
