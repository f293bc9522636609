/** What stands above the items of a collection: the filters and sorting that are shown, and buttons to change them. */

import { menuHtml } from '../documents/document-menu.ts'
import { addressOf, formLink, hiddenFields } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyType } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { type ItemRules, isSame, type SortEntry } from './asked-rules.ts'
import type { CollectionView } from './collection-entries.ts'
import { type FilterEntry, filterQuestion, questionLabel } from './filter-questions.ts'

/** A column of items, by which they can be filtered and sorted: a property, or the title. */
export interface RuledColumn {
  key: string
  name: string
  type: PropertyType | 'title'
}

export const ruledColumns = ({ schema }: Pick<CollectionView, 'schema'>): RuledColumn[] => [
  { key: 'title', name: schema.contentPropDetails.name, type: 'title' },
  ...schema.properties,
]

/** Chips for each filter and for the sorting, a menu of columns to filter by, and one for which columns are shown. */
export function rulesHtml(call: PageCall, shown: CollectionView): Html | false {
  const { id, rules, hrefWith, storedRules } = shown
  if (hrefWith === undefined || storedRules === undefined) return false
  const columns = ruledColumns(shown)
  const removal = (without: ItemRules, what: string) =>
    html`<a class="chip-end" href="${hrefWith(without)}" aria-label="Remove: ${what}">${call.icon('x')}</a>`
  const chips = rules.filters.map((filter, index) => {
    const column = columns.find(({ key }) => key === filter.property)
    const words = filterText(column, filter)
    const isKnown = column !== undefined && filterQuestion(filter, column.type) !== undefined
    const name = isKnown ? filterLink(call, id, column, words, String(index)) : html`<span>${words}</span>`
    const others = rules.filters.filter((_, at) => at !== index)
    return html`<li class="chip">${name}${removal({ ...rules, filters: others }, words)}</li>`
  })
  const sorts = rules.sortBy.map((sort, index) => {
    const name = columns.find(({ key }) => key === sort.property)?.name ?? sort.property
    const words = text('Sorted by {name}', { name })
    const others = rules.sortBy.filter((_, at) => at !== index)
    const turned = rules.sortBy.map((one, at) => (at === index ? { ...one, ascending: !one.ascending } : one))
    const direction = sort.ascending ? text('upward') : text('downward')
    return html`<li class="chip"><a href="${hrefWith({ ...rules, sortBy: turned })}">${words}<span class="hidden">, ${direction}</span>${call.icon(sort.ascending ? 'arrow-up' : 'arrow-down')}</a>${removal({ ...rules, sortBy: others }, words)}</li>`
  })
  const isOwn = !isSame(rules, storedRules)
  const adding = menuHtml(
    `filter-${id}`,
    html`${call.icon('filter')} Filter`,
    columns.map((column) => filterLink(call, id, column, column.name)),
  )
  const list = html`<ul>${chips}${sorts}</ul>`
  return html`<div class="rules">${(chips.length > 0 || sorts.length > 0) && list}${adding}${columnsHtml(call, shown)}${isOwn && ownRulesHtml(call, shown, hrefWith(storedRules))}</div>`
}

/** A link to the form of a filter. @param at  the place of the one that it changes; absent for a new one */
const filterLink = (call: PageCall, id: string, { key }: RuledColumn, words: string, at?: string): Html =>
  formLink(call, `/collections/${id}/filters/${key}`, words, { variant: '', query: { at }, label: undefined })

/** Such as `Stage is doing, idea`. */
export function filterText(column: RuledColumn | undefined, filter: FilterEntry): string {
  const shown = column && filterQuestion(filter, column.type)
  if (column === undefined || shown === undefined)
    return text('{name}: a filter of an agent', { name: column?.name ?? filter.property })
  const label = questionLabel(shown.question, column.type)
  const value = typeof filter.filterValue === 'boolean' ? (filter.filterValue ? text('yes') : text('no')) : shown.value
  return `${column.name} ${label}${value === '' ? '' : ` ${value}`}`
}

/** What is shown differs from the view: it can become the view's, or be left. */
function ownRulesHtml(call: PageCall, { id, view, isEditable }: CollectionView, href: string): Html {
  const isSaved = isEditable && call.has(view === undefined ? 'views_add' : 'views_update')
  return html`${
    isSaved &&
    html`<form method="post" action="${call.href(`/collections/${id}/rules`)}">${hiddenFields(call, addressOf(call))}<button class="plain">Save in the view</button></form>`
  }<a class="button plain" href="${href}">Reset</a>`
}

/** Which columns the view shows. */
function columnsHtml(call: PageCall, { id, schema, view, columns, isEditable }: CollectionView): Html | false {
  if (!isEditable || schema.properties.length === 0 || !call.has(view === undefined ? 'views_add' : 'views_update')) {
    return false
  }
  const shown = new Set(columns.map(({ key }) => key))
  const hidden = schema.properties.length - shown.size
  const name = `columns-of-${id}`
  return html`<button class="plain" popovertarget="${name}">${call.icon('columns')} Columns${hidden > 0 && html` <span class="n">${call.formats.number(hidden)} hidden</span>`}</button><div popover id="${name}" class="menu"><form class="shown-columns" method="post" action="${call.href(`/collections/${id}/columns`)}">${hiddenFields(call, addressOf(call))}<input type="hidden" name="view" value="${view?.id ?? ''}">${schema.properties.map(
    ({ key, name }) =>
      html`<label class="choice"><input type="checkbox" name="shown" value="${key}"${shown.has(key) && html` checked`}><span>${name}</span></label>`,
  )}<button class="go">Show these</button></form></div>`
}

/** How the items are sorted by a column, and the rules that a click on its name leads to. */
export function sortLink({ rules, hrefWith }: CollectionView, key: string) {
  const [first] = rules.sortBy
  const now = first?.property === key ? first : undefined
  const next: SortEntry[] =
    now === undefined ? [{ property: key, ascending: true }] : now.ascending ? [{ ...now, ascending: false }] : []
  return hrefWith && { now, href: hrefWith({ ...rules, sortBy: next }) }
}
