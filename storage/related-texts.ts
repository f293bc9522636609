/** Texts that are found with a block although they are not its own: values of items, and comments. */
import { sql } from 'drizzle-orm'
import type { BlockRow } from './schema.ts'
import { jsonList, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

interface RelatedText {
  n: number
  text: string | null
  /** Of a value that is a number. */
  number?: number | null
}

const VALUE_TEXTS = statement<RelatedText>(
  (dialect) => sql`SELECT value.item AS n, coalesce(value.text, option.name) AS text, value.number
    FROM ${rowsOf(dialect, 'items', 'integer')} AS one ${dialect.thenJoin} value ON value.item = one.value
      ${dialect.thenJoin} property ON property.n = value.property LEFT JOIN option ON option.n = value.option
    WHERE value.target IS NULL AND property.type <> 'boolean'
    ORDER BY value.item, property.position, property.n, value.ordinal`,
)
const COMMENT_TEXTS = statement<RelatedText>(
  (dialect) => sql`SELECT comment.block AS n, comment.content AS text
    FROM ${rowsOf(dialect, 'blocks', 'integer')} AS one ${dialect.thenJoin} comment ON comment.block = one.value
    ORDER BY comment.n`,
)

/**
 * Related texts of these blocks, by number: for items their values, except those that refer to other blocks, and for all
 * blocks their comments.
 *
 * @param withComments  false for blocks that are too new to have any
 */
export async function relatedTexts(
  tx: Pick<Transaction, 'all'>,
  rows: readonly BlockRow[],
  withComments = true,
): Promise<Map<number, string[]>> {
  const textsByBlock = new Map<number, string[]>()
  const add = ({ n, text, number }: RelatedText) => {
    const texts = textsByBlock.get(n)
    const one = text ?? String(number)
    if (texts === undefined) textsByBlock.set(n, [one])
    else texts.push(one)
  }
  const items = rows.filter(({ type }) => type === 'collectionItem')
  if (items.length > 0) for (const one of await tx.all(VALUE_TEXTS, { items: numbersOf(items) })) add(one)
  if (withComments) for (const one of await tx.all(COMMENT_TEXTS, { blocks: numbersOf(rows) })) add(one)
  return textsByBlock
}

const numbersOf = (rows: readonly BlockRow[]): string => jsonList(rows.map(({ n }) => n))
