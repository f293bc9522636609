/** Prepared statements of one SQLite database. */
import type { Database, Statement } from 'better-sqlite3'

/** Statements that stay prepared. Those of one call only are composed of parts, and there are not so many of them. */
const MAX_PREPARED = 1_000

export class PreparedStatements {
  readonly sqlite: Database
  readonly #prepared = new Map<string, Statement<unknown[], unknown>>()

  constructor(sqlite: Database) {
    this.sqlite = sqlite
  }

  /** A prepared statement, for what only SQLite has. */
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
