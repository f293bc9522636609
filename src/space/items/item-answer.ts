/** Items as answers show them. */
import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { type ItemProperties, readItemValues } from '../collections/schema/item-values.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

export interface ItemAnswer {
  id: string
  title?: string
  properties?: ItemProperties
}

/** How a writing call answers: with the items as they are now, or with their IDs alone. */
export type ItemAnswerFormat = 'items' | 'ids'

/** Written items without their content. */
export async function itemAnswers(
  space: Space,
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
    answers.push({ id: space.spellId(row.id), title: titleOf(row.text), properties: values.propertiesOf(row) })
  }
  return answers
}
