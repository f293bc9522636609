/** What tools answer about collections, and what is shown of one. */
import type { PropertyEntry, TargetTitles } from './collection-values.ts'

/** As `schema_get` answers it with format `schema`. */
export interface CollectionSchema {
  key: string
  name: string
  contentPropDetails: { key: string; name: string }
  properties: PropertyEntry[]
}

/** As `views_list` answers it. */
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

/** What is shown of a collection. */
export interface CollectionView {
  id: string
  schema: CollectionSchema
  views: ViewEntry[]
  /** The view that is shown; none where the collection has none. */
  view?: ViewEntry | undefined
  answer: ItemsAnswer
  titles: TargetTitles
  columns: PropertyEntry[]
  /** Whether its items can be changed where they stand. */
  isEditable: boolean
  /** The page that its forms come back to; the one that is shown when absent. */
  back?: string | undefined
  /** The month that is shown in place of the items. */
  calendar?: Calendar
}

export interface Calendar {
  /** `2026-11` */
  month: string
  /** The date by which items have their days. */
  property: PropertyEntry
  /** Items without a date. */
  undated: readonly ItemEntry[]
  /** The address of the page with another month. */
  href(month: string): string
}

/** The groups of a view by a property: the value of one, as addresses and scripts say it. */
export type GroupValue = GroupEntry['value']
