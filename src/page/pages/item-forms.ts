/** Forms for the items of a collection: adding one, changing all of its values or a single one, and deleting it. */

import { ScriptoriumError } from '../../base/errors.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { readSchema } from '../collections/read-schema.ts'
import {
  changedValues,
  type ItemValues,
  normalizeValue,
  oldValue,
  readValue,
  valueField,
} from '../collections/value-fields.ts'
import { backOf, changedTo, deleteButton, fieldOf, formPage, goTo, isProposed, submitForm } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import { type ChangedText, reopenedText, textToWrite } from '../opened-values.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { CollectionSchema, ItemEntry, PropertyEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { isWithin } from './inner-page-forms.ts'

const collectionPath = (call: PageCall): string => `/collections/${call.params.id ?? ''}`

/** A form of an item. `old` contains the stored values, `values` those in the form. */
interface ItemForm {
  title: string
  values: ItemValues
  old?: { title: string; values: ItemValues }
}

export const newItemPage: Page = {
  route: 'GET /collections/:id/items/new',
  needs: ['items_add'],
  effect: 'add',
  async handle(call) {
    const schema = await readSchema(call, call.params.id ?? '')
    return newItem(call, schema, { title: '', values: presetValues(call.query, schema.properties) })
  },
}

/** Values in an address, by the names of their fields: `v.status=asked`. */
function presetValues(query: URLSearchParams, properties: readonly PropertyEntry[]): ItemValues {
  return Object.fromEntries(
    properties.flatMap((property) => {
      const name = `v.${property.key}`
      const given = query.getAll(name)
      // A box that is not ticked has no value in a form.
      if (given.length === 0 || (property.type === 'boolean' && given[0] === 'false')) return []
      const form = new URLSearchParams({ has: property.key })
      for (const value of given) form.append(name, value)
      return [[property.key, readValue(form, property)]]
    }),
  )
}

async function newItem(
  call: PageCall,
  { properties, contentPropDetails }: CollectionSchema,
  form: ItemForm,
  fault?: string,
): Promise<ShownPage> {
  return formPage(call, {
    title: text('New row'),
    action: `${collectionPath(call)}/items/new`,
    fields: html`${titleField(contentPropDetails.name, form.title)}${await valueFields(call, properties, form)}`,
    submit: text('Add it'),
    back: backOf(call, collectionPath(call)),
    fault,
    current: '/collections',
  })
}

const titleField = (name: string, title: string): Html =>
  html`<label>${name} <input type="text" dir="auto" name="title" value="${title}" autocomplete="off" maxlength="${TITLE_LENGTH}" autofocus></label>
`

async function valueFields(
  call: PageCall,
  properties: readonly PropertyEntry[],
  { values, old }: ItemForm,
  focusesFirst = false,
): Promise<Html> {
  const fields: Html[] = []
  for (const [index, property] of properties.entries()) {
    const value = normalizeValue(property, values[property.key])
    fields.push(await valueField(call, property, value, focusesFirst && index === 0))
    if (old !== undefined) fields.push(oldValue(property.key, normalizeValue(property, old.values[property.key])))
  }
  return html`${fields}`
}

/** The submitted values. */
const filledIn = (call: PageCall, properties: readonly PropertyEntry[]): ItemValues =>
  Object.fromEntries(properties.map((property) => [property.key, readValue(call.form, property)]))

export const addItem: Page = {
  route: 'POST /collections/:id/items/new',
  needs: ['items_add'],
  async handle(call) {
    const schema = await readSchema(call, call.params.id ?? '')
    const title = fieldOf(call, 'title')
    const values = filledIn(call, schema.properties)
    const form = { title, values }
    if (call.form.get('do') === 'search') return newItem(call, schema, form)
    return submitForm(
      async () => {
        const properties = changedValues(call.form, schema.properties)
        const answer = await call.run('items_add', {
          collectionId: call.params.id ?? '',
          items: [{ title, properties }],
          allowNewSelectOptions: true,
        })
        const back = backOf(call, collectionPath(call))
        if (isProposed(answer)) return goTo(back, 'proposed')
        // The field in place of the form looks for the row among those that are shown.
        return call.form.has('in-place') ? goTo(back, 'row-added', { row: answer.items[0]?.id ?? '' }) : goTo(back)
      },
      (fault) => newItem(call, schema, form, fault),
    )
  },
}

/** The item, and the properties in the form: all, or the named one. `title` is the title alone. */
async function readItem(
  call: PageCall,
  key: string,
): Promise<{ item: ItemEntry; about: PropertyEntry[]; schema: CollectionSchema }> {
  const schema = await readSchema(call, call.params.id ?? '')
  const id = call.params.item ?? ''
  const item = await call.run('blocks_get', { id, maxDepth: 0 })
  const title = typeof item.title === 'string' ? item.title : (item.title as { value: string }).value
  const about = key === '' ? schema.properties : schema.properties.filter((one) => one.key === key)
  if (about.length === 0 && key !== '' && key !== 'title') {
    throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such column.')
  }
  return { item: { ...item, title, properties: item.properties ?? {} }, about, schema }
}

export const editItemPage: Page = {
  route: 'GET /collections/:id/items/:item/edit',
  needs: ['items_update'],
  effect: 'change',
  async handle(call) {
    const key = call.query.get('key') ?? ''
    const { item, about, schema } = await readItem(call, key)
    const { title, properties: values } = item
    return editItem(call, schema, { about, key, item }, { title, values, old: { title, values } })
  },
}

interface EditedItem {
  about: readonly PropertyEntry[]
  /** The only column in the form; empty for all. */
  key: string
  item: ItemEntry
}

