/** The titles of pages and rows, as the connection may see them, by ID. Those out of reach have none. */
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

/** @param ids  as the connection spells them */
export async function blockTitles(space: Space, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const numbers = await space.readIds(ids)
  const rows = await space.findReachableBlocks([...numbers.values()])
  const titled = new Map(
    rows.filter(({ type }) => type === 'page' || type === 'collectionItem').map(({ id, text }) => [id, text]),
  )
  const titleOf = await visibleTitles(space, [...titled.values()])
  return new Map(
    [...numbers].flatMap(([id, number]) => {
      const title = titled.get(number)
      return title === undefined ? [] : [[id, titleOf(title)] as const]
    }),
  )
}
