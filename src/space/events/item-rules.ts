/**
 * Which items a subscriber wants: those of a collection that match a view or filters. Rules are read again whenever
 * events are listed, so that a view counts as it is then, and so that what was deleted ends the subscription.
 */

import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { ItemCondition } from '../../../storage/item-query.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { type Collection, findCollection, loadCollection } from '../collections/schema/find-collection.ts'
import { filterCondition } from '../collections/views/filter-conditions.ts'
import { normalizeFilter } from '../collections/views/normalize-view.ts'
import { type Filter, type FilterInput, TITLE_COLUMN_NUMBER } from '../collections/views/view.ts'
import { describeColumn, type ViewColumns } from '../collections/views/view-columns.ts'
import { assertTargetsReachable, readFilterIds } from '../collections/views/view-filters.ts'
import { parseRules } from '../collections/views/view-settings.ts'
import { findViewFilters, viewColumnsOf } from '../collections/views/views.ts'
import type { AnyId } from '../model/ids.ts'
import { idNumber } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import { reachableTargets } from '../model/reachable-targets.ts'
import { reachOf, type Space } from '../model/space.ts'

/** How a caller names items. */
export interface ItemRulesInput {
  collectionId?: AnyId | undefined
  viewId?: AnyId | undefined
  filters?: FilterInput[] | undefined
  property?: string | undefined
}

/** The same by number. `view` is the ID of the view. */
export interface ItemNarrowing {
  collection?: number
  view?: number
  filters?: Filter[]
  property?: number
}

/** What the rules mean now. */
export interface ItemRules {
  collection: Collection
  filters: readonly Filter[]
  /** The numbers of the properties that the filters read. */
  properties: ReadonlySet<number>
  /** @param now  when the items are tested, in milliseconds since 1970; dates such as `today` are of that time */
  conditionsAt(now: number): ItemCondition[]
}

/**
 * @throws NOT_FOUND_ERROR for a collection or view that does not exist within reach; VALIDATION_ERROR for rules without a
 *   collection, and for filters that cannot be tested on items as they once were
 */
export async function locateItems(
  space: Space,
  { collectionId, viewId, filters, property }: ItemRulesInput,
): Promise<ItemNarrowing> {
  if (collectionId === undefined) {
    const given = Object.entries({ viewId, filters, property }).find(([, value]) => value !== undefined)
    if (given === undefined) return {}
    throw invalid(`Expected the collectionId of the items, found ${given[0]} alone; name the collection as well.`)
  }
  if (viewId !== undefined && filters !== undefined)
    throw invalid('Expected a viewId or filters, found both; give one of them.')
  const collection = await findCollection(space, collectionId)
  const columns = viewColumnsOf(collection)
  const narrowing: ItemNarrowing = {
    collection: collection.n,
    ...(viewId !== undefined && { view: idNumber(viewId) }),
    ...(filters !== undefined && { filters: await parseFilters(space, columns, filters) }),
    ...(property !== undefined && { property: propertyNamed(columns, property) }),
  }
  await readItemRules(space, narrowing)
  return narrowing
}

async function parseFilters(space: Space, columns: ViewColumns, given: FilterInput[]): Promise<Filter[]> {
  for (const { property } of given) propertyNamed(columns, property)
  const errors = new InputErrors()
  const ids = await readFilterIds(space, columns, given)
  const { filters = [] } = parseRules(columns, { filters: given }, ids, '', errors)
  errors.throwIfAny()
  await assertTargetsReachable(space, ids, filters.flatMap(targetsOf))
  return filters
}

/** The number of a property. @throws NOT_FOUND_ERROR, since the property may have been deleted after subscribing */
function propertyNamed(columns: ViewColumns, word: string): number {
  try {
    return columns.findByName(word).n
  } catch (error) {
    throw notFound((error as Error).message)
  }
}

/** @throws NOT_FOUND_ERROR for what was deleted, or left the reach of the link */
export async function readItemRules(
  space: Space,
  { collection: n, view, filters: given, property }: ItemNarrowing,
): Promise<ItemRules | undefined> {
  if (n === undefined) return undefined
  const [block] = await blocksByNumbers(space.tx, [n])
  if (block === undefined || !(await space.canReachDocument(block.document))) throw noLongerThere('the collection')
  const collection = await loadCollection(space, block)
  const columns = viewColumnsOf(collection)
  const stored = view === undefined ? (given ?? []) : await findViewFilters(space, collection, view)
  if (property !== undefined && columns.get(property) === undefined) throw noLongerThere('a property that it names')
  const filters = stored.map((filter) => {
    const [current] = normalizeFilter(columns, filter)
    if (current === undefined) throw noLongerThere('a property or option by which it filters')
    return current
  })
  assertTestable(space, columns, filters)
  const numbers = await reachableTargets(space, filters.flatMap(targetsOf))
  return {
    ...{ collection, filters },
    properties: new Set(filters.flatMap((one) => (one.property === TITLE_COLUMN_NUMBER ? [] : one.property))),
    conditionsAt: (now) =>
      filters.flatMap((filter) => {
        const column = columns.get(filter.property)
        const calendar = { now, timezone: space.timezone }
        return column === undefined ? [] : [filterCondition(column, filter, numbers, calendar)]
      }),
  }
}

/**
 * Whether an item is blocked depends on other items, and which relations a link sees depends on its reach. Neither is
 * known of the past.
 */
function assertTestable(space: Space, columns: ViewColumns, filters: readonly Filter[]): void {
  for (const { property, filterType } of filters) {
    const column = columns.get(property)
    if (column === undefined) continue
    const isOfOthers = filterType === 'isReady' || filterType === 'isBlocked'
    const isOfReach = (column.type === 'relation' || column.type === 'blockLink') && reachOf(space.link) !== 'all'
    if (!isOfOthers && !isOfReach) continue
    const expected = isOfOthers ? 'that read the values of one item' : 'on other properties than relations'
    throw invalid(
      `Expected filters ${expected}, found ${filterType} on ${describeColumn(column)}; use another view, or follow item.changed and read the items.`,
    )
  }
}

const targetsOf = ({ value }: Filter): number[] => (value && 'targets' in value ? value.targets : [])

/** The error that ends a subscription to what is no longer there. */
export const noLongerThere = (what: string) =>
  notFound(`Expected what the subscription is about, found that ${what} no longer exists; subscribe again without it.`)
