/** Forms for the columns of a collection: adding, renaming, changing the type, deleting. They warn of data loss. */

import { ScriptoriumError } from '../../base/errors.ts'
import { CURRENCY_LENGTH, TITLE_LENGTH } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { hasOptions } from '../../space/model/property-traits.ts'
import { collectionStyle } from '../collections/collection-html.ts'
import { maxStars } from '../collections/collection-values.ts'
import { COLUMN_TYPES, NUMBER_FORMATS, starChoices, typeLabel } from '../collections/column-types.ts'
import { dependencyConfig, dependencyField, dependencyOf } from '../collections/dependency-field.ts'
import { readSchema } from '../collections/read-schema.ts'
import { planRetype } from '../collections/retype-column.ts'
import {
  backOf,
  type Choice,
  fieldOf,
  formPage,
  goTo,
  hiddenFields,
  isProposed,
  selectField,
  submitForm,
  textField,
  unchecked,
} from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageAnswer, ShownPage } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import type { CollectionSchema, PropertyEntry, PropertyInput } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** Maximum number of collections offered as targets of a relation. */
const COLLECTIONS_OFFERED = 100

const needs = ['schema_update'] as const

interface ColumnForm {
  name: string
  type: string
  format: string
  currency: string
  /** The most stars of a rating. */
  max: string
  target: string
  /** For a relation of the collection with itself: when the items that others wait for are done. See dependency-field.ts. */
  dependsOn: string | undefined
  /** The current names of options, in order, each with its previous name. An empty name deletes the option. */
  options: { old: string; name: string }[]
  /** One per line. */
  newOptions: string
}

