/** Lists the items of a collection, as JSON with their content or as a table. */
import { countItems, itemsAfter } from '../../../storage/items.ts'
import { inTurns } from '../../breathe.ts'
import { invalid } from '../../errors.ts'
import { type Collection, findCollection, type Property, propertyOf } from '../collections/find.ts'
import { openCursor, type Rest, sealCursor } from '../cursors.ts'
import { visibleTitles } from '../links.ts'
import type { Space } from '../space.ts'
import { type Choice, type Chosen, chooseItems, isChoice } from '../views/choose.ts'
import { itemsJson } from './json.ts'
import { itemsTable } from './table.ts'
import { readValues } from './values.ts'

export interface ItemListing extends Choice {
  collectionId: string
  /** Levels of content: -1 for all, 0 for the properties alone. */
  maxDepth: number
  /** Keys or names of the properties to show; all without it. */
  properties?: string[] | undefined
  format: 'json' | 'markdown'
  limit: number
  cursor?: string | undefined
}

interface ItemList {
  mediaType: 'application/json' | 'text/markdown'
  body: string
  /** How many it shows: the items, and what they hold. */
  blocks: number
  note?: string
}

/**
 * @throws NOT_FOUND_ERROR; CURSOR_INVALID; VALIDATION_ERROR for a property that the collection has not, and for rules
 *   as {@link chooseItems} does
 */
export async function listItems(space: Space, listing: ItemListing): Promise<ItemList> {
  const collection = await findCollection(space, listing.collectionId)
  const shown = shownProperties(collection, listing.properties)
  const { cursor, limit, maxDepth, format } = listing
  const choose = isChoice(listing)
    ? chooseItems(space, collection, listing, limit, cursor)
    : inOrder(space, collection, limit, cursor)
  const { items: rows, groups, hasMoreGroups, calculations, rest } = await choose
  const reckoned = { groups, hasMoreGroups, calculations }
  if (format === 'markdown') {
    const titleOf = await visibleTitles(
      space,
      rows.map(({ text }) => text),
    )
    const body = await inTurns(itemsTable(collection, shown, rows, await readValues(space, rows), titleOf))
    const notes = [groups || calculations ? JSON.stringify(reckoned) : undefined, (await rest(rows.length))?.message]
    const note = notes.filter((one) => one !== undefined).join(' ')
    return { mediaType: 'text/markdown', body, ...(note && { note }), blocks: rows.length }
  }
  const items = await itemsJson(space, rows, shown, maxDepth)
  const more = JSON.stringify({ ...reckoned, pagination: await rest(items.length) }).slice(1, -1)
  const texts = items.map(({ json }) => json).join(',')
  const blocks = items.reduce((sum, { blocks }) => sum + blocks, 0)
  return { mediaType: 'application/json', body: `{"items":[${texts}]${more && `,${more}`}}`, blocks }
}

/** Items as they stand in the collection. */
async function inOrder(space: Space, { block }: Collection, limit: number, given?: string): Promise<Chosen> {
  const question = ['items_list', block.id]
  const after = given === undefined ? undefined : Number(openCursor(space.info.secret, question, given))
  const items = await itemsAfter(space.tx, block, after ?? Number.MIN_SAFE_INTEGER, limit)
  return {
    items,
    async rest(shown): Promise<Rest | undefined> {
      const last = items[shown - 1]?.position ?? after
      const remaining = await countItems(space.tx, block, last)
      if (remaining === 0) return undefined
      const cursor = sealCursor(space.info.secret, question, String(last ?? Number.MIN_SAFE_INTEGER))
      const message = `${remaining} items are left: call items_list again with the same arguments and cursor "${cursor}".`
      return { cursor, remaining, message }
    },
  }
}

function shownProperties(collection: Collection, named: readonly string[] | undefined): readonly Property[] {
  return (
    named?.flatMap((one) => {
      const property = propertyOf(collection, one)
      if (property !== undefined) return property
      if (one === collection.titleKey || one === 'title') return []
      const keys = collection.properties.map(({ key }) => key).join(', ')
      throw invalid(`Expected keys of properties (${keys || 'there are none'}), found ${JSON.stringify(one)}.`)
    }) ?? collection.properties
  )
}
