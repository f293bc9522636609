/** Converts the settings of a view to form fields, and back to the format of `views_add` and `views_update`. */

import { invalid } from '../../base/errors.ts'
import { FILTER_TEXT_LENGTH, TITLE_LENGTH } from '../../base/limits.ts'
import { type Choice, selectField, textField, unchecked } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { CollectionSchema, PropertyEntry, ToolInput, ViewEntry } from '../page-tools.ts'
import { text, textKey } from '../texts/text.ts'
import { calendarColumn } from './collection-calendar.ts'
import { type FilterEntry, filterOf, filterQuestion, QUESTIONS } from './filter-questions.ts'

const VIEW_TYPES: readonly Choice[] = [
  { value: 'table', label: textKey('Table') },
  { value: 'kanban', label: textKey('Board') },
  { value: 'gallery', label: textKey('Cards') },
  { value: 'calendar', label: textKey('Calendar') },
]
/** Number of empty rows for further filters and sorting rules. */
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

type Calculation = NonNullable<ToolInput<'views_add'>['view']['calculations']>[string]

/** A property, or the title of items. */
type ViewColumn = Pick<PropertyEntry, 'key' | 'name'> & { type: PropertyEntry['type'] | 'title' }

/** The title as a column, in the way views refer to it. */
const titleOf = ({ contentPropDetails }: CollectionSchema): ViewColumn => ({
  key: 'title',
  name: contentPropDetails.name,
  type: 'title',
})

const NONE: Choice = { value: '', label: '' }
const choicesOf = (properties: readonly ViewColumn[]): Choice[] =>
  properties.map(({ key, name }) => ({ value: key, label: name }))

export function viewFields(schema: CollectionSchema, view: ViewEntry | undefined): Html {
  const columns = [titleOf(schema), ...schema.properties]
  const [group] = view?.groupBy ?? []
  const hidden = new Set(view?.hiddenProperties.map(({ propertyKey }) => propertyKey))
  return html`${textField(text('Name'), 'name', view?.name ?? '', html` required autofocus maxlength="${TITLE_LENGTH}"`)}
<div class="row">${selectField(text('Looks like'), 'type', calendarColumn(schema, view) ? 'calendar' : (view?.type ?? 'table'), VIEW_TYPES)}
${selectField(text('Grouped by'), 'group', group?.property ?? '', [NONE, ...choicesOf(schema.properties)])}</div>
<fieldset><legend>Only rows where</legend>${filterRows(columns, view?.filters ?? [])}</fieldset>
<fieldset><legend>Sorted by</legend>${Array.from({ length: SORTS }, (_, index) => {
    const rule = view?.sortBy[index]
    return html`<div class="row">${selectField(index === 0 ? text('Column') : text('Then'), 'sort', rule?.property ?? '', [NONE, ...choicesOf(columns)])}${selectField(
      text('Order'),
      'order',
      rule?.ascending === false ? 'down' : 'up',
      [
        { value: 'up', label: text('upward') },
        { value: 'down', label: text('downward') },
      ],
    )}</div>`
  })}</fieldset>
<fieldset><legend>Columns, and what is calculated below them</legend>${columns.map((column) => columnRow(column, !hidden.has(column.key), view?.calculations[column.key]?.type ?? ''))}</fieldset>`
}

function filterRows(columns: readonly ViewColumn[], filters: readonly FilterEntry[]): Html {
  const row = (filter: FilterEntry | undefined, index: number) => {
    const type = columns.find(({ key }) => key === filter?.property)?.type ?? 'text'
    const shown = filter && filterQuestion(filter, type)
    if (filter !== undefined && shown === undefined) {
      const name = columns.find(({ key }) => key === filter.property)?.name ?? filter.property
      return html`<label class="choice"><input type="checkbox" name="filter.kept" value="${index}" checked><span>${name}: a filter that an agent made</span></label>`
    }
    return html`<div class="row">${selectField(text('Column'), 'filter', filter?.property ?? '', [NONE, ...choicesOf(columns)])}${selectField(text('It'), 'question', shown?.question ?? 'is', QUESTIONS)}<label>This <input type="text" dir="auto" name="answer" value="${shown?.value ?? ''}" autocomplete="off" maxlength="${FILTER_TEXT_LENGTH}"></label></div>`
  }
  return html`${filters.map(row)}${Array.from({ length: MORE_FILTERS }, (_, index) => row(undefined, filters.length + index))}`
}

