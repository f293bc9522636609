/** Selects and sorts the items of a collection, and computes aggregates over them. */

import type { ItemFilter } from '../../../../storage/item-query.ts'
import { membersByNumbers } from '../../../../storage/members.ts'
import type { BlockRow } from '../../../../storage/schema.ts'
import { GROUPS_PER_ANSWER } from '../../../base/limits.ts'
import { truncateTitle } from '../../../markdown/inline-title.ts'
import { rowsInOrder } from '../../blocks/rows-in-order.ts'
import { visiblePlainText } from '../../model/block-links.ts'
import { decodeCursor, encodeCursor, invalidCursor, leftText, type Pagination } from '../../model/cursors.ts'
import type { AnyId } from '../../model/ids.ts'
import { InputErrors } from '../../model/input-errors.ts'
import { reachableTargets } from '../../model/reachable-targets.ts'
import { reachOf, type Space } from '../../model/space.ts'
import type { Collection } from '../schema/find-collection.ts'
import { type AggregateResult, aggregateGroups, aggregateItems } from './aggregate-items.ts'
import { columnField, dependencyCondition, filterCondition, groupField } from './filter-conditions.ts'
import type { SortOrder } from './item-order.ts'
import { listGroups, selectItems, selectPage } from './select-items.ts'
import type { Column, Filter } from './view.ts'
import type { ViewColumns } from './view-columns.ts'
import { assertTargetsReachable, readFilterIds } from './view-filters.ts'
import { parseRules, type Rules, type RulesInput } from './view-settings.ts'
import { findView, viewColumnsOf } from './views.ts'

/** Selects by a view, by rules, or by both; given rules replace those of the view. */
export interface ItemQueryInput extends RulesInput {
  viewId?: AnyId | undefined
  /** Only these items, by number. Cursors of other selections do not continue it. */
  among?: readonly number[] | undefined
  /** Not these items, by number. */
  except?: ReadonlySet<number> | undefined
  /**
   * In a collection with dependencies, only items that can be worked on, or only blocked ones. Done items can be worked on
   * only if filters name the property that says what is done.
   */
  only?: 'workable' | 'blocked' | undefined
}

/**
 * The items that have one value. `value` is missing for items without a value. An item with several values counts in
 * several groups.
 */
export interface GroupAnswer {
  value?: string | number | boolean | { blockId: string; title: string } | { memberId: string; name: string }
  count: number
  /** Computed over the items of the group, if calculations were requested. */
  calculations?: AggregateResult
}

export interface ItemQueryResult {
  /** In the requested order. */
  items: BlockRow[]
  /** How many items match, on all pages. Missing if there is nothing to match. */
  count?: number
  /** In order, if there is a group rule. Like the calculations, only the first page has them. */
  groups?: GroupAnswer[]
  /** Present if there are more groups than a response contains. */
  hasMoreGroups?: true
  calculations?: AggregateResult
  /**
   * Returns the cursor for the items after the first `shown` of this page, and how many items are left after them, on
   * all pages. Returns undefined if none are left, or if none were requested.
   */
  paginationAfter(shown: number): Promise<Pagination | undefined>
}

/**
 * Filters, sorts, groups and aggregates items, using the indexes of the storage. With grouping, items come group by
 * group; an item with several values comes in the first of its groups. Without any rules, items come in the order of
 * the collection.
 *
 * @param limit  maximum number of items; 0 for groups and calculations only
 * @throws NOT_FOUND_ERROR if the view does not exist or a block is out of reach; VALIDATION_ERROR with every error in
 *   the rules; CURSOR_INVALID if the cursor belongs to another query or its item was deleted
 */
export async function queryItems(
  space: Space,
  collection: Collection,
  input: ItemQueryInput,
  limit: number,
  cursor?: string,
): Promise<ItemQueryResult> {
  const columns = viewColumnsOf(collection)
  const rules = await resolveRules(space, collection, columns, input)
  const selection = await buildSelection(space, collection, columns, rules.filters ?? [], input.only)
  const [group] = buildOrders(columns, rules.groupBy, 'group')
  const orders = [...(group ? [group] : []), ...buildOrders(columns, rules.sortBy, 'sort')]

  const { filters, sortBy, groupBy } = rules
  const { among, except } = input
  const cursorQuery = ['items_list', collection.block.id, filters, sortBy, groupBy, ...(among ? ['among'] : [])]
  const last = cursor === undefined ? undefined : await resolveCursorItem(space, collection, cursorQuery, cursor)
  const matching = await selectItems(space, selection)
  const allowed = among && new Set(among)
  const selected = matching.filter((n) => allowed?.has(n) !== false && except?.has(n) !== true)
  const { page, remaining: remainingAfterPage } =
    limit === 0 ? { page: [], remaining: 0 } : await selectPage(space, selected, orders, limit, last)
  const items = await rowsInOrder(space, page)
  const result: ItemQueryResult = {
    items,
    count: selected.length,
    async paginationAfter(shown) {
      const end = items[shown - 1]
      const remaining = remainingAfterPage + items.length - shown
      if (end === undefined || remaining === 0) return undefined
      const cursor = encodeCursor(space.info.secret, cursorQuery, String(end.id))
      const message = `${leftText(remaining, 'item')}: repeat the call with cursor "${cursor}".`
      return { cursor, remaining, message }
    },
  }
  if (last !== undefined) return result
  const column = columns.get(rules.groupBy?.[0]?.property ?? -1)
  const calculations = rules.calculations ?? []
  if (group && column)
    Object.assign(result, await groupAnswers(space, columns, selected, { column, order: group, calculations }))
  if (calculations.length > 0) {
    result.calculations = await aggregateItems(space, columns, selected, calculations)
  }
  return result
}

