/**
 * Texts that are indexed with a block although they are not its own: values of items, comments, and texts on
 * whiteboards.
 */
import { sql } from 'drizzle-orm'
import type { BlockRow } from './schema.ts'
import { jsonList, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

interface RelatedText {
  n: number
  text: string | null
  /** Only for values that are numbers. */
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

const BOARD_ELEMENTS = statement<{ n: number; json: string }>(
  (dialect) => sql`SELECT element.board AS n, element.json
    FROM ${rowsOf(dialect, 'boards', 'integer')} AS one ${dialect.thenJoin} element ON element.board = one.value
    WHERE element.json LIKE '%"text":"%' OR element.json LIKE '%"name":"%' ORDER BY element.board, element.n`,
)

/** The visible text of an element: the content of a text element, or the name of a frame; otherwise empty. */
function elementText(json: string): string {
  const { type, text, name, isDeleted } = JSON.parse(json) as Record<string, unknown>
  const shown = type === 'text' ? text : type === 'frame' || type === 'magicframe' ? name : undefined
  return isDeleted !== true && typeof shown === 'string' ? shown : ''
}

/**
 * Related texts of these blocks, by number: for items, their values except references to other blocks; for whiteboards,
 * the texts on them; for all blocks, their comments.
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
  const boards = rows.filter(({ type }) => type === 'whiteboard')
  if (boards.length > 0) {
    for (const { n, json } of await tx.all(BOARD_ELEMENTS, { boards: numbersOf(boards) })) {
      const text = elementText(json)
      if (text !== '') add({ n, text })
    }
  }
  if (withComments) for (const one of await tx.all(COMMENT_TEXTS, { blocks: numbersOf(rows) })) add(one)
  return textsByBlock
}

const numbersOf = (rows: readonly BlockRow[]): string => jsonList(rows.map(({ n }) => n))
