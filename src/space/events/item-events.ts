/** Finds the items that changed, and those that began to match a view or filters. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { TITLE_COLUMN_NUMBER } from '../collections/views/view.ts'
import type { FeedEntry } from '../feed/read-feed.ts'
import type { CountedChange } from '../history/counted-changes.ts'
import { visiblePlainText } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import type { FoundEvent } from './describe-events.ts'
import { meetsCondition } from './item-conditions.ts'
import type { ItemNarrowing, ItemRules } from './item-rules.ts'
import { readItemRules } from './item-rules.ts'
import { type ItemState, readItemStates, type StateOf } from './item-states.ts'

/** An item that a call changed. */
interface ChangedItem {
  entry: FeedEntry
  item: BlockRow
  /** True if the call added it, or brought it from elsewhere. */
  isNew: boolean
  changes: readonly CountedChange[]
}

/**
 * Items whose own row or values changed. Items that the same call added are not among them, and neither are those that do
 * not match the rules after it.
 */
export async function findChangedItems(
  space: Space,
  entries: readonly FeedEntry[],
  narrowing: ItemNarrowing,
): Promise<FoundEvent[]> {
  const rules = await readItemRules(space, narrowing)
  const changed = (await changedItems(space, entries, narrowing.collection)).filter(
    ({ isNew, changes }) => !isNew && changes.some((change) => isOfProperty(change, narrowing.property)),
  )
  if (rules === undefined || rules.filters.length === 0) return changed.map(toFound)
  const matches = await matcher(space, rules, changed)
  return changed.filter((one) => matches(one, 'after')).map(toFound)
}

const isOfProperty = ({ table, property }: CountedChange, wanted: number | undefined): boolean =>
  wanted === undefined || (table === 'value' ? property === wanted : wanted === TITLE_COLUMN_NUMBER)

/** Items that did not match the rules before a call and match after it. */
export async function findEnteredItems(
  space: Space,
  entries: readonly FeedEntry[],
  narrowing: ItemNarrowing,
): Promise<FoundEvent[]> {
  const rules = await readItemRules(space, narrowing)
  if (rules === undefined) return []
  const changed = await changedItems(space, entries, narrowing.collection)
  const matches = await matcher(space, rules, changed)
  const bySchema = new Set(entries.filter((entry) => hasChangedSchema(entry, rules)))
  return changed
    .filter((one) => matches(one, 'after') && !matches(one, 'before') && (one.isNew || !bySchema.has(one.entry)))
    .map(toFound)
}

const toFound = ({ entry, item }: ChangedItem): FoundEvent => ({
  ...{ entry, subject: item.n, documents: [item.document], collection: item.parent ?? 0 },
})

/** The items that each call changed, in order. Those that were deleted or left the collection since are left out. */
async function changedItems(
  { tx }: Space,
  entries: readonly FeedEntry[],
  collection: number | undefined,
): Promise<ChangedItem[]> {
  const ofItems = entries.map((entry) => ({
    entry,
    changes: (entry.call?.seen.changes ?? []).filter(
      ({ table, verb }) => table === 'value' || (table === 'block' && verb !== 'deleted'),
    ),
  }))
  const numbers = new Set(ofItems.flatMap(({ changes }) => changes.map(({ row }) => row)))
  const blocks = (await blocksByNumbers(tx, [...numbers])).filter(
    ({ type, parent }) => type === 'collectionItem' && (collection === undefined || parent === collection),
  )
  const items = new Map(blocks.map((block) => [block.n, block]))
  return ofItems.flatMap(({ entry, changes }) =>
    [...Map.groupBy(changes, ({ row }) => row)]
      .sort(([one], [other]) => one - other)
      .flatMap(([row, some]): ChangedItem[] => {
        const item = items.get(row)
        const isNew = some.some(({ table, verb }) => table === 'block' && verb === 'added')
        return item === undefined ? [] : [{ entry, item, isNew, changes: some }]
      }),
  )
}

/** Returns a function that tests an item as it was before or after the call that changed it. */
async function matcher(
  space: Space,
  rules: ItemRules,
  changed: readonly ChangedItem[],
): Promise<(one: ChangedItem, when: 'before' | 'after') => boolean> {
  const changes = changed.map((one) => ({ item: one.item.n, call: callOf(one) }))
  const stateOf = await readItemStates(space.tx, rules.collection.n, changes)
  const seen = await seenTexts(space, stateOf, changes)
  return ({ entry, item }, when) => {
    const state = stateOf({ item: item.n, call: callOf({ entry }) }, when)
    // Dates such as today are those of the call, so that no passing day changes what a later reader gets.
    const conditions = rules.conditionsAt(entry.call?.row.at ?? 0)
    return state !== undefined && conditions.every((condition) => meetsCondition(state, condition, seen))
  }
}

const callOf = ({ entry }: Pick<ChangedItem, 'entry'>): number => entry.call?.row.n ?? 0

/** Texts as the connection may see them. */
async function seenTexts(
  space: Space,
  stateOf: StateOf,
  changes: readonly { item: number; call: number }[],
): Promise<(text: string) => string> {
  if (space.kind === 'full') return (text) => text
  const states = changes.flatMap((change) => [stateOf(change, 'before') ?? [], stateOf(change, 'after') ?? []].flat())
  return (await visiblePlainText(space, states.flatMap(textsOf))).text
}

const textsOf = ({ title, values }: ItemState): string[] => [title, ...values.flatMap(({ text }) => text ?? [])]

/**
 * True if a call added or deleted a property by which the rules filter, changed its type, or deleted one of its options:
 * then it was the schema that changed what matches, not a change of the items.
 */
function hasChangedSchema({ call }: FeedEntry, { properties, collection }: ItemRules): boolean {
  const isUndo = call?.row.endpoint === 'history_undo'
  const options = new Set(
    collection.properties.flatMap((one) => (properties.has(one.n) ? one.options.map(({ n }) => n) : [])),
  )
  return (call?.seen.changes ?? []).some(({ table, row, verb, before }) => {
    if (table === 'property') return properties.has(row) && (verb !== 'changed' || TYPE.test(before ?? ''))
    if (table !== 'option') return false
    if (verb === 'deleted') return properties.has((JSON.parse(before ?? '{}') as { property?: number }).property ?? 0)
    return verb === 'added' && isUndo && options.has(row)
  })
}

/** A change keeps only the columns that it changed. */
const TYPE = /"type":/