function columnRow({ key, name, type }: ViewColumn, isShown: boolean, calculation: string): Html {
  const offered = [...CALCULATIONS, ...OF_TYPE[type]]
  const choices = offered.some(({ value }) => value === calculation)
    ? offered
    : [...offered, { value: calculation, label: calculation.replaceAll('_', ' ') }]
  const box =
    key === 'title'
      ? html`<span class="choice">${name}</span>`
      : html`<label class="choice"><input type="checkbox" name="shown" value="${key}"${isShown && html` checked`}><span>${name}</span></label>`
  return html`<div class="column-row">${box}<select name="calculation" aria-label="Calculated for ${name}">${choices.map(
    ({ value, label }) =>
      html`<option value="${value && `${key} ${value}`}"${value === calculation && html` selected`}>${label}</option>`,
  )}</select></div>`
}

/** The date property of a calendar: by default the first one. @throws VALIDATION_ERROR */
function dayColumn({ properties }: CollectionSchema, key: string): PropertyEntry {
  const chosen = properties.find((one) => (key === '' ? one.type === 'date' : one.key === key))
  if (chosen === undefined)
    throw invalid('A calendar is by a column of dates, and there is none; add a column of dates.')
  if (chosen.type === 'date') return chosen
  const next = text('choose a date, or nothing for the first one')
  throw invalid(`A calendar is by a column of dates, and ${chosen.name} is none; ${next}.`)
}

/** The column whose values a board has as its columns: by default the first one of options. @throws VALIDATION_ERROR */
function boardColumn({ properties }: CollectionSchema, key: string): string {
  if (key !== '') return key
  const first = properties.find(({ type }) => type === 'singleSelect')
  if (first !== undefined) return first.key
  throw invalid('A board is by the options of a column, and there is no column of one of several options; add one.')
}

/**
 * Reads the submitted settings.
 *
 * @throws VALIDATION_ERROR for a question that does not apply to a column, a calendar without a date, or a board without
 *   options
 */
export function viewOf(
  form: URLSearchParams,
  schema: CollectionSchema,
  before: ViewEntry | undefined,
): ToolInput<'views_add'>['view'] {
  const columns = [titleOf(schema), ...schema.properties]
  const text = (name: string) => (form.get(name) ?? '').trim()
  const shown = new Set(form.getAll('shown'))
  const orders = form.getAll('order')
  const sortBy = form
    .getAll('sort')
    .flatMap((property, index) => (property === '' ? [] : [{ property, ascending: orders[index] !== 'down' }]))
  const [group] = before?.groupBy ?? []
  const isCalendar = text('type') === 'calendar'
  const groupBy = isCalendar
    ? dayColumn(schema, text('group')).key
    : text('type') === 'kanban'
      ? boardColumn(schema, text('group'))
      : text('group')
  const ascending = group?.property === groupBy ? group.ascending : true
  return {
    name: text('name'),
    type: isCalendar ? 'kanban' : unchecked(text('type')),
    groupBy: groupBy === '' ? [] : [{ property: groupBy, ascending }],
    filters: filtersOf(form, columns, before?.filters ?? []),
    sortBy,
    hiddenProperties: schema.properties.flatMap(({ key }) => (shown.has(key) ? [] : [key])),
    calculations: Object.fromEntries(
      form.getAll('calculation').flatMap((one) => (one === '' ? [] : [one.split(' ') as [string, Calculation]])),
    ),
  }
}

function filtersOf(
  form: URLSearchParams,
  columns: readonly ViewColumn[],
  before: readonly FilterEntry[],
): FilterEntry[] {
  const kept = form.getAll('filter.kept').flatMap((index) => before[Number(index)] ?? [])
  const [questions, answers] = [form.getAll('question'), form.getAll('answer')]
  const asked = form.getAll('filter').flatMap((key, index) => {
    const column = columns.find((one) => one.key === key)
    if (column === undefined) return []
    const question = questions[index] ?? ''
    const filter = filterOf(column, question, (answers[index] ?? '').trim())
    if (filter !== undefined) return [filter]
    const label = QUESTIONS.find(({ value }) => value === question)?.label ?? question
    throw invalid(`The column ${column.name} has no “${label}”; choose another question.`)
  })
  return [...kept, ...asked]
}
