/** Reach: what a connection can see, as an SQL condition on documents. */
import { type SQL, sql } from 'drizzle-orm'
import { DAILY_LOCATIONS } from './schema.ts'
import { type Dialect, listOfValues, quoted } from './statement.ts'

/**
 * The blocks that a connection can see: all of them; those in daily notes and in the system documents for tasks; or
 * those in the given documents.
 */
export type Reach = 'all' | 'daily' | { documents: readonly number[] }

const WITHIN_DAILY_LOCATIONS = sql`place.location IN (${quoted(DAILY_LOCATIONS)})`

/** Condition on rows of `document`, aliased `place`: within reach. */
export function documentWithinReach(dialect: Dialect, reach: Reach): SQL {
  if (reach === 'all') return sql`true`
  return reach === 'daily'
    ? WITHIN_DAILY_LOCATIONS
    : sql`place.location <> 'trash' AND place.n IN ${listOfValues(dialect, reach.documents, 'integer')}`
}