const collectionId = (call: PageCall): string => call.params.id ?? ''
function columnOf({ properties }: CollectionSchema, key: string | undefined): PropertyEntry {
  const found = properties.find((one) => one.key === key)
  if (found === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such column.')
  return found
}

export const newColumnPage: Page = {
  route: 'GET /collections/:id/columns/new',
  needs,
  effect: 'change',
  handle: async (call) => columnPage(call, undefined, formOf(await readSchema(call, collectionId(call)), undefined)),
}

export const columnFormPage: Page = {
  route: 'GET /collections/:id/columns/:key',
  needs,
  effect: 'change',
  async handle(call) {
    const schema = await readSchema(call, collectionId(call))
    const column = columnOf(schema, call.params.key)
    return columnPage(call, column, formOf(schema, column, collectionId(call)))
  },
}

/** @param own  the ID of the collection */
const formOf = (schema: CollectionSchema, column: PropertyEntry | undefined, own?: string): ColumnForm => ({
  name: column?.name ?? '',
  type: column?.type ?? 'text',
  format: column?.config?.format ?? '',
  currency: column?.config?.currency ?? 'EUR',
  max: String(maxStars(column ?? {})),
  target: column?.targetCollectionId ?? '',
  dependsOn: isOwnRelation(column, own) ? dependencyOf(schema, column) : undefined,
  options: (column?.options ?? []).map(({ name }) => ({ old: name, name })),
  newOptions: '',
})

/** True for a new column as well, whose target is not chosen yet. */
const isOwnRelation = (column: PropertyEntry | undefined, own: string | undefined): boolean =>
  column === undefined || (column.type === 'relation' && column.targetCollectionId === own)

function filledIn(call: PageCall): ColumnForm {
  const old = call.form.getAll('option.old')
  const names = call.form.getAll('option')
  return {
    name: fieldOf(call, 'name'),
    type: fieldOf(call, 'type'),
    format: fieldOf(call, 'format'),
    currency: fieldOf(call, 'currency').toUpperCase(),
    max: fieldOf(call, 'max'),
    target: fieldOf(call, 'target'),
    dependsOn: call.form.get('dependsOn') ?? undefined,
    options: old.map((name, index) => ({ old: name, name: (names[index] ?? '').trim() })),
    newOptions: fieldOf(call, 'newOptions'),
  }
}

async function columnPage(
  call: PageCall,
  column: PropertyEntry | undefined,
  form: ColumnForm,
  fault?: string,
): Promise<ShownPage> {
  const path = `/collections/${collectionId(call)}`
  const back = backOf(call, path)
  return formPage(call, {
    title: column === undefined ? text('New column') : text('Column “{name}”', { name: column.name }),
    action: `${path}/columns/${column?.key ?? 'new'}`,
    fields: html`${collectionStyle(call)}${textField(text('Name'), 'name', form.name, html` required autofocus maxlength="${TITLE_LENGTH}"`)}
${selectField(text('Holds'), 'type', form.type, COLUMN_TYPES)}
<div class="row for-number">${selectField(text('Shown as'), 'format', form.format, NUMBER_FORMATS)}${textField(text('Currency'), 'currency', form.currency, html` maxlength="${CURRENCY_LENGTH}"`)}</div>
<div class="for-rating">${selectField(text('At most'), 'max', form.max, starChoices())}</div>
<div class="for-relation">${column === undefined || column.type !== 'relation' ? selectField(text('Of'), 'target', form.target, await collectionChoices(call)) : html`<input type="hidden" name="target" value="${form.target}">`}${form.dependsOn !== undefined && dependencyField(await readSchema(call, collectionId(call)), form.dependsOn)}</div>
<div class="for-options">${optionFields(form)}</div>`,
    submit: column === undefined ? text('Add it') : text('Save'),
    back,
    fault,
    current: '/collections',
    below: column !== undefined && columnActs(call, column, back),
  })
}

const optionFields = ({ options, newOptions }: ColumnForm): Html =>
  html`${
    options.length > 0 &&
    html`<fieldset><legend>Options: empty a name to remove it</legend>${options.map(
      ({ old, name }) =>
        html`<input type="hidden" name="option.old" value="${old}"><input type="text" dir="auto" name="option" value="${name}" aria-label="Option ${old}" autocomplete="off" maxlength="${TITLE_LENGTH}">`,
    )}</fieldset>`
  }<label>New options, one in a line <textarea dir="auto" name="newOptions" rows="3">${newOptions}</textarea></label>`

async function collectionChoices(call: PageCall): Promise<Choice[]> {
  const { items } = await call.run('collections_list', {
    limit: COLLECTIONS_OFFERED,
  })
  return items.map(({ id, name }) => ({
    value: id,
    label: id === collectionId(call) ? text('this collection') : shownTitle(name),
  }))
}

/** Links for sorting and deleting. */
function columnActs(call: PageCall, { key, name }: PropertyEntry, back: string): Html {
  const path = call.href(`/collections/${collectionId(call)}/columns/${key}`)
  return html`<form class="acts" method="post" action="${path}/sort">${hiddenFields(call, back)}<span class="about">Sort the view</span><button name="order" value="up">Upward</button><button name="order" value="down">Downward</button></form>
<form method="post" action="${path}/delete">${hiddenFields(call, back)}<button class="danger">Delete “${name}”…</button></form>`
}

/** The property in the format of `schema_update`. */
function propertyOf(form: ColumnForm, schema: CollectionSchema, before?: PropertyEntry): PropertyInput {
  const { name, type, format, currency, target, dependsOn } = form
  const key = before?.key
  const created = form.newOptions.split('\n').flatMap((line) => line.trim() || [])
  const kept = form.options.flatMap(({ old, name }) =>
    name === '' ? [] : [key !== undefined && name !== old ? { name, renamedFrom: old } : { name }],
  )
  return {
    ...(key !== undefined && { key }),
    name,
    type: unchecked(type),
    ...(COLUMN_TYPES.some(({ value }) => value === type) &&
      hasOptions({ type: unchecked(type) }) && { options: [...kept, ...created.map((name) => ({ name }))] }),
    ...(type === 'number' &&
      format !== '' && { config: { format: unchecked(format), ...(format === 'currency' && { currency }) } }),
    ...(type === 'rating' && form.max !== '' && { config: { max: Number(form.max) } }),
    ...(type === 'relation' && target !== '' && { targetCollectionId: target }),
    ...(type === 'relation' && dependsOn !== undefined && dependencyConfig(schema, dependsOn, before)),
  }
}

/** Options keep their colors, and those that somebody added while the form was open stay. */
function withOptionsBefore(
  property: PropertyInput,
  { options: before = [] }: Pick<PropertyEntry, 'options'>,
  form: ColumnForm,
): PropertyInput {
  if (!Array.isArray(property.options)) return property
  const options = (property.options as { name: string; renamedFrom?: string }[]).map((option) => {
    const color = before.find(({ name }) => name === (option.renamedFrom ?? option.name))?.color
    return { ...option, ...(color !== undefined && { color }) }
  })
  const named = new Set([...form.options.map(({ old }) => old), ...options.map(({ name }) => name)])
  return { ...property, options: [...options, ...before.filter(({ name }) => !named.has(name))] }
}

export const addColumn: Page = {
  route: 'POST /collections/:id/columns/new',
  needs,
  async handle(call) {
    const form = filledIn(call)
    return submitForm(
      async () => {
        const schema = await readSchema(call, collectionId(call))
        const changed = { ...schema, properties: [...schema.properties, propertyOf(form, schema)] }
        const answer = await call.run('schema_update', { collectionId: collectionId(call), schema: changed })
        return done(call, answer)
      },
      (fault) => columnPage(call, undefined, form, fault),
    )
  },
}

const done = (call: PageCall, answer: { proposal?: object }): PageAnswer =>
  goTo(backOf(call, `/collections/${collectionId(call)}`), isProposed(answer) ? 'proposed' : undefined)

/** Saves a column. If that would lose values, asks for confirmation first. */
export const changeColumn: Page = {
  route: 'POST /collections/:id/columns/:key',
  needs,
  async handle(call) {
    const schema = await readSchema(call, collectionId(call))
    const column = columnOf(schema, call.params.key)
    const form = filledIn(call)
    const isConfirmed = call.form.get('confirmed') === 'yes'
    return submitForm<PageAnswer>(
      async () => {
        const isRetyped = form.type !== column.type
        const property = withOptionsBefore(propertyOf(form, schema, isRetyped ? undefined : column), column, form)
        const properties = schema.properties.map(
          (one): PropertyInput => (one.key === column.key ? property : { ...one }),
        )
        const input = { collectionId: collectionId(call), schema: { ...schema, properties } }
        if (!isRetyped) {
          const { droppedValues = 0 } = await call.rehearse('schema_update', input)
          if (droppedValues > 0 && !isConfirmed) {
            return confirmLoss(
              call,
              text('Save “{name}”?', { name: form.name }),
              droppedValues,
              html`<p>${column.type === 'rating' ? text('They have more stars than the new maximum.') : text('They use options that you removed.')}</p>`,
            )
          }
          return done(call, await call.run('schema_update', input))
        }
        const plan = await planRetype(call, collectionId(call), {
          old: column,
          schema: { ...schema, properties },
        }).catch(explainRetype)
        if (plan.lost > 0 && !isConfirmed) {
          const about = html`<p>${plan.kept === 0 ? text('None|values') : call.formats.number(plan.kept)} of its values can be kept as “${typeLabel(form.type)}”.${
            plan.examples.length > 0 &&
            html` Among those that cannot: ${plan.examples.map((one, index) => html`${index > 0 && ', '}<q>${one}</q>`)}.`
          }</p>`
          return confirmLoss(
            call,
            text('Change “{name}” to “{typeLabel}”?', { name: column.name, typeLabel: typeLabel(form.type) }),
            plan.lost,
            about,
          )
        }
        return done(call, await call.run('batch', { steps: plan.steps }))
      },
      (fault) => columnPage(call, column, form, fault),
    )
  },
}

const explainRetype = (error: unknown): never => {
  if (error instanceof ScriptoriumError && error.code === 'FORBIDDEN') {
    throw refused(text('This link may not delete, and another type takes the place of the column with its values.'))
  }
  throw error
}

/** The same form again, with a warning about what would be lost. */
function confirmLoss(call: PageCall, title: string, lost: number, about: Html): ShownPage {
  const { request } = call
  const fields = [...call.form].filter(([name]) => name !== 'token' && name !== 'confirmed' && name !== 'back')
  const back = backOf(call, `/collections/${collectionId(call)}`)
  const values = lost === 1 ? text('1 value') : text('{lost} values', { lost: call.formats.number(lost) })
  const main = html`<div class="page"><h1>${title}</h1>
<p class="notice" role="alert">${values} would be lost. Undo brings them back.</p>
${about}
<form class="edit" method="post" action="${call.href(request.path)}">${hiddenFields(call, back)}${fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<input type="hidden" name="confirmed" value="yes">
<div class="acts"><button class="danger">Go on, and lose ${values}</button> <a class="button plain" href="${request.base}${back}" data-close>Cancel</a></div></form></div>`
  return { title, main, current: '/collections' }
}

export const deleteColumn: Page = {
  route: 'POST /collections/:id/columns/:key/delete',
  needs,
  async handle(call) {
    const schema = await readSchema(call, collectionId(call))
    const column = columnOf(schema, call.params.key)
    const properties = schema.properties.filter(({ key }) => key !== column.key)
    const input = { collectionId: collectionId(call), schema: { ...schema, properties } }
    return submitForm<PageAnswer>(
      async () => {
        const { droppedValues = 0 } = await call.rehearse('schema_update', input)
        if (droppedValues > 0 && call.form.get('confirmed') !== 'yes') {
          return confirmLoss(call, text('Delete the column “{name}”?', { name: column.name }), droppedValues, html``)
        }
        return done(call, await call.run('schema_update', input))
      },
      (fault) => columnPage(call, column, formOf(schema, column, collectionId(call)), fault),
    )
  },
}
