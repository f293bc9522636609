/** What the form of a view asks for: the view, in the format of `views_add` and `views_update`, and a column that it needs. */

import { unchecked } from '../form-page.ts'
import { refused } from '../page-refusal.ts'
import type { CollectionSchema, PropertyInput, ToolInput, ViewEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { type FilterEntry, filterOf, QUESTIONS } from './filter-questions.ts'
import { VIEW_KINDS, type ViewFields, viewColumns } from './view-fields.ts'

export interface GivenView {
  view: ToolInput<'views_add'>['view']
  /** A column that the collection gets with the view. */
  added?: PropertyInput
}

/**
 * Reads the submitted settings.
 *
 * @param mayAdd  true if a board or a calendar may add the column that it needs
 * @throws VALIDATION_ERROR for a question that does not apply to a column, a calendar without a date, or a board without
 *   options
 */
export function viewOf(
  fields: ViewFields,
  schema: CollectionSchema,
  before: ViewEntry | undefined,
  mayAdd: boolean,
): GivenView {
  const { kind, sorts, shown, calculations } = fields
  const isCalendar = kind === 'calendar'
  const { key, added } = groupOf(fields, schema, mayAdd)
  const [group] = before?.groupBy ?? []
  const ascending = group?.property === key ? group.ascending : true
  const label = VIEW_KINDS.find(({ value }) => value === kind)?.label ?? ''
  const view = {
    name: fields.name || String(label),
    type: unchecked<'table'>(isCalendar ? 'kanban' : kind),
    groupBy: key === '' ? [] : [{ property: key, ascending }],
    filters: filtersOf(fields, schema, before?.filters ?? []),
    sortBy: sorts.map(({ property, order }) => ({ property, ascending: order !== 'down' })),
    hiddenProperties: schema.properties.flatMap((one) => (shown.has(one.key) ? [] : [one.key])),
    calculations: Object.fromEntries(calculations) as NonNullable<ToolInput<'views_add'>['view']['calculations']>,
  }
  return added === undefined ? { view } : { view, added }
}

interface GivenGroup {
  /** The key of a column; for an added one, its name. Empty for none. */
  key: string
  added?: PropertyInput
}

/** The column by which a view groups. A board and a calendar need one: by default the first that fits, or a new one. */
function groupOf(fields: ViewFields, schema: CollectionSchema, mayAdd: boolean): GivenGroup {
  const { kind, columns, days, group } = fields
  if (kind === 'calendar') return dayColumn(schema, days, mayAdd)
  if (kind === 'kanban') return boardColumn(schema, columns, mayAdd)
  return { key: group }
}

function dayColumn(schema: CollectionSchema, key: string, mayAdd: boolean): GivenGroup {
  const { properties } = schema
  const chosen = properties.find((one) => (key === '' ? one.type === 'date' : one.key === key))
  if (chosen === undefined) {
    if (mayAdd && key === '') return newColumn(schema, { name: text('Date'), type: 'date' })
    throw refused(text('A calendar is by a column of dates, and there is none; add a column of dates.'))
  }
  if (chosen.type === 'date') return { key: chosen.key }
  throw refused(
    text('A calendar is by a column of dates, and {name} is none; choose a date, or nothing for the first one.', {
      name: chosen.name,
    }),
  )
}

function boardColumn(schema: CollectionSchema, key: string, mayAdd: boolean): GivenGroup {
  if (key !== '') return { key }
  const first = schema.properties.find(({ type }) => type === 'singleSelect')
  if (first !== undefined) return { key: first.key }
  if (!mayAdd)
    throw refused(
      text('A board is by the options of a column, and there is no column of one of several options; add one.'),
    )
  const options = [text('To do'), text('In progress'), text('Done')].map((name) => ({ name }))
  return newColumn(schema, { name: text('Status'), type: 'singleSelect', options })
}

/** A column whose name no other one has. */
function newColumn({ properties }: CollectionSchema, column: PropertyInput): GivenGroup {
  const isTaken = (name: string) => properties.some((one) => one.name.toLowerCase() === name.toLowerCase())
  let name = column.name ?? ''
  for (let n = 2; isTaken(name); n++) name = `${column.name} ${n}`
  return { key: name, added: { ...column, name } }
}

function filtersOf({ filters }: ViewFields, schema: CollectionSchema, before: readonly FilterEntry[]): FilterEntry[] {
  const columns = viewColumns(schema)
  return filters.flatMap((asked) => {
    if ('kept' in asked) return before[asked.kept] ?? []
    const column = columns.find(({ key }) => key === asked.column)
    if (column === undefined) return []
    const filter = filterOf(column, asked.question, asked.answer)
    if (filter !== undefined) return filter
    const label = QUESTIONS.find(({ value }) => value === asked.question)?.label ?? asked.question
    throw refused(
      text('The column {name} has no “{question}”; choose another question.', {
        name: column.name,
        question: `${label}`,
      }),
    )
  })
}
