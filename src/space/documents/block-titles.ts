/** The titles of pages, rows and collections, as the connection may see them, by ID. Those out of reach have none. */
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

const TITLED: ReadonlySet<string> = new Set(['page', 'collectionItem', 'collection'])

/** @param ids  as the connection spells them */
export async function blockTitles(space: Space, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const numbers = await space.readIds(ids)
  const rows = await space.findReachableBlocks([...numbers.values()])
  const titled = new Map(rows.filter(({ type }) => TITLED.has(type)).map(({ id, text }) => [id, text]))
  const titleOf = await visibleTitles(space, [...titled.values()])
  return new Map(
    [...numbers].flatMap(([id, number]) => {
      const title = titled.get(number)
      return title === undefined ? [] : [[id, titleOf(title)] as const]
    }),
  )
}
