/**
 * Counts the statements that a test runs on SQLite. Those that are sent to PostgreSQL are counted in
 * test/postgres/statements.test.ts.
 */
import { onTestFinished, vi } from 'vitest'
import { Connection } from '../../storage/sqlite/connection.ts'
import type { Transaction } from '../../storage/transaction.ts'
import { TEST_DATABASE } from '../build.ts'

/** The maximum number of rows per statement in a batch. */
const ROWS_PER_STATEMENT = 100

/** Counts statements until the test ends. A batch counts as one for each hundred rows. */
export function countStatements(): { reset(): void; count: number } {
  const counter = {
    count: 0,
    reset() {
      counter.count = 0
    },
  }
  // The connections of a database are shared by all files of a worker, and their timers must go on.
  if (TEST_DATABASE !== undefined) return counter
  // Listeners poll the space, and a space that opens looks for leases to end: on timers, which are not part of any call.
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const method of ['all', 'get', 'run', 'batch'] as const) {
    const real = Connection.prototype[method] as (...args: unknown[]) => Promise<never>
    const counted = vi.spyOn(Connection.prototype, method as 'all').mockImplementation(function (
      this: Transaction,
      statement: unknown,
      values: unknown,
    ) {
      counter.count += method === 'batch' ? Math.ceil((values as unknown[]).length / ROWS_PER_STATEMENT) : 1
      return real.call(this, statement, values)
    } as never)
    onTestFinished(() => counted.mockRestore())
  }
  return counter
}
