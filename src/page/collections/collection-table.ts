/** A collection as a table. Cells are editable if the link allows it. */

import { shownTitle } from '../../markdown/shown-title.ts'
import { blockedHtml } from '../blocks/blocked-html.ts'
import { addressOf, buttonForm, formLink, hiddenFields } from '../form-page.ts'
import { type Html, html, NOTHING } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ItemEntry, PropertyEntry, ViewEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import type { SortEntry } from './asked-rules.ts'
import type { CollectionView } from './collection-entries.ts'
import { groupedItems, groupHeadingHtml, groupProperty } from './collection-groups.ts'
import { numberText, valueHtml } from './collection-values.ts'
import { textOf } from './convert-values.ts'
import { heldHtml } from './held-item.ts'
import { hidingFiltersHtml, mayAddRows, newRowLink } from './new-row.ts'
import { inViewOrder } from './read-collection.ts'
import { sortLink } from './rules-html.ts'

const isNumeric = ({ type }: PropertyEntry): boolean => type === 'number'

/** The ID of the form for a table's checkboxes. A document may contain several tables. */
const boxForm = (collectionId: string): string => `boxes-${collectionId}`

export function tableHtml(call: PageCall, shown: CollectionView): Html {
  const { id, schema, answer, columns, view, isEditable, back } = shown
  const widths = columnWidths(shown)
  // A collection without a view gets one with the first change.
  const isArranged = isEditable && call.has(view === undefined ? 'views_add' : 'views_update')
  const path = call.href(`/collections/${id}`)
  const mayColumns = isEditable && call.has('schema_update')
  const nameOf = (property: PropertyEntry) => {
    const { key, name } = property
    const sort = sortLink(shown, key)
    const menu = mayColumns ? columnMenu(call, shown, property) : undefined
    return html`<th scope="col"${isNumeric(property) && html` class="num"`}${isArranged && html` data-column="${key}"`}${sortAttribute(sort?.now)}>${sortedName(call, name, sort)}${menu?.button}</th>`
  }
  const menus = mayColumns && columns.map((property) => columnMenu(call, shown, property).menu)
  const titleSort = sortLink(shown, 'title')
  const { calculations } = answer
  return html`${isEditable && html`<form id="${boxForm(id)}" method="post" action="${path}/boxes" hx-post="${path}/boxes" hx-swap="none">${hiddenFields(call, back ?? addressOf(call))}</form>`}
<div class="wide" tabindex="0" role="group" aria-label="${schema.name || text('Items')}"><table${tableAttributes(path, shown, { isArranged, widths })}>${colgroupHtml(widths)}
<thead><tr><th scope="col"${isArranged && html` data-column="title"`}${sortAttribute(titleSort?.now)}>${sortedName(call, schema.contentPropDetails.name, titleSort)}</th>${columns.map(nameOf)}${isEditable && html`<th scope="col">${mayColumns ? formLink(call, `/collections/${id}/columns/new`, call.icon('plus'), { variant: 'icon-button', label: text('New column'), back }) : html`<span class="hidden">Row</span>`}</th>`}</tr></thead>
<tbody>${rowsHtml(call, shown)}${newRowLine(call, shown)}</tbody>
${
  calculations !== undefined &&
  view !== undefined &&
  html`<tfoot><tr><td>${calculationHtml(call, view, undefined, calculations.title)}</td>${columns.map(
    (property) =>
      html`<td${isNumeric(property) && html` class="num"`}>${calculationHtml(call, view, property, calculations[property.key])}</td>`,
  )}${isEditable && html`<td></td>`}</tr></tfoot>`
}
</table></div>${menus}${isEditable && pickedHtml(call, shown)}`
}

/** The button for rows that are selected by their boxes. */
const pickedHtml = (call: PageCall, { id, back }: CollectionView): Html =>
  html`<form class="picked" id="pick-${id}" method="get" action="${call.href(`/collections/${id}/items/selected`)}"><input type="hidden" name="back" value="${back ?? addressOf(call)}"><button class="go">Change the selected rows…</button><button type="reset">Select none</button></form>`

/** Types whose cells show something else than what other programs take for their value. */
const IS_FORMATTED: ReadonlySet<PropertyEntry['type']> = new Set([
  'number',
  'date',
  'boolean',
  'rating',
  'multiSelect',
  'text',
])

/** The value of a cell as other programs take it. */
const plainValue = (property: PropertyEntry, value: unknown): Html | false =>
  IS_FORMATTED.has(property.type) && value !== undefined && html` data-v="${textOf(value) ?? ''}"`

type Sort = ReturnType<typeof sortLink>

const sortAttribute = (now: SortEntry | undefined): Html | false =>
  now !== undefined && html` aria-sort="${now.ascending ? text('ascending') : text('descending')}"`

