/** Queries on what a member has to do: values of items that are the member, and the links that it claims with. */
import { sql } from 'drizzle-orm'
import { integer, integerValue, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** An item, and a property of it that has the member as a value, by number. */
export interface MemberValue {
  item: number
  property: number
}

/** Values that are this member, in the order of items. What is in the trash is left out. @param member  by number */
export function valuesOfMember(tx: Transaction, member: number, limit: number): Promise<MemberValue[]> {
  const find = statement<MemberValue>(
    ({ thenJoin }) => sql`SELECT value.item, value.property FROM property
        ${thenJoin} value ON value.property = property.n
        ${thenJoin} block ON block.n = value.item ${thenJoin} document AS place ON place.n = block.document
      WHERE property.type = 'person' AND value.number = ${integer('member')} AND place.location <> 'trash'
      ORDER BY value.item, value.property LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find, { member })
}

// A link writes as its own member, or as its participant if it has none.
const LINKS = statement<{ id: string }>(
  () => sql`SELECT link.id FROM link LEFT JOIN member AS own ON own.link = link.n
      LEFT JOIN member AS person ON person.participant = link.participant
    WHERE coalesce(own.n, person.n) = ${integer('member')} ORDER BY link.n`,
)

/** The IDs of the links with which a member writes: its own, or those of the person. @param member  by number */
export async function linksOfMember(tx: Transaction, member: number): Promise<string[]> {
  return (await tx.all(LINKS, { member })).map(({ id }) => id)
}
