/** The links that add a row where it will be: below the rows of a table, in a column of a board, on a day of a month. */
import { ScriptoriumError } from '../../base/errors.ts'
import { resolveDate, validateDate } from '../../space/model/dates.ts'
import { propertyTraits } from '../../space/model/property-traits.ts'
import { formLink } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyEntry } from '../page-tools.ts'
import type { CollectionView } from './collection-entries.ts'
import type { FilterEntry } from './filter-questions.ts'
import { filterText, ruledColumns } from './rules-html.ts'

/** Values as forms have them, by the names of their fields: `v.status`. */
export type PresetFields = ReadonlyMap<string, string>

/** The values that a new row needs so that the filters show it. */
export interface DemandedValues {
  fields: PresetFields
  /** Filters that may hide it all the same: what they ask for is not one value. */
  others: readonly FilterEntry[]
}

/** Questions that a row without a value answers. */
const BLANK: ReadonlySet<FilterEntry['filterType']> = new Set([
  'isEmpty',
  'string_doesNotContain',
  'select_isNoneOf',
  'relation_hasNoneOf',
  'number_notEqual',
  'isReady',
])

/** @param own  values that the row has anyway, which filters do not change */
export function demandedValues(call: PageCall, shown: CollectionView, own: PresetFields = new Map()): DemandedValues {
  const fields = new Map<string, string>()
  const others = shown.rules.filters.filter((filter) => {
    const property = shown.schema.properties.find(({ key }) => key === filter.property)
    const name = `v.${filter.property}`
    const given = own.get(name) ?? fields.get(name)
    const value = property === undefined ? undefined : demandedValue(call, property, filter)
    if (property === undefined) return filter.filterType !== 'isNotEmpty'
    if (value === undefined) return given === undefined ? !isBlank(property, filter) : !asksFor(filter, given)
    if (given !== undefined) return given !== value
    fields.set(name, value)
    return false
  })
  return { fields, others }
}

/** True if the value is one of those that a filter asks for. */
const asksFor = ({ filterType, filterValue }: FilterEntry, value: string): boolean =>
  filterType === 'isNotEmpty' || (filterType === 'select_isAnyOf' && [filterValue].flat().includes(value))

const isBlank = ({ type }: PropertyEntry, { filterType }: FilterEntry): boolean =>
  BLANK.has(filterType) || (filterType === 'doesNotEqual' && type !== 'boolean')

/** The only value that answers a question, as a form has it. */
function demandedValue(
  call: PageCall,
  { type, options = [] }: PropertyEntry,
  { filterType, filterValue }: FilterEntry,
): string | undefined {
  const { reads } = propertyTraits(type)
  if (reads === 'boolean' && typeof filterValue === 'boolean')
    return String(filterType === 'equals' ? filterValue : !filterValue)
  const [only, ...more] = Array.isArray(filterValue) ? filterValue : [filterValue]
  if (more.length > 0 || (typeof only !== 'string' && typeof only !== 'number')) return undefined
  const value = String(only)
  const isEqual = ['equals', 'number_equal', 'select_isAnyOf'].includes(filterType)
  if (!isEqual) return undefined
  if (type === 'singleSelect' || type === 'multiSelect')
    return options.some(({ name }) => name === value) ? value : undefined
  if (type === 'date') return dayOf(call, value)
  return ['text', 'url', 'email', 'phone', 'number', 'rating'].includes(type) ? value : undefined
}

/** Filters name days in words as well, such as `today`. */
function dayOf(call: PageCall, day: string): string | undefined {
  const calendar = { now: call.request.now, timezone: call.request.caller.space.info.timezone }
  try {
    return validateDate(resolveDate(day, calendar))
  } catch (error) {
    if (error instanceof ScriptoriumError) return undefined
    throw error
  }
}

/** True if rows can be added where they are shown. */
export const mayAddRows = (call: PageCall, { isEditable }: CollectionView): boolean =>
  isEditable && call.has('items_add') && call.may('add')

interface NewRowLook {
  variant: string
  label?: string
  /** Values of the place of the row, such as that of its column on a board. */
  own?: PresetFields
}

/** A link to the form of a new row. A script has a field for its title in its place: see assets/new-rows.ts. */
export function newRowLink(call: PageCall, shown: CollectionView, words: Html, look: NewRowLook): Html {
  const { variant, label, own = new Map() } = look
  const { fields } = demandedValues(call, shown, own)
  return formLink(call, `/collections/${shown.id}/items/new`, words, {
    ...{ variant, label, back: shown.back, inPlace: shown.schema.contentPropDetails.name },
    query: Object.fromEntries([...fields, ...own]),
  })
}

/** Says which filters may hide a new row, since they ask for more than one value. */
export function hidingFiltersHtml(call: PageCall, shown: CollectionView): Html | false {
  const { others } = demandedValues(call, shown)
  const columns = ruledColumns(shown)
  const words = others
    .map((filter) =>
      filterText(
        columns.find(({ key }) => key === filter.property),
        filter,
      ),
    )
    .join(', ')
  return others.length > 0 && html`<span class="about">A filter may hide new rows: ${words}</span>`
}
