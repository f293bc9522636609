/** Changes several rows of a collection at once: one of their values, or they are deleted. */

import { ScriptoriumError } from '../../base/errors.ts'
import { readSchema } from '../collections/read-schema.ts'
import { readValue, valueField } from '../collections/value-fields.ts'
import { backOf, defaultButton, goTo, hiddenFields, isProposed, selectField, submitForm } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageAnswer, ShownPage } from '../page-declaration.ts'
import type { PropertyEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'

const pathOf = (call: PageCall): string => `/collections/${call.params.id ?? ''}`

const countOf = (call: PageCall, ids: readonly string[]): string =>
  ids.length === 1 ? text('1 row') : text('{length} rows', { length: call.formats.number(ids.length) })

const itemFields = (ids: readonly string[]): Html =>
  html`${ids.map((id) => html`<input type="hidden" name="item" value="${id}">`)}`

export const selectedItemsPage: Page = {
  route: 'GET /collections/:id/items/selected',
  needs: ['items_update'],
  effect: 'change',
  handle: (call) => selectedForm(call, call.query.getAll('item'), call.query.get('key') ?? ''),
}

async function selectedForm(call: PageCall, ids: readonly string[], key: string, fault?: string): Promise<ShownPage> {
  const { properties } = await readSchema(call, call.params.id ?? '')
  const property = properties.find((one) => one.key === key) ?? properties[0]
  const path = `${pathOf(call)}/items/selected`
  const back = backOf(call, pathOf(call))
  const title = countOf(call, ids)
  const main = html`<div class="page"><h1>${title}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
${ids.length === 0 && html`<p class="empty">Select rows by the boxes before their titles.</p>`}
${ids.length > 0 && property !== undefined && (await valueForms(call, ids, property, { properties, path, back }))}
${
  ids.length > 0 &&
  call.has('items_delete') &&
  call.may('delete') &&
  html`<div class="apart"><form method="post" action="${call.href(`${path}/delete`)}">${hiddenFields(call, back)}${itemFields(ids)}<button class="danger">Delete ${title}</button></form></div>`
}</div>`
  return { title, main, current: '/collections', ...(fault !== undefined && { status: 400, fault }) }
}

/** Two forms: one chooses the column, the other has the field for its value. */
async function valueForms(
  call: PageCall,
  ids: readonly string[],
  property: PropertyEntry,
  { properties, path, back }: { properties: readonly PropertyEntry[]; path: string; back: string },
): Promise<Html> {
  const choices = properties.map(({ key, name }) => ({ value: key, label: name }))
  return html`<form class="edit" method="get" action="${call.href(path)}" data-chooses><input type="hidden" name="back" value="${back}">${itemFields(ids)}<div class="row">${selectField(text('Column'), 'key', property.key, choices)}</div><button>Choose the column</button></form>
<form class="edit" method="post" action="${call.href(path)}">${hiddenFields(call, back)}${defaultButton()}${itemFields(ids)}<input type="hidden" name="key" value="${property.key}">${await valueField(call, property, null, true)}
<div class="acts"><button class="go">Set for ${countOf(call, ids)}</button> <a class="button plain" href="${call.request.base}${back}" data-close>Cancel</a></div></form>`
}

export const changeSelectedItems: Page = {
  route: 'POST /collections/:id/items/selected',
  needs: ['items_update'],
  async handle(call) {
    const collectionId = call.params.id ?? ''
    const { properties } = await readSchema(call, collectionId)
    const [ids, key] = [call.form.getAll('item'), call.form.get('key') ?? '']
    const property = properties.find((one) => one.key === key)
    if (property === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such column.')
    if (call.form.get('do') === 'search') return selectedForm(call, ids, key)
    return submitForm<PageAnswer>(
      async () => {
        const value = readValue(call.form, property)
        const itemsToUpdate = ids.map((id) => ({ id, properties: { [key]: value ?? null } }))
        const answer = await call.run('items_update', { collectionId, itemsToUpdate, allowNewSelectOptions: true })
        return goTo(backOf(call, pathOf(call)), isProposed(answer) ? 'proposed' : undefined)
      },
      (fault) => selectedForm(call, ids, key, fault),
    )
  },
}

export const deleteSelectedItems: Page = {
  route: 'POST /collections/:id/items/selected/delete',
  needs: ['items_delete'],
  async handle(call) {
    const idsToDelete = call.form.getAll('item')
    const answer = await call.run('items_delete', { collectionId: call.params.id ?? '', idsToDelete })
    const back = backOf(call, pathOf(call))
    if (isProposed(answer)) return goTo(back, 'proposed')
    return goTo(back, 'rows-deleted', call.lastChange === undefined ? {} : { call: call.lastChange })
  },
}