/** The name of a column. A click sorts by it: upward, downward, and not. */
const sortedName = (call: PageCall, name: string, sort: Sort): Html =>
  sort === undefined
    ? html`${name}`
    : html`<a href="${sort.href}" data-rules>${name}${sort.now !== undefined && call.icon(sort.now.ascending ? 'arrow-up' : 'arrow-down')}</a>`

/** The menu of a column, and the button that opens it. */
function columnMenu(call: PageCall, shown: CollectionView, { key, name }: PropertyEntry) {
  const { id, view, rules, hrefWith, back } = shown
  const menu = `column-${id}-${key}`
  const path = `/collections/${id}/columns/${key}`
  const sort = (ascending: boolean, label: string) =>
    hrefWith !== undefined &&
    html`<li><a href="${hrefWith({ ...rules, sortBy: [{ property: key, ascending }] })}" data-rules>${label}</a></li>`
  const isHideable = call.has(view === undefined ? 'views_add' : 'views_update')
  return {
    button: html`<button class="icon-button" popovertarget="${menu}" aria-label="Menu of ${name}">${call.icon('chevron-down')}</button>`,
    menu: html`<div popover id="${menu}" class="menu"><ul>${sort(true, text('Sort upward'))}${sort(false, text('Sort downward'))}<li>${formLink(call, path, text('Edit column…'), { variant: '', back })}</li>${
      isHideable &&
      html`<li>${buttonForm(call, { action: `${path}/hide`, label: text('Hide'), back: back ?? addressOf(call), fields: { view: view?.id ?? '' } })}</li>`
    }</ul></div>`,
  }
}

/** Pixels of a column without a width in a view that has widths, and of the links to the forms of rows. */
const OTHER_WIDTH = 160
const LINKS_WIDTH = 112
/** Pixels that are shown. What imports bring may be other words, such as `auto`. */
const SHOWN_WIDTHS = { least: 48, most: 1200 }

/** The pixels of all columns; undefined if each is as wide as its text. */
function columnWidths({ columns, view, isEditable }: CollectionView): number[] | undefined {
  const set = ['title', ...columns.map(({ key }) => key)].map((key) => pixelsOf(view?.columnWidth[key]))
  if (set.every((width) => width === undefined)) return undefined
  return [...set.map((width) => width ?? OTHER_WIDTH), ...(isEditable ? [LINKS_WIDTH] : [])]
}

function pixelsOf(width = ''): number | undefined {
  const [, digits] = /^(\d{1,4})(?:px)?$/.exec(width) ?? []
  return digits === undefined ? undefined : Math.min(SHOWN_WIDTHS.most, Math.max(SHOWN_WIDTHS.least, Number(digits)))
}

const colgroupHtml = (widths: readonly number[] | undefined): Html | false =>
  widths !== undefined && html`<colgroup>${widths.map((width) => html`<col width="${width}">`)}</colgroup>`

interface Arranged {
  /** True if columns can be moved and resized. */
  isArranged: boolean
  widths: readonly number[] | undefined
}

function tableAttributes(path: string, { id, schema, view, isEditable }: CollectionView, arranged: Arranged): Html {
  const { isArranged, widths } = arranged
  const classes = ['items', ...(isEditable ? ['cells'] : []), ...(widths === undefined ? [] : ['sized'])].join(' ')
  // Hidden columns keep their places, too.
  const order = inViewOrder(schema.properties, view).map(({ key }) => key)
  const hidden = (view?.hiddenProperties ?? []).flatMap(({ propertyKey }) => propertyKey ?? [])
  return html`${isEditable && html` data-cells="${path}"`}${isArranged && html` data-collection="${id}" data-view="${view?.id ?? ''}" data-order="${order.join(' ')}" data-hidden="${hidden.join(' ')}"`} class="${classes}"`
}

/** The rows, with a heading for each group. */
function rowsHtml(call: PageCall, shown: CollectionView): Html {
  const property = groupProperty(shown)
  const { groups, others } = groupedItems(shown)
  const width = 1 + shown.columns.length + (shown.isEditable ? 1 : 0)
  const rows = (items: readonly ItemEntry[]) => items.map((item) => rowHtml(call, shown, item))
  return html`${groups.map(
    ({ group, items }) =>
      html`<tr class="group"><th colspan="${width}" scope="colgroup">${groupHeadingHtml(call, property, group)}</th></tr>
${rows(items)}`,
  )}${rows(others)}`
}

/** The last line, which adds a row. */
const newRowLine = (call: PageCall, shown: CollectionView): Html | false =>
  mayAddRows(call, shown) &&
  html`<tr class="new-row"><td colspan="${shown.columns.length + 2}">${newRowLink(call, shown, call.icon('plus', text('New row')), { variant: 'button plain' })}${hidingFiltersHtml(call, shown)}</td></tr>
`