/** True if the input selects by a view or by rules. Without any, items come in the order of the collection. */
export const hasItemQuery = ({ viewId, filters, sortBy, groupBy, calculations, among }: ItemQueryInput): boolean =>
  [viewId, filters, sortBy, groupBy, calculations, among].some((one) => one !== undefined)

async function resolveRules(
  space: Space,
  collection: Collection,
  columns: ViewColumns,
  queryInput: ItemQueryInput,
): Promise<Rules> {
  const { viewId, among: _, except: __, only: ___, ...input } = queryInput
  const view = viewId === undefined ? {} : await findView(space, collection, viewId)
  const errors = new InputErrors()
  const ids = await readFilterIds(space, columns, input.filters)
  const inputRules = parseRules(columns, input, ids, '', errors)
  errors.throwIfAny()
  await assertTargetsReachable(space, ids, filterTargets(inputRules.filters ?? []))
  return { ...view, ...inputRules }
}

async function buildSelection(
  space: Space,
  { n, block: { document } }: Collection,
  columns: ViewColumns,
  filters: readonly Filter[],
  only: ItemQueryInput['only'],
): Promise<ItemFilter> {
  const reachable = await reachableTargets(space, filterTargets(filters))
  const conditions = filters.flatMap((filter) => {
    const column = columns.get(filter.property)
    return column === undefined ? [] : [filterCondition(column, filter, reachable, space)]
  })
  const relation = only && columns.all.find(({ dependency }) => dependency !== undefined)
  if (relation !== undefined) {
    const takesDone = filters.some(({ property }) => property === relation.dependency?.column.n)
    const isBlocked = dependencyCondition(relation, 'isBlocked', reachable, space)
    const workable = takesDone
      ? { ...isBlocked, not: true }
      : dependencyCondition(relation, 'isReady', reachable, space)
    conditions.push(only === 'blocked' ? isBlocked : workable)
  }
  return { collection: { n, document }, reach: reachOf(space.link), conditions }
}

const filterTargets = (filters: readonly Filter[]): number[] =>
  filters.flatMap(({ value }) => (value && 'targets' in value ? value.targets : []))

function buildOrders(columns: ViewColumns, rules: Rules['sortBy'] = [], purpose: 'group' | 'sort'): SortOrder[] {
  const exact = purpose === 'group'
  return rules.flatMap(({ property, ascending }) => {
    const column = columns.get(property)
    return column === undefined ? [] : [{ field: exact ? groupField(column) : columnField(column), ascending, exact }]
  })
}

async function resolveCursorItem(
  space: Space,
  { n }: Collection,
  cursorQuery: unknown,
  cursor: string,
): Promise<number> {
  const [row] = await space.findReachableBlocks([Number(decodeCursor(space.info.secret, cursorQuery, cursor))])
  if (row?.parent !== n) throw invalidCursor()
  return row.n
}

async function groupAnswers(
  space: Space,
  columns: ViewColumns,
  items: readonly number[],
  {
    column,
    order,
    calculations,
  }: { column: Column; order: SortOrder; calculations: NonNullable<Rules['calculations']> },
) {
  const found = await listGroups(space, items, order, GROUPS_PER_ANSWER + 1)
  const groups = found.slice(0, GROUPS_PER_ANSWER)
  const isBlock = order.field.kind === 'target'
  const targetNumbers = isBlock ? groups.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])) : []
  const blocks = new Map((await rowsInOrder(space, targetNumbers)).map((row) => [row.n, row]))
  const memberNumbers = order.field.kind === 'member' ? groups.map(({ value }) => Number(value)) : []
  const members = new Map((await membersByNumbers(space.tx, memberNumbers, space.now)).map((row) => [row.n, row]))
  const visibleText = await visiblePlainText(space, [
    ...groups.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    ...[...blocks.values()].map(({ text }) => truncateTitle(text)),
  ])
  const answers = groups.map(({ value, count }): GroupAnswer => {
    if (value === null) return { count }
    if (typeof value === 'string') return { value: visibleText.text(value), count }
    if (column.type === 'boolean') return { value: value === 1, count }
    const option = column.options.find(({ n }) => n === value)
    if (option !== undefined) return { value: option.name, count }
    const member = members.get(value)
    if (member !== undefined) return { value: { memberId: space.spellId(member.id), name: member.name }, count }
    const block = blocks.get(value)
    return {
      value: block ? { blockId: space.spellId(block.id), title: visibleText.text(truncateTitle(block.text)) } : value,
      count,
    }
  })
  if (calculations.length > 0) {
    const results = await aggregateGroups(space, columns, items, { column, field: order.field, groups }, calculations)
    for (const [index, answer] of answers.entries()) answer.calculations = results[index] ?? {}
  }
  return { groups: answers, ...(found.length > GROUPS_PER_ANSWER && { hasMoreGroups: true as const }) }
}
