import type { Connection } from '../storage/sqlite/connection.ts'
import type { Transaction } from '../storage/transaction.ts'

/** The connection of a transaction, for tests that look at the tables of SQLite themselves. */
export const connectionOf = (tx: Transaction): Connection => tx as Connection
