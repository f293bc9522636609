/** What every storage engine provides to queries. */
import type { Statement } from './statement.ts'
import type { WordIndex } from './word-index.ts'

/** Values of a statement's parameters, by name. Parameters that are left out are null. */
export type Values = object

/**
 * The context of a query: everything between the beginning and the end of one transaction. Queries take it as their
 * first argument and never learn which engine runs them.
 */
export interface Transaction {
  /** All rows of a statement. */
  all<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]>
  /** The first row of a statement, if any. */
  get<Row>(statement: Statement<Row>, values?: Values): Promise<Row | undefined>
  /** Runs a statement that changes rows. @returns how many it changed */
  run(statement: Statement, values?: Values): Promise<number>
  /** Runs a statement once for each set of values, in order and in one go. @returns how many rows all of them changed */
  batch(statement: Statement, rows: readonly Values[]): Promise<number>
  /**
   * Runs work that may throw. If it does, what it wrote is undone, and the transaction goes on. Work does not overlap
   * with other work.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Rows may refer to rows that are not there until this transaction ends. */
  deferReferences(): Promise<void>
  /** The index of words of the space. */
  readonly words: WordIndex
}
