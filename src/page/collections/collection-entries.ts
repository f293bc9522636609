/** Tool responses about collections, and the data of a shown collection. */

import type { Html } from '../html.ts'
import type { CollectionSchema, GroupEntry, ItemEntry, ItemsAnswer, PropertyEntry, ViewEntry } from '../page-tools.ts'
import type { ItemRules } from './asked-rules.ts'
import type { TargetTitles } from './collection-values.ts'

/** What others suggest to change in the rows of a table. */
export interface RowSuggestions {
  /** A value with the one that would take its place. @param present  the value as it is now */
  valueHtml(itemId: string, key: string, present: Html): Html
  /** Classes of a row, each after a space. */
  look(itemId: string): string
  /** The new rows that would stand after a row. @param keys  of the values that rows show */
  rowsAfter(itemId: string, keys: ReadonlySet<string>): SuggestedRowEntry[]
  /** What stands below a row besides; empty if nothing is suggested. @param keys  of the values that the row shows */
  belowRow(itemId: string, keys: ReadonlySet<string>): Html
}

/** A row that is suggested, with what stands below it. */
export interface SuggestedRowEntry {
  title: Html
  /** Its values, by the keys of properties. */
  cells: ReadonlyMap<string, Html>
  /** The number of its author's color. */
  tone: number
  below: Html
}

/** The data of a shown collection. */
export interface CollectionView {
  id: string
  schema: CollectionSchema
  views: ViewEntry[]
  /** The current view; undefined if the collection has none. */
  view?: ViewEntry | undefined
  /** The filters and sorting that are shown: those of the view, or of the address in their place. */
  rules: ItemRules
  /** Those of the view, where the address can have others. */
  storedRules?: ItemRules
  /** The address of the same page with other rules. */
  hrefWith?(rules: ItemRules): string
  answer: ItemsAnswer
  titles: TargetTitles
  columns: PropertyEntry[]
  /** True if its items can be edited in place. */
  isEditable: boolean
  /** The page to which its forms return; by default the current page. */
  back?: string | undefined
  /** True if cards show all of their values, as on paper. */
  showsAllValues?: boolean
  suggestions?: RowSuggestions | undefined
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