function rowHtml(call: PageCall, shown: CollectionView, item: ItemEntry): Html {
  const { id, columns, titles, isEditable, back, suggestions } = shown
  const title = shownTitle(item.title)
  const withSuggestion = (key: string, present: Html) => suggestions?.valueHtml(item.id, key, present) ?? present
  const cell = (property: PropertyEntry) => {
    const value = item.properties[property.key]
    const content =
      isEditable && property.type === 'boolean' ? boxHtml(id, item, property) : valueHtml(call, property, value, titles)
    return html`<td${isNumeric(property) && html` class="num"`}${isEditable && html` data-key="${property.key}"${plainValue(property, value)}`}>${withSuggestion(property.key, content)}</td>`
  }
  const edit =
    isEditable &&
    html`<td>${formLink(call, `/collections/${id}/items/${item.id}/edit`, html`Edit<span class="hidden"> ${title}</span>`, { variant: 'edit-row', back })}</td>`
  const look = suggestions?.look(item.id).trim() ?? ''
  const pick =
    isEditable &&
    html`<input type="checkbox" class="pick" form="pick-${id}" name="item" value="${item.id}" aria-label="Select ${title}">`
  const link = html`<a href="${call.links.block(item.id)}">${title}</a>`
  return html`<tr${(isEditable || suggestions !== undefined) && html` data-item="${item.id}"`}${look !== '' && html` class="${look}"`}><th scope="row"${isEditable && html` data-key="title"`}>${pick}${withSuggestion('title', link)}${heldHtml(call, { action: `/collections/${id}/items/${item.id}/take-back`, ...(back !== undefined && { back }), mayChange: isEditable }, item.heldBy)}${blockedHtml(call.links, item.blockedBy)}</th>${columns.map(cell)}${edit}</tr>
${suggestedRow(shown, item)}`
}

/** What is suggested for a row, with the buttons for it, and the rows that would stand after it. */
function suggestedRow({ columns, isEditable, suggestions }: CollectionView, { id }: ItemEntry): Html {
  const keys = new Set(['title', ...columns.map(({ key }) => key)])
  const below = suggestions?.belowRow(id, keys) ?? NOTHING
  const added = suggestions?.rowsAfter(id, keys) ?? []
  const width = 1 + columns.length + (isEditable ? 1 : 0)
  const withButtons = (content: Html) =>
    html`<tr class="suggested-row" data-suggested="${id}"><td colspan="${width}">${content}</td></tr>
`
  return html`${String(below) !== '' && withButtons(below)}${added.map(
    (row) =>
      html`<tr class="suggested is-added by-${row.tone}"><th scope="row"><ins class="new">${row.title}</ins></th>${columns.map(
        (property) =>
          html`<td${isNumeric(property) && html` class="num"`}>${row.cells.has(property.key) && html`<ins class="new">${row.cells.get(property.key)}</ins>`}</td>`,
      )}${isEditable && html`<td></td>`}</tr>
${withButtons(row.below)}`,
  )}`
}

/** A button that works without scripts: it submits the new value of the checkbox. */
function boxHtml(collectionId: string, { id, title, properties }: ItemEntry, { key, name }: PropertyEntry): Html {
  const isTicked = properties[key] === true
  return html`<button class="box" form="${boxForm(collectionId)}" name="box" value="${id} ${key} ${String(!isTicked)}" role="checkbox" aria-checked="${String(isTicked)}" aria-label="${name} of ${shownTitle(title)}"></button>`
}

/** Such as `average 50,050` or `2 filled`. */
function calculationHtml(
  call: PageCall,
  { calculations }: ViewEntry,
  property: PropertyEntry | undefined,
  result: number | string | undefined,
): Html {
  if (result === undefined) return NOTHING
  const name = calculations[property?.key ?? 'title']?.type ?? ''
  return html`<small>${calculationName(name)}</small> ${resultText(call, name, property, result)}`
}

/** Turns `number_sum` into `sum`. */
export const calculationName = (name: string): string =>
  name.replace(/^(?:number|date|count|percent)_/, '').replaceAll('_', ' ')

/** @param name  of the calculation */
export function resultText(
  call: PageCall,
  name: string,
  property: PropertyEntry | undefined,
  result: number | string,
): string {
  if (typeof result === 'string') return call.formats.day(result)
  if (name.startsWith('number_') && property !== undefined) return numberText(call, property, result)
  const rounded = name.startsWith('percent_') ? Math.round(result) : result
  return `${call.formats.number(rounded)}${name.startsWith('percent_') ? ' %' : ''}`
}
