/** Claims items: the first free ones that match, with the values that mark them as claimed. */
import { leasedItems } from '../../../storage/leases.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalidFields } from '../../base/errors.ts'
import { type Collection, findCollection } from '../collections/schema/find-collection.ts'
import { type ItemQueryInput, queryItems } from '../collections/views/query-items.ts'
import { type ItemEntry, parseItem } from '../items/item-input.ts'
import { itemsJson } from '../items/item-json.ts'
import { resolveTargets, writeItemValues } from '../items/write-item-values.ts'
import { type RestoredProperty, valuesOf } from '../leases/ending/restored-values.ts'
import { endTime } from '../leases/leases.ts'
import { updateRows } from '../model/block-writes.ts'
import { dependencyAmong } from '../model/dependencies.ts'
import type { AnyId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'
import type { ClaimAnswer, ClaimedRow } from './claim-answer.ts'
import { giveLeases } from './give-leases.ts'

export interface ClaimItemsInput extends Pick<ItemQueryInput, 'viewId' | 'filters' | 'sortBy'> {
  collectionId: AnyId
  count: number
  /** Values by property, which the claimed items get. */
  set?: Record<string, unknown> | undefined
  allowNewSelectOptions: boolean
  /** Levels of content in the response: -1 for all, 0 for none. */
  maxDepth: number
  /** Milliseconds. */
  duration: number
}

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR with every error in the rules or the values */
export async function claimItems(space: Space, input: ClaimItemsInput): Promise<ClaimAnswer> {
  const { viewId, filters, sortBy, count, duration } = input
  const collection = await findCollection(space, input.collectionId)
  const entries = parseValues(space, collection, input)
  const except = await leasedItems(space.tx, collection.block)
  const matching = { viewId, filters, sortBy, except }
  const { items: rows } = await queryItems(space, collection, { ...matching, only: 'workable' }, count)
  if (rows.length === 0) {
    await reportBlocked(space, collection, matching)
    return { items: [] }
  }
  const restores = await setValues(space, collection, rows, entries)
  const free = rows.map((row) => ({ row, restores: restores.get(row.n) ?? [] }))
  const fences = await giveLeases(space, free, duration)
  return { items: await claimedItems(space, collection, rows, fences, input.maxDepth), until: endTime(space, duration) }
}

/** Says why none of the items that match can be claimed, if some of them are free. */
async function reportBlocked(space: Space, collection: Collection, matching: ItemQueryInput): Promise<void> {
  const relation = dependencyAmong(collection.properties)
  if (relation === undefined) return
  const { count = 0 } = await queryItems(space, collection, matching, 0)
  if (count === 0) return
  const { count: blocked = 0 } = await queryItems(space, collection, { ...matching, only: 'blocked' }, 0)
  const done = count - blocked
  const found = [
    ...(blocked > 0 ? [`${blocked} blocked, since what they depend on by ${relation.key} is not done`] : []),
    ...(done > 0 ? [`${done} done`] : []),
  ]
  space.notes.add(`Nothing was claimed: of the free items that match, ${found.join(', and ')}.`)
}

function parseValues(
  space: Space,
  collection: Collection,
  { set, allowNewSelectOptions }: ClaimItemsInput,
): readonly ItemEntry[] {
  if (set === undefined) return []
  const errors = new InputErrors()
  const rules = { allowsNewOptions: allowNewSelectOptions, calendar: space, valuesPath: '' }
  const { entries, isUntitled } = parseItem(collection, { properties: set }, 'set', errors, rules)
  errors.throwIfAny()
  if (isUntitled) return entries
  const message = 'Expected properties, found a title; a claim marks items, change titles with items_update.'
  throw invalidFields([{ path: 'set', message }])
}

/** Writes the same values to all of these items. @returns what to restore, by the numbers of the items */
async function setValues(
  space: Space,
  collection: Collection,
  rows: readonly BlockRow[],
  entries: readonly ItemEntry[],
): Promise<Map<number, RestoredProperty[]>> {
  if (entries.length === 0) return new Map()
  const items = rows.map(({ n }) => n)
  const properties = entries.map(({ property }) => property.n)
  const former = await valuesOf(space, items, properties)
  const targets = await resolveTargets(space, entries)
  for (const row of rows) Object.assign(row, { modifiedAt: space.now, modifiedBy: space.link.author })
  await updateRows(space, rows)
  const changes = rows.map((item) => ({ item, entries }))
  await writeItemValues(space, collection, changes, targets, false)
  const written = await valuesOf(space, items, properties)
  return new Map(
    items.map((item) => [
      item,
      properties.map((property) => ({
        property,
        written: written.get(item)?.get(property) ?? [],
        former: former.get(item)?.get(property) ?? [],
      })),
    ]),
  )
}

/** The items as items_list shows them. If their content is too long for one response, the last ones come without it. */
async function claimedItems(
  space: Space,
  collection: Collection,
  rows: readonly BlockRow[],
  fences: readonly number[],
  maxDepth: number,
): Promise<ClaimedRow[]> {
  const { properties: visibleProperties } = collection
  const whole = await itemsJson(space, collection, rows, { visibleProperties, maxDepth })
  const rest = rows.slice(whole.length)
  const short = rest.length === 0 ? [] : await itemsJson(space, collection, rest, { visibleProperties, maxDepth: 0 })
  space.blocksRead += whole.reduce((sum, { blocks }) => sum + blocks, 0)
  if (rest.length > 0) {
    const ids = rest.map(({ id }) => space.spellId(id)).join(', ')
    space.notes.add(`The content of ${ids} is left out, since the answer would be too long; read it with blocks_get.`)
  }
  return [...whole, ...short].map(({ json }, index) => {
    const { id, ...fields } = JSON.parse(json) as { id: string }
    // Last, since over REST a title column may have this key, too.
    return { id, ...fields, fence: fences[index] ?? 0 }
  })
}
