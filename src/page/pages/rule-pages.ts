/** Filters and sorting that stand in the address of a collection, and which columns its view shows. */

import { ScriptoriumError } from '../../base/errors.ts'
import { FILTER_TEXT_LENGTH } from '../../base/limits.ts'
import { addressWithRules, type ItemRules, rulesIn, rulesOfView } from '../collections/asked-rules.ts'
import { type FilterEntry, filterOf, filterQuestion, questionsOf } from '../collections/filter-questions.ts'
import { readSchema } from '../collections/read-schema.ts'
import { type RuledColumn, ruledColumns } from '../collections/rules-html.ts'
import { dayInput } from '../date-fields.ts'
import { backOf, goTo, hiddenFields, isProposed, selectField, submitForm } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageAnswer, ShownPage } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import type { CollectionSchema, ToolInput, ViewEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'

interface Ruled {
  schema: CollectionSchema
  view: ViewEntry | undefined
  /** The address of the collection, with its rules. */
  back: string
  stored: ItemRules
  rules: ItemRules
}

const pathOf = (call: PageCall): string => `/collections/${call.params.id ?? ''}`

/** The view and the rules of the address that a form came from. */
async function readRuled(call: PageCall): Promise<Ruled> {
  const collectionId = call.params.id ?? ''
  const schema = await readSchema(call, collectionId)
  const { views } = await call.run('views_list', { collectionId })
  const back = backOf(call, pathOf(call))
  const query = new URLSearchParams(back.split('?')[1])
  const asked = query.get('view')
  const view = views.find(({ id, isActive }) => (asked === null ? isActive : id === asked))
  const stored = rulesOfView(view)
  return { schema, view, back, stored, rules: { ...stored, ...rulesIn(query) } }
}

function columnOf(call: PageCall, { schema }: Ruled): RuledColumn {
  const column = ruledColumns({ schema }).find(({ key }) => key === call.params.key)
  if (column === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such column.')
  return column
}

export const filterPage: Page = {
  route: 'GET /collections/:id/filters/:key',
  async handle(call) {
    const ruled = await readRuled(call)
    const at = call.query.get('at') ?? ''
    return filterForm(call, ruled, at, at === '' ? undefined : ruled.rules.filters[Number(at)])
  },
}

function filterForm(
  call: PageCall,
  ruled: Ruled,
  at: string,
  filter: FilterEntry | undefined,
  fault?: string,
): ShownPage {
  const column = columnOf(call, ruled)
  const asked = filter && filterQuestion(filter, column.type)
  const { back } = ruled
  const main = html`<div class="page"><h1>Filter by ${column.name}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<form class="edit" method="post" action="${call.href(`${pathOf(call)}/filters/${column.key}`)}">${hiddenFields(call, back)}<input type="hidden" name="at" value="${at}">
${selectField(text('Show rows whose value'), 'question', asked?.question ?? 'is', questionsOf(column.type))}
${answerField(ruled, column, filter, asked?.value ?? '')}
<div class="acts"><button class="go" name="do" value="filter">Filter</button> <a class="button plain" href="${call.request.base}${back}" data-close>Cancel</a></div></form></div>`
  return {
    title: text('Filter by {name}', { name: column.name }),
    main,
    current: '/collections',
    ...(fault !== undefined && { status: 400, fault }),
  }
}

/** What the values are compared with: options to tick, a day, a number, or a text. */
function answerField(
  { schema }: Ruled,
  { key, type }: RuledColumn,
  filter: FilterEntry | undefined,
  value: string,
): Html | false {
  switch (type) {
    case 'singleSelect':
    case 'multiSelect': {
      const { options = [] } = schema.properties.find((one) => one.key === key) ?? {}
      const chosen = new Set(Array.isArray(filter?.filterValue) ? filter.filterValue : [])
      return html`<fieldset class="values"><legend>Options</legend>${options.map(
        ({ name }) =>
          html`<label class="choice"><input type="checkbox" name="option" value="${name}"${chosen.has(name) && html` checked`}><span>${name}</span></label>`,
      )}<label>Or a part of their names <input type="text" dir="auto" name="answer" value="${chosen.size > 0 ? '' : value}" autocomplete="off" maxlength="${FILTER_TEXT_LENGTH}"></label></fieldset>`
    }
    case 'boolean': {
      const isTicked = filter?.filterValue !== false
      return html`<fieldset class="values"><label class="choice"><input type="radio" name="answer" value="yes"${isTicked && html` checked`}><span>ticked</span></label><label class="choice"><input type="radio" name="answer" value="no"${!isTicked && html` checked`}><span>not ticked</span></label></fieldset>`
    }
    case 'date':
      return html`<label>Day ${dayInput('answer', value)}</label>`
    case 'number':
    case 'rating':
      return html`<label>Number <input type="number" name="answer" value="${value}" step="any"></label>`
    case 'relation':
    case 'blockLink':
      return false
    case 'person':
      return html`<label>Names or handles, or “me” <input type="text" dir="auto" name="answer" value="${value}" autocomplete="off" maxlength="${FILTER_TEXT_LENGTH}"></label>`
    case 'title':
    case 'text':
    case 'url':
    case 'email':
    case 'phone':
      return html`<label>Text <input type="text" dir="auto" name="answer" value="${value}" autocomplete="off" maxlength="${FILTER_TEXT_LENGTH}"></label>`
  }
}

/** Leads to the address with the filter. Nothing is stored. */
export const askFilter: Page = {
  route: 'POST /collections/:id/filters/:key',
  async handle(call) {
    const ruled = await readRuled(call)
    const column = columnOf(call, ruled)
    const [question = 'is', at = ''] = [call.form.get('question') ?? undefined, call.form.get('at') ?? undefined]
    const options = call.form.getAll('option')
    const answer = (call.form.get('answer') ?? '').trim()
    const made = filterOf(column, question, answer)
    const filter =
      made !== undefined && options.length > 0 && Array.isArray(made.filterValue)
        ? { ...made, filterValue: options }
        : made
    return submitForm<PageAnswer>(
      async () => {
        if (filter === undefined)
          throw refused(text('The column {name} has no such question; choose another one.', { name: column.name }))
        const { filters } = ruled.rules
        const place = at === '' ? filters.length : Number(at)
        const rules = { ...ruled.rules, filters: filters.toSpliced(place, 1, filter) }
        // The tool refuses a value that does not fit.
        await call.run('items_list', { collectionId: call.params.id ?? '', ...rules, maxDepth: 0, limit: 0 })
        return goTo(addressWithRules(ruled.back, rules, ruled.stored))
      },
      async (fault) => filterForm(call, ruled, at, filter, fault),
    )
  },
}

/** Stores the rules of the address in the view, for everyone who opens it. */
export const saveRules: Page = {
  route: 'POST /collections/:id/rules',
  needs: ['views_update'],
  async handle(call) {
    const { view, back, stored, rules } = await readRuled(call)
    const answer = await writeView(call, view, rules)
    return goTo(addressWithRules(back, stored, stored), isProposed(answer) ? 'proposed' : 'saved')
  },
}

/** Shows the chosen columns, and hides all others. */
export const showColumns: Page = {
  route: 'POST /collections/:id/columns',
  needs: ['views_update'],
  async handle(call) {
    const { view, back, schema } = await readRuled(call)
    const shown = new Set(call.form.getAll('shown'))
    const hiddenProperties = schema.properties.flatMap(({ key }) => (shown.has(key) ? [] : [key]))
    const answer = await writeView(call, view, { hiddenProperties })
    return goTo(back, isProposed(answer) ? 'proposed' : undefined)
  },
}

/** Hides one column. */
export const hideColumn: Page = {
  route: 'POST /collections/:id/columns/:key/hide',
  needs: ['views_update'],
  async handle(call) {
    const collectionId = call.params.id ?? ''
    const { views } = await call.run('views_list', { collectionId })
    const view = views.find(({ id }) => id === call.form.get('view'))
    const hidden = (view?.hiddenProperties ?? []).flatMap(({ propertyKey }) => propertyKey ?? [])
    const answer = await writeView(call, view, { hiddenProperties: [...hidden, call.params.key ?? ''] })
    return goTo(backOf(call, pathOf(call)), isProposed(answer) ? 'proposed' : undefined)
  },
}

/** Changes a view. A collection without one gets its first. */
function writeView(
  call: PageCall,
  view: ViewEntry | undefined,
  settings: Omit<ToolInput<'views_add'>['view'], 'name' | 'type'>,
): Promise<{ proposal?: object }> {
  const collectionId = call.params.id ?? ''
  if (view !== undefined) return call.run('views_update', { collectionId, viewId: view.id, view: settings })
  return call.run('views_add', { collectionId, view: { name: text('Table'), type: 'table', ...settings } })
}
