/**
 * Views of a collection: settings that define which items are shown where. Source: the interface's shapes, 3, "Views".
 */
import { type PropertyType, VIEW_TYPES } from '../../../../storage/schema.ts'

export { VIEW_TYPES }

export type ViewType = (typeof VIEW_TYPES)[number]

interface ViewTraits {
  /** The key of the settings that only this type has. */
  settings: 'gallery' | 'kanban' | undefined
  /** True if a view of the type needs a property to group by. */
  needsGroup: boolean
}

/** What the code needs to know about each type of views. A new type does not compile without its line here. */
export const VIEW_TRAITS: Readonly<Record<ViewType, ViewTraits>> = {
  table: { settings: undefined, needsGroup: false },
  gallery: { settings: 'gallery', needsGroup: false },
  kanban: { settings: 'kanban', needsGroup: true },
}

export const FILTER_TYPES = [
  'isEmpty',
  'isNotEmpty',
  'equals',
  'doesNotEqual',
  'string_contains',
  'string_doesNotContain',
  'select_isAnyOf',
  'select_isNoneOf',
  'relation_hasAnyOf',
  'relation_hasAllOf',
  'relation_hasNoneOf',
  'date_isBefore',
  'date_isAfter',
  'number_equal',
  'number_notEqual',
  'number_smaller',
  'number_smallerOrEqual',
  'number_greater',
  'number_greaterOrEqual',
  'isReady',
  'isBlocked',
] as const
export type FilterType = (typeof FILTER_TYPES)[number]

export const CALCULATIONS = [
  'count_all',
  'count_values',
  'count_unique',
  'count_empty',
  'count_notEmpty',
  'percent_empty',
  'percent_notEmpty',
  'count_checkbox_checked',
  'count_checkbox_unchecked',
  'percent_checkbox_checked',
  'percent_checkbox_unchecked',
  'number_sum',
  'number_average',
  'number_median',
  'number_min',
  'number_max',
  'number_range',
  'date_min',
  'date_max',
  'date_range_days',
  'date_range_months',
] as const
export type Calculation = (typeof CALCULATIONS)[number]

export const CARD_SIZES = ['small', 'large'] as const
export const PREVIEW_TYPES = ['none', 'document', 'fill', 'immersive'] as const
export const KANBAN_WIDTHS = ['wide', 'narrow'] as const

/** The name of the title column in every reference. */
export const TITLE_COLUMN = 'title'
/** Stands for the title column wherever properties are stored by number. No property has this number. */
export const TITLE_COLUMN_NUMBER = 0

/** A column that views refer to: a property, or the title. */
export interface Column {
  n: number
  key: string
  name: string
  type: PropertyType | typeof TITLE_COLUMN
  /** Options of selects, in order. Other types have none. */
  options: readonly { n: number; name: string }[]
  /** Of a relation that says what the items depend on. */
  dependency?: DependencyColumn
}

/** The filter that says which items of a collection are done. */
export interface DependencyColumn {
  done: Filter
  column: Column
}

/** How clients name a property: by its key, its display name, or `title`. */
type PropertyName = string

/** Rules as clients send them. */
export interface FilterInput {
  property: PropertyName
  /** One of {@link FILTER_TYPES}, or a word or sign that means one. */
  filterType: string
  filterValue?: unknown
}
/** A filter whose kind is one of {@link FILTER_TYPES}. */
export interface TypedFilter extends FilterInput {
  filterType: FilterType
}
export interface RuleInput {
  property: PropertyName
  ascending?: boolean | undefined
}

interface CardFields<Reference> {
  cardSize?: (typeof CARD_SIZES)[number] | undefined
  previewType?: (typeof PREVIEW_TYPES)[number] | undefined
  limitsVisibleFields?: boolean | undefined
  showsAllFields?: boolean | undefined
  visibleFields?: Reference[] | undefined
}
interface GalleryFields<Reference> extends CardFields<Reference> {
  previewRatio?: number | undefined
}
interface KanbanFields<Reference, Group> extends CardFields<Reference> {
  hiddenGroupValues?: Group[] | undefined
  columnOrder?: Group[] | undefined
  kanbanColumnWidth?: (typeof KANBAN_WIDTHS)[number] | undefined
  showsColumnColors?: boolean | undefined
}

/** Settings as clients send them, complete or partial. */
export interface ViewInput {
  /** Only accepted if it matches what was read. */
  id?: unknown
  isActive?: unknown
  name?: string | undefined
  type?: ViewType | undefined
  filters?: FilterInput[] | undefined
  sortBy?: RuleInput[] | undefined
  groupBy?: RuleInput[] | undefined
  order?: PropertyName[] | undefined
  hidden?: PropertyName[] | undefined
  widths?: Record<PropertyName, string> | undefined
  calculations?: Record<PropertyName, Calculation> | undefined
  isCalculationsRowVisible?: boolean | undefined
  gallery?: GalleryFields<PropertyName> | undefined
  kanban?: KanbanFields<PropertyName, string> | undefined
}

/**
 * The value of a filter as it is stored. Options are stored by number, so that the filter survives renaming one; blocks
 * by ID.
 */
export type FilterValue =
  | { text: string }
  | { number: number }
  | { flag: boolean }
  | { date: string | number }
  | { options: number[] }
  | { targets: number[] }

export interface Filter {
  property: number
  filterType: FilterType
  /** Present unless the filter only tests whether there is a value. */
  value?: FilterValue
}
export interface Rule {
  property: number
  ascending: boolean
}

/** Settings as they are stored. Properties are stored by number, so that the view survives renaming one. */
export interface View {
  name: string
  type: ViewType
  filters: Filter[]
  sortBy: Rule[]
  groupBy: Rule[]
  order: number[]
  hidden: number[]
  widths: [property: number, width: string][]
  calculations: [property: number, calculation: Calculation][]
  isCalculationsRowVisible?: boolean
  /** Only on gallery views. */
  gallery?: GalleryFields<number>
  /** Only on kanban views. Groups that are options are stored by number. */
  kanban?: KanbanFields<number, number | string>
}
