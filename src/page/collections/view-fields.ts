/**
 * The settings of a view as fields of a form: what it looks like and its name, what a board or a calendar needs, and
 * everything else folded. See given-view.ts for the way back.
 */

import { FILTER_TEXT_LENGTH, TITLE_LENGTH } from '../../base/limits.ts'
import { type Choice, selectField, textField } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { CollectionSchema, PropertyEntry, ViewEntry } from '../page-tools.ts'
import { text, textKey } from '../texts/text.ts'
import { calendarColumn } from './collection-calendar.ts'
import { filterQuestion, QUESTIONS } from './filter-questions.ts'

export const VIEW_KINDS: readonly Choice[] = [
  { value: 'table', label: textKey('Table') },
  { value: 'kanban', label: textKey('Board') },
  { value: 'gallery', label: textKey('Cards') },
  { value: 'calendar', label: textKey('Calendar') },
]
/** Number of empty rows for further filters, and of sorting rules. */
const MORE_FILTERS = 2
const SORTS = 2

const CALCULATIONS: readonly Choice[] = [
  { value: '', label: '' },
  { value: 'count_all', label: textKey('count of rows') },
  { value: 'count_notEmpty', label: textKey('count of those filled') },
  { value: 'count_empty', label: textKey('count of those empty') },
  { value: 'count_unique', label: textKey('count of different ones') },
  { value: 'percent_notEmpty', label: textKey('percent filled') },
]
const OF_NUMBERS: readonly Choice[] = [
  { value: 'number_sum', label: textKey('sum') },
  { value: 'number_average', label: textKey('average') },
  { value: 'number_median', label: textKey('median') },
  { value: 'number_min', label: textKey('min') },
  { value: 'number_max', label: textKey('max') },
  { value: 'number_range', label: textKey('range') },
]
const OF_DATES: readonly Choice[] = [
  { value: 'date_min', label: textKey('earliest') },
  { value: 'date_max', label: textKey('latest') },
]
const OF_BOXES: readonly Choice[] = [
  { value: 'count_checkbox_checked', label: textKey('count of those ticked') },
  { value: 'percent_checkbox_checked', label: textKey('percent ticked') },
]
/** Further calculations of a type. */
const OF_TYPE: Readonly<Record<ViewColumn['type'], readonly Choice[]>> = {
  ...{ number: OF_NUMBERS, rating: OF_NUMBERS, date: OF_DATES, boolean: OF_BOXES },
  ...{ title: [], text: [], url: [], email: [], phone: [] },
  ...{ singleSelect: [], multiSelect: [], relation: [], blockLink: [], person: [] },
}

/** A property, or the title of items. */
export type ViewColumn = Pick<PropertyEntry, 'key' | 'name'> & { type: PropertyEntry['type'] | 'title' }

/** All columns of a collection. The title is one, in the way views refer to it. */
export const viewColumns = ({ contentPropDetails, properties }: CollectionSchema): ViewColumn[] => [
  { key: 'title', name: contentPropDetails.name, type: 'title' },
  ...properties,
]

/** A filter as a question, or one that no question asks: by its place among those of the view. */
export type FilterFields = { column: string; question: string; answer: string } | { kept: number; column: string }

/** What the form holds. */
export interface ViewFields {
  name: string
  /** One of {@link VIEW_KINDS}. */
  kind: string
  /** The key of the column whose values a board has as columns. */
  columns: string
  /** The key of the date by which a calendar is. */
  days: string
  /** The key of the column by which rows and cards of other views are grouped. */
  group: string
  filters: FilterFields[]
  sorts: { property: string; order: string }[]
  /** The keys of properties that are shown. */
  shown: ReadonlySet<string>
  /** By the keys of columns. */
  calculations: ReadonlyMap<string, string>
}

