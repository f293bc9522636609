/** Formats items for responses. */
import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { Collection } from '../collections/schema/find-collection.ts'
import { type ItemProperties, readItemValues } from '../collections/schema/item-values.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

export interface ItemAnswer {
  id: string
  title?: string
  properties?: ItemProperties
  [titleKey: string]: unknown
}

/** Keys of items that have a fixed meaning, even if a title column has the same key. */
const ITEM_KEYS: ReadonlySet<string> = new Set([
  ...['id', 'title', 'properties', 'content', 'contentPreviewMd', 'expected', 'heldBy', 'blockedBy'],
])

/**
 * Returns the title of an item. Over REST it is repeated under the key of the title column, since clients of other
 * services read it there.
 */
export const titleFields = ({ link }: Space, { titleKey }: Collection, title: string): Record<string, string> =>
  link.overRest && !ITEM_KEYS.has(titleKey) ? { title, [titleKey]: title } : { title }

/** The response format of writing calls: the items in their new state, or only their IDs. */
export type ItemAnswerFormat = 'full' | 'ids'

/** Returns written items without their content. */
export async function itemAnswers(
  space: Space,
  collection: Collection,
  rows: readonly BlockRow[],
  format: ItemAnswerFormat,
): Promise<ItemAnswer[]> {
  if (format === 'ids') return rows.map(({ id }) => ({ id: space.spellId(id) }))
  const values = await readItemValues(space, rows)
  const titleOf = await visibleTitles(
    space,
    rows.map(({ text }) => text),
  )
  const answers: ItemAnswer[] = []
  for await (const row of iterateCooperatively(rows)) {
    answers.push({
      id: space.spellId(row.id),
      ...titleFields(space, collection, titleOf(row.text)),
      properties: values.propertiesOf(row),
    })
  }
  return answers
}
