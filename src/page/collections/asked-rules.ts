/**
 * Filters and sorting in the address of a page, which replace those of a view for the person who opens the address:
 *
 *     ?sort=-price,title                          downward by price, then by title; empty for the order of the collection
 *     ?filter=price:number_greater:50             the filters of `items_list`, each in one parameter; empty for none
 *     ?filter=status:select_isAnyOf:in,asked      names of options
 *     ?filter=cranes:relation_hasAnyOf:~{…}       any other value as JSON
 *
 * In the address of a document, the names end with the ID of the collection.
 */
import type { ViewEntry } from '../page-tools.ts'
import type { FilterEntry } from './filter-questions.ts'

export interface SortEntry {
  property: string
  ascending: boolean
}

export interface ItemRules {
  filters: FilterEntry[]
  sortBy: SortEntry[]
}

/** Marks a value as JSON. */
const JSON_MARK = '~'

/** The rules in an address, as far as it has any. @param suffix  of the names of the parameters */
export function rulesIn(query: URLSearchParams, suffix = ''): Partial<ItemRules> {
  const sort = query.get(`sort${suffix}`)
  const filters = query.getAll(`filter${suffix}`)
  return {
    ...(sort !== null && { sortBy: sort.split(',').filter(Boolean).map(sortOf) }),
    ...(filters.length > 0 && { filters: filters.filter(Boolean).map(filterIn) }),
  }
}

export const rulesOfView = (view: ViewEntry | undefined): ItemRules => ({
  filters: (view?.filters ?? []).map(({ property, filterType, filterValue }) => ({
    ...{ property, filterType },
    ...(filterValue !== undefined && { filterValue }),
  })),
  sortBy: (view?.sortBy ?? []).map(({ property, ascending }) => ({ property, ascending })),
})

/**
 * An address with these rules, without what depends on other ones. Rules that the view has anyway are left out.
 *
 * @param address  a path with a query
 */
export function addressWithRules(address: string, rules: ItemRules, view: ItemRules, suffix = ''): string {
  const [path = '', search] = address.split('?')
  const query = new URLSearchParams(search)
  for (const name of [`sort${suffix}`, `filter${suffix}`, 'cursor']) query.delete(name)
  if (!isSame(rules.sortBy, view.sortBy)) query.set(`sort${suffix}`, rules.sortBy.map(sortText).join(','))
  if (!isSame(rules.filters, view.filters)) {
    for (const filter of rules.filters) query.append(`filter${suffix}`, filterText(filter))
    if (rules.filters.length === 0) query.set(`filter${suffix}`, '')
  }
  return query.size === 0 ? path : `${path}?${query}`
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const sortOf = (text: string): SortEntry => ({ property: text.replace(/^-/, ''), ascending: !text.startsWith('-') })
const sortText = ({ property, ascending }: SortEntry): string => `${ascending ? '' : '-'}${property}`

function filterIn(text: string): FilterEntry {
  const [, property = text, filterType = '', value] = /^([^:]*):([^:]*)(?::([\s\S]*))?$/.exec(text) ?? []
  const filter = { property, filterType: filterType as FilterEntry['filterType'] }
  if (value === undefined) return filter
  const isList = filterType.startsWith('select_')
  return { ...filter, filterValue: value.startsWith(JSON_MARK) ? readMarked(value) : isList ? value.split(',') : value }
}

/** A value that is no JSON is one that the tool refuses by its text. */
function readMarked(value: string): unknown {
  try {
    return JSON.parse(value.slice(JSON_MARK.length))
  } catch {
    return value
  }
}

function filterText({ property, filterType, filterValue }: FilterEntry): string {
  const start = `${property}:${filterType}`
  if (filterValue === undefined) return start
  const isList = filterType.startsWith('select_') && Array.isArray(filterValue) && filterValue.length > 0
  const isPlain = (value: unknown) => typeof value === 'string' && !value.startsWith(JSON_MARK)
  if (isList && filterValue.every((one) => isPlain(one) && !String(one).includes(','))) {
    return `${start}:${filterValue.join(',')}`
  }
  if (isPlain(filterValue) && !filterType.startsWith('select_')) return `${start}:${String(filterValue)}`
  return `${start}:${JSON_MARK}${JSON.stringify(filterValue)}`
}