async function editItem(
  call: PageCall,
  { contentPropDetails }: CollectionSchema,
  { about, key, item }: EditedItem,
  form: ItemForm,
  fault?: string,
): Promise<ShownPage> {
  const back = backOf(call, collectionPath(call))
  const path = `${collectionPath(call)}/items/${item.id}`
  const hasTitle = key === '' || key === 'title'
  return formPage(call, {
    title: shownTitle(item.title),
    action: `${path}/edit`,
    fields: html`<input type="hidden" name="key" value="${key}">${
      hasTitle && html`${titleField(contentPropDetails.name, form.title)}${oldValue('title', form.old?.title)}`
    }${await valueFields(call, about, form, !hasTitle)}`,
    submit: text('Save'),
    back,
    fault,
    current: '/collections',
    below:
      key === '' &&
      deleteButton(call, 'items_delete', { action: `${path}/delete`, label: text('Delete the row'), back }),
  })
}

export const changeItem: Page = {
  route: 'POST /collections/:id/items/:item/edit',
  needs: ['items_update'],
  async handle(call) {
    const key = fieldOf(call, 'key')
    const { item, about, schema } = await readItem(call, key)
    const values = filledIn(call, about)
    const title = call.form.has('title') ? fieldOf(call, 'title') : item.title
    const form: ItemForm = { title, values, old: oldOf(call, about) }
    if (call.form.get('do') === 'search') return editItem(call, schema, { about, key, item }, form)
    const texts = changedTexts(call, { about, key, item }, form)
    return submitForm(
      async () => {
        const change = changeOf(call, about, texts)
        if (Object.keys(change).length === 0) return goTo(backOf(call, collectionPath(call)))
        const answer = await call.run('items_update', {
          collectionId: call.params.id ?? '',
          itemsToUpdate: [{ id: item.id, ...change }],
          allowNewSelectOptions: true,
        })
        return goTo(backOf(call, collectionPath(call)), isProposed(answer) ? 'proposed' : undefined)
      },
      (fault) => editItem(call, schema, { about, key, item }, { ...form, old: reopened(form, texts) }, fault),
    )
  },
}

/** The texts of the form, by the keys of their columns. */
function changedTexts(call: PageCall, { about, item }: EditedItem, form: ItemForm): Map<string, ChangedText> {
  const texts = new Map<string, ChangedText>()
  const add = (key: string, opened: unknown, typed: unknown, now: unknown) => {
    const isText = [opened, typed, now].every((value) => typeof value === 'string')
    if (isText) texts.set(key, { opened, typed, now } as ChangedText)
  }
  if (call.form.has('title')) add('title', form.old?.title, form.title, item.title)
  for (const { key, type } of about) {
    if (type === 'text') add(key, form.old?.values[key], form.values[key], item.properties?.[key])
  }
  return texts
}

/** What the person changed. A text that others changed, too, is merged, and written only if it is still the same. */
function changeOf(call: PageCall, about: readonly PropertyEntry[], texts: ReadonlyMap<string, ChangedText>) {
  const properties: Record<string, unknown> = { ...changedValues(call.form, about) }
  const change: { title?: string; expected?: Record<string, string>; properties?: ItemValues } = {}
  for (const [key, text] of texts) {
    const written = textToWrite(text)
    if (written === undefined) delete properties[key]
    else {
      change.expected = { ...change.expected, [key]: text.now }
      if (key === 'title') change.title = written
      else properties[key] = written
    }
  }
  return Object.keys(properties).length === 0 ? change : { ...change, properties }
}

/** What a refused form is opened with again. */
function reopened({ old = { title: '', values: {} } }: ItemForm, texts: ReadonlyMap<string, ChangedText>) {
  const values = Object.fromEntries([...texts].map(([key, text]) => [key, reopenedText(text)]))
  const { title = old.title, ...others } = values
  return { title, values: { ...old.values, ...others } }
}

/** The stored values that the form was built from. */
function oldOf(call: PageCall, properties: readonly PropertyEntry[]): { title: string; values: ItemValues } {
  const old = (key: string): unknown => {
    try {
      return JSON.parse(call.form.get(`old.${key}`) ?? 'null')
    } catch {
      return null
    }
  }
  const values = Object.fromEntries(properties.map(({ key }) => [key, old(key)]))
  return { title: String(old('title') ?? ''), values }
}

/** Ticks or clears a checkbox of an item. The field is `item key true`. */
export const tickItem: Page = {
  route: 'POST /collections/:id/boxes',
  needs: ['items_update'],
  async handle(call) {
    const [id = '', key = '', state = ''] = fieldOf(call, 'box').split(' ')
    const answer = await call.run('items_update', {
      collectionId: call.params.id ?? '',
      itemsToUpdate: [{ id, properties: { [key]: state === 'true' } }],
    })
    return goTo(backOf(call, collectionPath(call)), isProposed(answer) ? 'proposed' : undefined)
  },
}

/** Returns to where it was deleted, unless that was on the row. The notice offers to take it back. */
export const deleteItem: Page = {
  route: 'POST /collections/:id/items/:item/delete',
  needs: ['items_delete'],
  async handle(call) {
    const item = call.params.item ?? ''
    const back = backOf(call, collectionPath(call))
    const isGone = await isWithin(call, back, item)
    const answer = await call.run('items_delete', { collectionId: call.params.id ?? '', idsToDelete: [item] })
    return changedTo(call, isGone ? collectionPath(call) : back, 'row-deleted', answer)
  },
}

/** Ends the lease of an item, so that others can claim it. */
export const endItemClaim: Page = {
  route: 'POST /collections/:id/items/:item/take-back',
  needs: ['items_claim'],
  async handle(call) {
    const fence = Number(call.form.get('fence'))
    await call.run('items_claim', { release: [{ id: call.params.item ?? '', fence }] })
    return goTo(backOf(call, collectionPath(call)), 'taken-back')
  },
}