export function fieldsOfView(schema: CollectionSchema, view: ViewEntry | undefined): ViewFields {
  const kind = calendarColumn(schema, view) === undefined ? (view?.type ?? 'table') : 'calendar'
  const group = view?.groupBy[0]?.property ?? ''
  const hidden = new Set(view?.hiddenProperties.map(({ propertyKey }) => propertyKey))
  const columns = viewColumns(schema)
  const filters = (view?.filters ?? []).map((filter, index): FilterFields => {
    const column = filter.property
    const shown = filterQuestion(filter, columns.find(({ key }) => key === column)?.type ?? 'text')
    return shown === undefined
      ? { kept: index, column }
      : { column, question: shown.question, answer: String(shown.value) }
  })
  return {
    name: view?.name ?? '',
    kind,
    columns: kind === 'kanban' ? group : '',
    days: kind === 'calendar' ? group : '',
    group: kind === 'kanban' || kind === 'calendar' ? '' : group,
    filters,
    sorts: (view?.sortBy ?? []).map(({ property, ascending }) => ({ property, order: ascending ? 'up' : 'down' })),
    shown: new Set(schema.properties.flatMap(({ key }) => (hidden.has(key) ? [] : [key]))),
    calculations: new Map(Object.entries(view?.calculations ?? {}).map(([key, { type }]) => [key, type])),
  }
}

/** The submitted fields. @param before  the view that is changed, whose filters may be kept */
export function givenFields(form: URLSearchParams, before: ViewEntry | undefined): ViewFields {
  const given = (name: string) => (form.get(name) ?? '').trim()
  const [questions, answers, orders] = [form.getAll('question'), form.getAll('answer'), form.getAll('order')]
  const kept = form.getAll('filter.kept').flatMap((index): FilterFields[] => {
    const filter = before?.filters[Number(index)]
    return filter === undefined ? [] : [{ kept: Number(index), column: filter.property }]
  })
  const asked = form.getAll('filter').flatMap((column, index): FilterFields[] => {
    const question = questions[index] ?? ''
    return column === '' ? [] : [{ column, question, answer: (answers[index] ?? '').trim() }]
  })
  return {
    ...{ name: given('name'), kind: given('type'), columns: given('columns'), days: given('days') },
    group: given('group'),
    filters: [...kept, ...asked],
    sorts: form
      .getAll('sort')
      .flatMap((property, index) => (property === '' ? [] : [{ property, order: orders[index] ?? 'up' }])),
    shown: new Set(form.getAll('shown')),
    calculations: new Map(
      form.getAll('calculation').flatMap((one) => (one === '' ? [] : [one.split(' ') as [string, string]])),
    ),
  }
}

const NONE: Choice = { value: '', label: '' }
const choicesOf = (properties: readonly ViewColumn[]): Choice[] =>
  properties.map(({ key, name }) => ({ value: key, label: name }))

interface ViewFormState {
  isNew: boolean
  /** True if a board and a calendar may add the column that they need. */
  mayAddColumns: boolean
}

export function viewFields(
  schema: CollectionSchema,
  fields: ViewFields,
  { isNew, mayAddColumns }: ViewFormState,
): Html {
  const columns = viewColumns(schema)
  const { properties } = schema
  const dates = properties.filter(({ type }) => type === 'date')
  const options = properties.filter(({ type }) => type === 'singleSelect')
  const others = properties.filter(({ type }) => type !== 'singleSelect' && type !== 'date')
  const added = (name: string): Choice => ({ value: '', label: text('a new column “{name}”', { name }) })
  const boardChoices = [
    ...(options.length === 0 && mayAddColumns ? [added(text('Status'))] : []),
    ...choicesOf([...options, ...others]),
  ]
  const dateChoices = dates.length === 0 && mayAddColumns ? [added(text('Date'))] : choicesOf(dates)
  return html`<div class="row">${textField(text('Name'), 'name', fields.name, html`${isNew ? html` placeholder="Optional"` : html` required`} autofocus maxlength="${TITLE_LENGTH}"`)}${selectField(text('Looks like'), 'type', fields.kind, VIEW_KINDS)}</div>
<div class="for-board">${
    boardChoices.length === 0
      ? html`<p class="about">A board needs a column of options, and this collection has none yet.</p>`
      : selectField(text('A column for each'), 'columns', fields.columns, boardChoices)
  }</div>
<div class="for-calendar">${
    dates.length === 0 && html`<p class="about">${mayAddColumns ? NEW_DATES : NO_DATES}</p>`
  }${dateChoices.length > 0 && selectField(text('By the date'), 'days', fields.days, dateChoices)}</div>
<details class="view-more"${isArranged(schema, fields) && html` open`}><summary>Filters, order and columns</summary>
<div class="for-rows">${selectField(text('Grouped by'), 'group', fields.group, [NONE, ...choicesOf(properties)])}</div>
<fieldset><legend>Only rows where</legend>${filterRows(columns, fields.filters)}</fieldset>
<fieldset><legend>Sorted by</legend>${sortRows(columns, fields.sorts)}</fieldset>
<fieldset><legend>Columns, and what is calculated below them</legend>${columns.map((column) => columnRow(column, fields))}</fieldset></details>`
}

