/** A PostgreSQL transaction, as other modules of this engine use it. */
import type { QueryResult } from 'pg'
import type { Transaction } from '../transaction.ts'

export interface DatabaseTransaction extends Transaction {
  /** Runs a statement that is specific to PostgreSQL. It stays prepared. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>
}
