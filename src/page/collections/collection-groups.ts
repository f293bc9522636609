/** The groups of a view: their items and names. */

import { shownTitle } from '../../markdown/shown-title.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { GroupEntry, ItemEntry, PropertyEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import type { CollectionView } from './collection-entries.ts'
import { valueHtml } from './collection-values.ts'

export interface ItemGroup {
  group: GroupEntry
  items: ItemEntry[]
}

/** The property that a view is grouped by. */
export function groupProperty({ schema, view }: CollectionView): PropertyEntry | undefined {
  const key = view?.groupBy[0]?.property
  return schema.properties.find((one) => one.key === key)
}

/** Assigns items to groups. An item with several values appears in the first of its groups. */
export function itemsByGroup(items: readonly ItemEntry[], key: string, groups: readonly GroupEntry[]): ItemGroup[] {
  const placed = new Set<ItemEntry>()
  return groups.map((group) => {
    const own = items.filter((item) => !placed.has(item) && isOf(item, key, group))
    for (const item of own) placed.add(item)
    return { group, items: own }
  })
}

/** The groups with items of a grouped view, and the items without a group. */
export function groupedItems(shown: CollectionView): { groups: ItemGroup[]; others: ItemEntry[] } {
  const { items, groups = [] } = shown.answer
  const property = groupProperty(shown)
  if (property === undefined) return { groups: [], others: items }
  const grouped = itemsByGroup(items, property.key, groups).filter((one) => one.items.length > 0)
  const placed = new Set(grouped.flatMap((one) => one.items))
  return { groups: grouped, others: items.filter((item) => !placed.has(item)) }
}

function isOf({ properties }: ItemEntry, key: string, { value }: GroupEntry): boolean {
  const own = properties[key]
  if (value === undefined) return own === undefined || (Array.isArray(own) && own.length === 0)
  if (typeof value === 'object') return JSON.stringify(own ?? '').includes(idOfGroup(value))
  if (Array.isArray(own)) return own.includes(value)
  // A range belongs to its first day.
  return (isRange(own) ? own.start : own) === value
}

const isRange = (value: unknown): value is { start: string } =>
  typeof value === 'object' && value !== null && 'start' in value

/** The ID of the block or the member that all items of a group have. */
export const idOfGroup = (value: Extract<GroupEntry['value'], object>): string =>
  'memberId' in value ? value.memberId : value.blockId

/** The name of a group as plain text. */
export function groupText({ value }: GroupEntry): string {
  if (value === undefined) return text('None')
  if (typeof value === 'object') return 'name' in value ? value.name : shownTitle(value.title)
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

export function groupName(call: PageCall, property: PropertyEntry | undefined, group: GroupEntry): Html {
  const { value } = group
  if (value === undefined) return html`<span class="none">None</span>`
  if (typeof value === 'object' && 'name' in value) return html`${value.name}`
  if (typeof value === 'object')
    return html`<a href="${call.links.block(value.blockId)}">${shownTitle(value.title)}</a>`
  return property === undefined ? html`${groupText(group)}` : valueHtml(call, property, value, new Map())
}

/** A heading such as `in 2`. */
export const groupHeadingHtml = (call: PageCall, property: PropertyEntry | undefined, group: GroupEntry): Html =>
  html`${groupName(call, property, group)} <span class="n">${call.formats.number(group.count)}</span>`
