/**
 * When stored records may expire. A clock that is ahead must not delete anything for good, so the age of a record is not
 * enough: the space must also have been written on several days since. The audit log knows these days.
 */
import { sql } from 'drizzle-orm'
import { integer, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * On how many days a space must have been written after a record, before the record may expire. A shorter age needs as
 * many days as it has, but at least two: a single day may be the one that a wrong clock shows. An age of less than a day
 * cannot be confirmed in this way, and is taken at the clock's word.
 */
export const CONFIRMING_DAYS = 7
const CONFIRMING_DAYS_MIN = 2

// One look-up in the index of `at` per day. Entries about what expired are no sign of life: a server whose clock is wrong
// makes them by itself.
const NTH_LAST_DAY = statement<{ start: number | null }>(
  () => sql`WITH RECURSIVE day (start, remaining) AS (
      SELECT (SELECT max(at) FROM write_log WHERE at <= ${integer('now')} AND erased IS NULL)
        / ${integer('dayMs')} * ${integer('dayMs')}, ${integer('days')}
      UNION ALL
      SELECT (SELECT max(at) FROM write_log WHERE at < start AND erased IS NULL)
        / ${integer('dayMs')} * ${integer('dayMs')}, remaining - 1
      FROM day WHERE remaining > 1 AND start IS NOT NULL)
    SELECT start FROM day WHERE remaining = 1`,
)

/** Sooner than any stored time: nothing may expire. */
const NEVER = -1

/**
 * Returns the time up to which records of a given age may expire: `now - age`, or earlier if the space was not written
 * on {@link CONFIRMING_DAYS} days since. Days are those of UTC. Times after now do not count.
 *
 * @param now  milliseconds since 1970, like the result
 * @param age  milliseconds
 */
export async function expiryTime(tx: Transaction, now: number, age: number): Promise<number> {
  if (age < DAY_MS) return now - age
  const days = Math.min(Math.max(Math.ceil(age / DAY_MS), CONFIRMING_DAYS_MIN), CONFIRMING_DAYS)
  const { start } = (await tx.get(NTH_LAST_DAY, { now, days, dayMs: DAY_MS })) ?? { start: null }
  return start === null ? NEVER : Math.min(now - age, start - 1)
}
