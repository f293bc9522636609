/** Which items of a collection are read, in which order, and what is counted and reckoned over them. */

import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { defineText, type Order, type Selection } from '../../../storage/selection.ts'
import { GROUPS_PER_ANSWER } from '../../limits.ts'
import { beginningOf, plainTitle } from '../../markdown/title.ts'
import type { Collection } from '../collections/find.ts'
import { invalidCursor, openCursor, type Rest, sealCursor } from '../cursors.ts'
import { Faults } from '../faults.ts'
import { visibleWords } from '../links.ts'
import { reachOf, type Space } from '../space.ts'
import type { Columns } from './columns.ts'
import { conditionOf, fieldOf, fold } from './conditions.ts'
import { type Figures, reckon } from './reckon.ts'
import { groupsOf, pageOf, selectItems } from './select.ts'
import { type Rules, type RulesInput, readRules } from './settings.ts'
import type { Column, Filter } from './view.ts'
import { columnsOf, findView } from './views.ts'

/** By a view, by rules, or by a view with those of its rules replaced that are given. */
export interface Choice extends RulesInput {
  viewId?: string | undefined
}

/** Items that have one value; none for those without. An item with several values counts for each. */
export interface GroupAnswer {
  value?: string | number | boolean | { blockId: string; title: string }
  count: number
}

export interface Chosen {
  /** In order. */
  items: BlockRow[]
  /** In order, when there is a group rule; with the first page alone, as the calculations. */
  groups?: GroupAnswer[]
  /** Said when there are more groups than an answer has. */
  hasMoreGroups?: true
  calculations?: Figures
  /**
   * What follows the first `shown` of the items: all that is left of the collection, with the cursor that leads
   * there. Nothing when none is left, or none was asked for.
   */
  rest(shown: number): Promise<Rest | undefined>
}

/**
 * Filter, sort, group and reckon, all by the file's indexes. What stands in groups comes group after group, an item
 * with several values in the first of its groups; without any rule items come as they stand in the collection.
 *
 * @param limit  items in this answer at most; 0 for groups and calculations alone
 * @throws NOT_FOUND_ERROR for a view that there is not, or a block out of reach; VALIDATION_ERROR that names every
 *   fault of the rules; CURSOR_INVALID for a cursor of another choice, or one whose item is gone
 */
export async function chooseItems(
  space: Space,
  collection: Collection,
  choice: Choice,
  limit: number,
  cursor?: string,
): Promise<Chosen> {
  const columns = columnsOf(collection)
  const rules = await rulesOf(space, collection, columns, choice)
  defineText(space.tx, { fold, plain: plainTitle })
  const selection = await selectionOf(space, collection, columns, rules.filters ?? [])
  const [group] = ordersOf(columns, rules.groupBy, true)
  const orders = [...(group ? [group] : []), ...ordersOf(columns, rules.sortBy, false)]

  const { filters, sortBy, groupBy } = rules
  const question = ['items_list', collection.block.id, filters, sortBy, groupBy]
  const last = cursor === undefined ? undefined : await itemAt(space, collection, question, cursor)
  const selected = await selectItems(space, selection)
  const { page, remaining: beyond } =
    limit === 0 ? { page: [], remaining: 0 } : await pageOf(space, selected, orders, limit, last)
  const items = await rowsInOrder(space, page)
  const chosen: Chosen = {
    items,
    async rest(shown) {
      const end = items[shown - 1]
      const remaining = beyond + items.length - shown
      if (end === undefined || remaining === 0) return undefined
      const cursor = sealCursor(space.info.secret, question, end.id)
      const message = `${remaining} items are left: call items_list again with the same arguments and cursor "${cursor}".`
      return { cursor, remaining, message }
    },
  }
  if (last !== undefined) return chosen
  const column = columns.at(rules.groupBy?.[0]?.property ?? -1)
  if (group && column) Object.assign(chosen, await groupAnswers(space, selected, column, group))
  if (rules.calculations && rules.calculations.length > 0) {
    chosen.calculations = await reckon(space, columns, selected, rules.calculations)
  }
  return chosen
}

/** Whether a choice is one: without it items come as they stand. */
export const isChoice = ({ viewId, filters, sortBy, groupBy, calculations }: Choice): boolean =>
  [viewId, filters, sortBy, groupBy, calculations].some((one) => one !== undefined)

async function rulesOf(space: Space, collection: Collection, columns: Columns, choice: Choice): Promise<Rules> {
  const { viewId, ...input } = choice
  const view = viewId === undefined ? {} : await findView(space, collection, viewId)
  const faults = new Faults()
  const given = readRules(columns, input, '', faults)
  faults.refuse()
  await space.blocks(targetsOf(given.filters ?? []))
  return { ...view, ...given }
}

async function selectionOf(
  space: Space,
  { n, block: { document } }: Collection,
  columns: Columns,
  filters: readonly Filter[],
): Promise<Selection> {
  const reached = new Map((await space.reachable(targetsOf(filters))).map(({ id, n }) => [id, n]))
  const conditions = filters.flatMap((filter) => {
    const column = columns.at(filter.property)
    return column === undefined ? [] : [conditionOf(column, filter, reached, space)]
  })
  return { collection: { n, document }, reach: reachOf(space.link), conditions }
}

const targetsOf = (filters: readonly Filter[]): string[] =>
  filters.flatMap(({ value }) => (value && 'targets' in value ? value.targets : []))

function ordersOf(columns: Columns, rules: Rules['sortBy'] = [], exact: boolean): Order[] {
  return rules.flatMap(({ property, ascending }) => {
    const column = columns.at(property)
    return column === undefined ? [] : [{ field: fieldOf(column), ascending, exact }]
  })
}

async function itemAt(space: Space, { n }: Collection, question: unknown, cursor: string): Promise<number> {
  const [row] = await space.reachable([openCursor(space.info.secret, question, cursor)])
  if (row?.parent !== n) throw invalidCursor()
  return row.n
}

async function rowsInOrder(space: Space, numbers: readonly number[]): Promise<BlockRow[]> {
  if (numbers.length === 0) return []
  const rows = new Map((await blocksByNumbers(space.tx, numbers)).map((row) => [row.n, row]))
  return numbers.flatMap((n) => rows.get(n) ?? [])
}

async function groupAnswers(space: Space, items: readonly number[], column: Column, order: Order) {
  const found = await groupsOf(space, items, order, GROUPS_PER_ANSWER + 1)
  const groups = found.slice(0, GROUPS_PER_ANSWER)
  const isBlock = order.field.kind === 'target'
  const named = isBlock ? groups.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])) : []
  const blocks = new Map((await rowsInOrder(space, named)).map((row) => [row.n, row]))
  const words = await visibleWords(space, [
    ...groups.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    ...[...blocks.values()].map(({ text }) => beginningOf(text)),
  ])
  const answers = groups.map(({ value, count }): GroupAnswer => {
    if (value === null) return { count }
    if (typeof value === 'string') return { value: words.text(value), count }
    if (column.type === 'boolean') return { value: value === 1, count }
    const option = column.options.find(({ n }) => n === value)
    if (option !== undefined) return { value: option.name, count }
    const block = blocks.get(value)
    return { value: block ? { blockId: block.id, title: words.text(beginningOf(block.text)) } : value, count }
  })
  return { groups: answers, ...(found.length > GROUPS_PER_ANSWER && { hasMoreGroups: true as const }) }
}
