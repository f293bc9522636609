/** Tool responses about collections, and the data of a shown collection. */
import type { PropertyEntry, TargetTitles } from './collection-values.ts'

/** As `schema_get` returns it with format `schema`. */
export interface CollectionSchema {
  key: string
  name: string
  contentPropDetails: { key: string; name: string }
  properties: PropertyEntry[]
}

/** As `views_list` returns it. */
export interface ViewEntry {
  id: string
  name: string
  type: 'table' | 'gallery' | 'kanban'
  filters: { property: string; filterType: string; filterValue?: unknown }[]
  sortBy: { property: string; ascending: boolean }[]
  groupBy: { property: string; ascending: boolean }[]
  hiddenProperties: { propertyKey?: string }[]
  customPropertyOrder: { propertyKey?: string }[]
  calculations: Record<string, string>
  kanban?: { hiddenGroupValues?: string[]; columnOrder?: string[] }
  isActive: boolean
}

export interface ItemEntry {
  id: string
  title: string
  properties: Record<string, unknown>
}

export interface GroupEntry {
  value?: string | number | boolean | { blockId: string; title: string }
  count: number
  calculations?: Record<string, number | string>
}

export interface ItemsAnswer {
  items: ItemEntry[]
  groups?: GroupEntry[]
  calculations?: Record<string, number | string>
  pagination?: { cursor: string; remaining: number }
}

/** The data of a shown collection. */
export interface CollectionView {
  id: string
  schema: CollectionSchema
  views: ViewEntry[]
  /** The current view; undefined if the collection has none. */
  view?: ViewEntry | undefined
  answer: ItemsAnswer
  titles: TargetTitles
  columns: PropertyEntry[]
  /** True if its items can be edited in place. */
  isEditable: boolean
  /** The page to which its forms return; by default the current page. */
  back?: string | undefined
  /** The month to show instead of the items. */
  calendar?: Calendar
}

export interface Calendar {
  /** Such as `2026-11`. */
  month: string
  /** The date property that places items on days. */
  property: PropertyEntry
  /** Items without a date. */
  undated: readonly ItemEntry[]
  /** The address of the page with another month. */
  href(month: string): string
}

/** The value of a group, as used in addresses and scripts. */
export type GroupValue = GroupEntry['value']
