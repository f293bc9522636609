/** Tool responses about collections, and the data of a shown collection. */
import type { CollectionSchema, GroupEntry, ItemEntry, ItemsAnswer, PropertyEntry, ViewEntry } from '../page-tools.ts'
import type { TargetTitles } from './collection-values.ts'

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
  /** True if cards show all of their values, as on paper. */
  showsAllValues?: boolean
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
