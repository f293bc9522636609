/** The interface that every storage engine provides to queries. */
import type { Statement } from './statement.ts'
import type { WordIndex } from './word-index.ts'

/** Values of a statement's parameters, by name. Missing parameters are null. */
export type Values = object

/**
 * The context of a query: one transaction, from its beginning to its end. Queries take it as their first argument and
 * never learn which engine runs them.
 */
export interface Transaction {
  /** All rows of a statement. */
  all<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]>
  /** The first row of a statement, if any. */
  get<Row>(statement: Statement<Row>, values?: Values): Promise<Row | undefined>
  /** Runs a statement that changes rows. @returns how many it changed */
  run(statement: Statement, values?: Values): Promise<number>
  /**
   * Runs a statement once for each set of values, in order, in one round trip.
   *
   * @returns how many rows all runs changed
   */
  batch(statement: Statement, rows: readonly Values[]): Promise<number>
  /**
   * Runs work that may throw. If it does, its changes are undone, and the transaction can continue. Calls must not
   * overlap.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /**
   * Defers the check of references between rows to the end of this transaction. Until then, referenced rows may be
   * missing.
   */
  deferReferences(): Promise<void>
  /** The word index of the space. */
  readonly words: WordIndex
}
