/** Lists the items of a collection: as JSON with their content, or as a table. */
import { countItems, itemsAfter } from '../../../storage/items.ts'
import type { StoredLease } from '../../../storage/leases.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import type { JsonText } from '../../base/json-text.ts'
import { BLOCKS_PER_ANSWER, BLOCKS_PER_CALL, ITEMS_PER_ANSWER_MAX } from '../../base/limits.ts'
import { runCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import { partsOf } from '../blocks/rows-in-order.ts'
import { type Collection, findCollection, findProperty, type Property } from '../collections/schema/find-collection.ts'
import { readItemValues } from '../collections/schema/item-values.ts'
import {
  hasItemQuery,
  type ItemQueryInput,
  type ItemQueryResult,
  queryItems,
} from '../collections/views/query-items.ts'
import { describeHolder, heldByCaller, type LeaseAnswer, readLeases } from '../leases/leases.ts'
import { visibleTitles } from '../model/block-links.ts'
import { decodeCursor, encodeCursor, leftText, type Pagination } from '../model/cursors.ts'
import type { AnyId } from '../model/ids.ts'
import type { JsonBlock } from '../model/json-block.ts'
import type { Space } from '../model/space.ts'
import { type BlockerAnswer, readBlockers } from './blockers.ts'
import { itemsJson } from './item-json.ts'
import { formatTable, tableHead, tableRows } from './item-table.ts'

export interface ItemListInput extends ItemQueryInput {
  collectionId: AnyId
  /** Levels of content: -1 for all, 0 for properties only. */
  maxDepth: number
  /** Keys or names of the properties to include. Without it, all are included. */
  properties?: string[] | undefined
  /** Only items that the connection has claimed. */
  heldBy?: 'me' | undefined
  format: 'json' | 'markdown'
  /** Without it, and without a cursor, all that fit into one answer. */
  limit?: number | undefined
  cursor?: string | undefined
}

/** The items as JSON. */
export interface ItemsAnswer extends Pick<ItemQueryResult, 'groups' | 'hasMoreGroups' | 'calculations'> {
  items: {
    id: string
    title: string
    properties: Record<string, unknown>
    heldBy?: LeaseAnswer
    /** What the item depends on and is not done. */
    blockedBy?: BlockerAnswer[]
    content?: JsonBlock[]
  }[]
  pagination?: Pagination
}

interface ItemList {
  mediaType: 'application/json' | 'text/markdown'
  body: JsonText<ItemsAnswer> | string
  /** How many blocks the response contains: the items and their content. */
  blocks: number
  note?: string
}

/**
 * @throws NOT_FOUND_ERROR; CURSOR_INVALID; VALIDATION_ERROR if the collection does not have a property, or if rules are
 *   invalid (see {@link queryItems})
 */
export async function listItems(space: Space, input: ItemListInput): Promise<ItemList> {
  const collection = await findCollection(space, input.collectionId)
  const columns = resolveColumns(collection, input.properties)
  const { cursor, maxDepth, format } = input
  const limit = Math.min(input.limit ?? ITEMS_PER_ANSWER_MAX, space.mostBlocks)
  const contentBlocks = input.limit === undefined && cursor === undefined ? BLOCKS_PER_CALL : BLOCKS_PER_ANSWER
  const among = input.heldBy === undefined ? undefined : await heldByCaller(space)
  const selection = { ...input, ...(among && { among }) }
  const query = hasItemQuery(selection)
    ? queryItems(space, collection, selection, limit, cursor)
    : listInCollectionOrder(space, collection, limit, cursor)
  const { items: rows, groups, hasMoreGroups, calculations, paginationAfter } = await query
  const aggregates = { groups, hasMoreGroups, calculations }
  const leases = new Map<number, StoredLease>()
  for await (const part of partsOf(rows)) {
    const numbers = part.map(({ n }) => n)
    for (const [n, lease] of await readLeases(space, numbers)) leases.set(n, lease)
  }
  const blockers = await readBlockers(space, collection, rows)
  // A connection that reads some of the columns has not read the others.
  if (columns.length === collection.properties.length) space.seenRows.show(rows.map(({ id }) => id))
  if (format === 'markdown') {
    const cells: string[][] = []
    for await (const part of partsOf(rows)) {
      const titleOf = await visibleTitles(
        space,
        part.map(({ text }) => text),
      )
      const values = await readItemValues(space, part)
      const spell = (id: number) => space.spellId(id)
      for (const row of await runCooperatively(tableRows(columns, part, values, titleOf, spell))) cells.push(row)
    }
    const table = formatTable(tableHead(collection, columns), cells, input.properties !== undefined)
    const held = rows.flatMap(({ id, n }) => {
      const lease = leases.get(n)
      return lease === undefined ? [] : `${space.spellId(id)} is held by ${describeHolder(space, lease)}.`
    })
    const blocked = rows.flatMap(({ id, n }) => {
      const ids = blockers.get(n)?.map((blocker) => blocker.id)
      return ids === undefined ? [] : `${space.spellId(id)} is blocked by ${ids.join(', ')}.`
    })
    const sums = groups || calculations ? JSON.stringify(aggregates) : undefined
    const rest = (await paginationAfter(rows.length))?.message
    // With limit 0, sums and counts alone are wanted, and a table would be empty.
    const body = limit === 0 ? (sums ?? rest ?? 'No item matches.') : await runCooperatively(table)
    const notes = [...held, ...blocked, ...[sums, rest].filter((one) => one !== body)]
    const note = notes.filter((one) => one !== undefined).join(' ')
    return { mediaType: 'text/markdown', body, ...(note && { note }), blocks: rows.length }
  }
  const items = await itemsJson(space, collection, rows, {
    visibleProperties: columns,
    maxDepth,
    contentBlocks,
    leases,
    blockers,
  })
  const more = JSON.stringify({ ...aggregates, pagination: await paginationAfter(items.length) }).slice(1, -1)
  const texts = items.map(({ json }) => json).join(',')
  const blocks = items.reduce((sum, { blocks }) => sum + blocks, 0)
  const body: JsonText<ItemsAnswer> = `{"items":[${texts}]${more && `,${more}`}}`
  return { mediaType: 'application/json', body, blocks }
}

/** Items that are read at once. */
const ITEMS_PER_READ = 1_000

/** Lists items in the order of the collection. */
async function listInCollectionOrder(
  space: Space,
  { block }: Collection,
  limit: number,
  startCursor?: string,
): Promise<ItemQueryResult> {
  const cursorQuery = ['items_list', block.id]
  const after =
    startCursor === undefined ? undefined : Number(decodeCursor(space.info.secret, cursorQuery, startCursor))
  const items: BlockRow[] = []
  let position = after ?? Number.MIN_SAFE_INTEGER
  for (let wanted = limit; wanted > 0; ) {
    const count = Math.min(wanted, ITEMS_PER_READ)
    const part = await itemsAfter(space.tx, block, position, count)
    for (const item of part) items.push(item)
    position = part.at(-1)?.position ?? position
    wanted = part.length < count ? 0 : wanted - count
    if (wanted > 0) await yieldToEventLoop()
  }
  return {
    items,
    async paginationAfter(shown): Promise<Pagination | undefined> {
      const last = items[shown - 1]?.position ?? after
      const remaining = await countItems(space.tx, block, last)
      if (remaining === 0) return undefined
      const cursor = encodeCursor(space.info.secret, cursorQuery, String(last ?? Number.MIN_SAFE_INTEGER))
      const message = `${leftText(remaining, 'item')}: repeat the call with cursor "${cursor}".`
      return { cursor, remaining, message }
    },
  }
}

function resolveColumns(collection: Collection, names: readonly string[] | undefined): readonly Property[] {
  return (
    names?.flatMap((one) => {
      const property = findProperty(collection, one)
      if (property !== undefined) return property
      if (one === collection.titleKey || one === 'title') return []
      const keys = collection.properties.map(({ key }) => key).join(', ')
      throw invalid(`Expected keys of properties (${keys || 'there are none'}), found ${JSON.stringify(one)}.`)
    }) ?? collection.properties
  )
}
