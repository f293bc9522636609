/** What a calendar shows: tasks and items with dates, within reach. */
import { sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { integerValue, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The numbers of open tasks with a date outside of the trash, by date: at most `limit`. */
export async function datedTasks(tx: Transaction, reach: Reach, limit: number): Promise<number[]> {
  const find = statement<{ n: number }>(
    (dialect) => sql`SELECT block.n FROM block INNER JOIN document AS place ON place.n = block.document
      WHERE block.task_open = 1 AND block.task_moment < '~' AND place.location <> 'trash'
        AND ${documentWithinReach(dialect, reach)}
      ORDER BY block.task_moment, block.n LIMIT ${integerValue(limit)}`,
  )
  return (await tx.all(find)).map(({ n }) => n)
}

/** A date of an item. */
export interface DatedValue {
  /** The number of the item's block. */
  item: number
  /** The number and the name of the column. */
  property: number
  name: string
  /** A day, or a range as `YYYY-MM-DD/YYYY-MM-DD`. */
  date: string
}

/** The dates of items outside of the trash, latest first: at most `limit`. */
export async function datedValues(tx: Transaction, reach: Reach, limit: number): Promise<DatedValue[]> {
  const find = statement<DatedValue>(
    (dialect) => sql`SELECT value.item, property.n AS property, property.name, value.text AS date
      FROM property INNER JOIN value ON value.property = property.n
        INNER JOIN block ON block.n = value.item INNER JOIN document AS place ON place.n = block.document
      WHERE property.type = 'date' AND value.text IS NOT NULL AND place.location <> 'trash'
        AND ${documentWithinReach(dialect, reach)}
      ORDER BY value.text DESC, value.item, property.n LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}