const NO_DATES = textKey('A calendar needs a column of dates, and this collection has none yet.')
const NEW_DATES = textKey('This collection has no column of dates yet. It gets one with this view.')

/** True if something folded has been set. */
const isArranged = ({ properties }: CollectionSchema, fields: ViewFields): boolean =>
  fields.group !== '' ||
  fields.filters.length + fields.sorts.length + fields.calculations.size > 0 ||
  properties.some(({ key }) => !fields.shown.has(key))

function filterRows(columns: readonly ViewColumn[], filters: readonly FilterFields[]): Html {
  const row = (filter: FilterFields | undefined) => {
    if (filter !== undefined && 'kept' in filter) {
      const name = columns.find(({ key }) => key === filter.column)?.name ?? filter.column
      return html`<label class="choice"><input type="checkbox" name="filter.kept" value="${filter.kept}" checked><span>${name}: a filter that an agent made</span></label>`
    }
    return html`<div class="row">${selectField(text('Column'), 'filter', filter?.column ?? '', [NONE, ...choicesOf(columns)])}${selectField(text('It'), 'question', filter?.question ?? 'is', QUESTIONS)}<label>This <input type="text" dir="auto" name="answer" value="${filter?.answer ?? ''}" autocomplete="off" maxlength="${FILTER_TEXT_LENGTH}"></label></div>`
  }
  return html`${filters.map(row)}${Array.from({ length: MORE_FILTERS }, () => row(undefined))}`
}

const ORDERS: readonly Choice[] = [
  { value: 'up', label: textKey('upward') },
  { value: 'down', label: textKey('downward') },
]

const sortRows = (columns: readonly ViewColumn[], sorts: ViewFields['sorts']): Html =>
  html`${Array.from({ length: Math.max(SORTS, sorts.length) }, (_, index) => {
    const { property = '', order = 'up' } = sorts[index] ?? {}
    return html`<div class="row">${selectField(index === 0 ? text('Column') : text('Then'), 'sort', property, [NONE, ...choicesOf(columns)])}${selectField(text('Order'), 'order', order, ORDERS)}</div>`
  })}`

function columnRow({ key, name, type }: ViewColumn, { shown, calculations }: ViewFields): Html {
  const calculation = calculations.get(key) ?? ''
  const offered = [...CALCULATIONS, ...OF_TYPE[type]]
  const choices = offered.some(({ value }) => value === calculation)
    ? offered
    : [...offered, { value: calculation, label: calculation.replaceAll('_', ' ') }]
  const box =
    key === 'title'
      ? html`<span class="choice">${name}</span>`
      : html`<label class="choice"><input type="checkbox" name="shown" value="${key}"${shown.has(key) && html` checked`}><span>${name}</span></label>`
  return html`<div class="column-row">${box}<select name="calculation" aria-label="Calculated for ${name}">${choices.map(
    ({ value, label }) =>
      html`<option value="${value && `${key} ${value}`}"${value === calculation && html` selected`}>${label}</option>`,
  )}</select></div>`
}
