/** Forms for the views of a collection: creating, changing, making one the default, deleting. */

import { ScriptoriumError } from '../../base/errors.ts'
import { collectionStyle } from '../collections/collection-html.ts'
import { type GivenView, viewOf } from '../collections/given-view.ts'
import { readSchema } from '../collections/read-schema.ts'
import { fieldsOfView, givenFields, type ViewFields, viewFields } from '../collections/view-fields.ts'
import { backOf, buttonForm, deleteButton, formPage, goTo, isProposed, submitForm } from '../form-page.ts'
import { html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { CollectionSchema, ViewEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'

interface ReadView {
  schema: CollectionSchema
  /** Undefined for a new view. */
  view: ViewEntry | undefined
  views: ViewEntry[]
}

const collectionId = (call: PageCall): string => call.params.id ?? ''

async function readView(call: PageCall): Promise<ReadView> {
  const schema = await readSchema(call, collectionId(call))
  const { views } = await call.run('views_list', { collectionId: collectionId(call) })
  const id = call.params.view
  const view = views.find((one) => one.id === id)
  if (id !== undefined && view === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such view.')
  return { schema, view, views }
}

export const newViewPage: Page = {
  route: 'GET /collections/:id/views/new',
  needs: ['views_add'],
  effect: 'add',
  async handle(call) {
    const read = await readView(call)
    return viewForm(call, read, fieldsOfView(read.schema, read.view))
  },
}

export const viewFormPage: Page = {
  route: 'GET /collections/:id/views/:view',
  needs: ['views_update'],
  effect: 'change',
  async handle(call) {
    const read = await readView(call)
    return viewForm(call, read, fieldsOfView(read.schema, read.view))
  },
}

/** True if a view may add the column that it needs. */
const mayAddColumns = (call: PageCall): boolean => call.has('schema_update') && call.has('batch') && call.may('change')

function viewForm(call: PageCall, { schema, view, views }: ReadView, fields: ViewFields, fault?: string): ShownPage {
  const path = `/collections/${collectionId(call)}`
  const back = backOf(call, path)
  const action = `${path}/views/${view?.id ?? 'new'}`
  return formPage(call, {
    title: view === undefined ? text('New view') : text('View “{name}”', { name: view.name }),
    action,
    fields: html`${collectionStyle(call)}${viewFields(schema, fields, { isNew: view === undefined, mayAddColumns: mayAddColumns(call) })}`,
    submit: view === undefined ? text('Make it') : text('Save'),
    back,
    fault,
    current: '/collections',
    below:
      view !== undefined &&
      html`${!view.isActive && buttonForm(call, { action: `${action}/first`, label: text('Show this view first'), back })}${
        views.length > 1 &&
        deleteButton(call, 'views_delete', { action: `${action}/delete`, label: text('Delete the view'), back: path })
      }`,
  })
}

export const addView: Page = {
  route: 'POST /collections/:id/views/new',
  needs: ['views_add'],
  async handle(call) {
    const read = await readView(call)
    const fields = givenFields(call.form, undefined)
    const [collection, path] = [collectionId(call), `/collections/${collectionId(call)}`]
    return submitForm(
      async () => {
        const given = viewOf(fields, read.schema, undefined, mayAddColumns(call))
        const known = new Set(read.views.map(({ id }) => id))
        const answer =
          given.added === undefined
            ? await call.run('views_add', { collectionId: collection, view: given.view })
            : await withColumn(call, read, given, 'views_add', { collectionId: collection, view: given.view })
        if (isProposed(answer)) return goTo(backOf(call, path), 'proposed')
        const { views } = await call.run('views_list', { collectionId: collection })
        return goTo(`${path}?view=${views.find(({ id }) => !known.has(id))?.id}`)
      },
      async (fault) => viewForm(call, read, fields, fault),
    )
  },
}

export const changeView: Page = {
  route: 'POST /collections/:id/views/:view',
  needs: ['views_update'],
  async handle(call) {
    const read = await readView(call)
    const fields = givenFields(call.form, read.view)
    return submitForm(
      async () => {
        const given = viewOf(fields, read.schema, read.view, mayAddColumns(call))
        const input = { collectionId: collectionId(call), viewId: call.params.view ?? '', view: given.view }
        const answer =
          given.added === undefined
            ? await call.run('views_update', input)
            : await withColumn(call, read, given, 'views_update', input)
        const path = backOf(call, `/collections/${collectionId(call)}`)
        return goTo(path, isProposed(answer) ? 'proposed' : 'saved')
      },
      async (fault) => viewForm(call, read, fields, fault),
    )
  },
}

/** Adds the column of a view before it, in one call, so that one undo takes both back. */
function withColumn(
  call: PageCall,
  { schema }: ReadView,
  { added }: GivenView,
  tool: 'views_add' | 'views_update',
  input: object,
) {
  const properties = [...schema.properties, ...(added === undefined ? [] : [added])]
  const column = { collectionId: collectionId(call), schema: { ...schema, properties } }
  return call.run('batch', {
    steps: [
      { tool: 'schema_update', arguments: column },
      { tool, arguments: { ...input } },
    ],
  })
}

/** Sorts the current view by a column. */
export const sortView: Page = {
  route: 'POST /collections/:id/columns/:key/sort',
  needs: ['views_update'],
  async handle(call) {
    const path = `/collections/${collectionId(call)}`
    const back = backOf(call, path)
    const asked = new URLSearchParams(back.split('?')[1] ?? '').get('view')
    const { views } = await readView(call)
    const view = views.find(({ id, isActive }) => (asked === null ? isActive : id === asked))
    if (view === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such view.')
    const sortBy = [{ property: call.params.key ?? '', ascending: call.form.get('order') !== 'down' }]
    const answer = await call.run('views_update', {
      collectionId: collectionId(call),
      viewId: view.id,
      view: { sortBy },
    })
    return goTo(back, isProposed(answer) ? 'proposed' : undefined)
  },
}

export const activateView: Page = {
  route: 'POST /collections/:id/views/:view/first',
  needs: ['views_activate'],
  async handle(call) {
    const viewId = call.params.view ?? ''
    const answer = await call.run('views_activate', { collectionId: collectionId(call), viewId })
    return goTo(`/collections/${collectionId(call)}`, isProposed(answer) ? 'proposed' : 'saved')
  },
}

export const deleteView: Page = {
  route: 'POST /collections/:id/views/:view/delete',
  needs: ['views_delete'],
  async handle(call) {
    const viewId = call.params.view ?? ''
    const answer = await call.run('views_delete', { collectionId: collectionId(call), viewId })
    return goTo(`/collections/${collectionId(call)}`, isProposed(answer) ? 'proposed' : 'saved')
  },
}
