/** What items of a collection with dependencies wait for. */
import { blockersOf } from '../../../storage/item-query.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { addToGroup } from '../../base/grouping.ts'
import { truncateTitle } from '../../markdown/inline-title.ts'
import { partsOf } from '../blocks/rows-in-order.ts'
import type { Collection } from '../collections/schema/find-collection.ts'
import { filterCondition } from '../collections/views/filter-conditions.ts'
import { viewColumnsOf } from '../collections/views/views.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

/** An item that is not done, in responses. */
export interface BlockerAnswer {
  id: string
  title: string
}

/** Returns what each of these items waits for, by number. Items that are ready or done have no entry. */
export async function readBlockers(
  space: Space,
  collection: Collection,
  rows: readonly BlockRow[],
): Promise<Map<number, BlockerAnswer[]>> {
  const blockers = new Map<number, BlockerAnswer[]>()
  const relation = viewColumnsOf(collection).all.find(({ dependency }) => dependency !== undefined)
  if (relation?.dependency === undefined) return blockers
  const done = filterCondition(relation.dependency.column, relation.dependency.done, new Map(), space)
  for await (const part of partsOf(rows)) {
    const numbers = part.map(({ n }) => n)
    const found = await blockersOf(space.tx, numbers, relation.n, done)
    const titleOf = await visibleTitles(
      space,
      found.map(({ text }) => truncateTitle(text)),
    )
    for (const { item, id, text } of found)
      addToGroup(blockers, item, { id: space.spellId(id), title: titleOf(truncateTitle(text)) })
  }
  return blockers
}
