/** Forms for the views of a collection: creating, changing, making one the default, deleting. */

import { ScriptoriumError } from '../../base/errors.ts'
import { collectionStyle } from '../collections/collection-html.ts'
import { readSchema } from '../collections/read-schema.ts'
import { viewFields, viewOf } from '../collections/view-fields.ts'
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
    return viewForm(call, await readView(call))
  },
}

export const viewFormPage: Page = {
  route: 'GET /collections/:id/views/:view',
  needs: ['views_update'],
  effect: 'change',
  async handle(call) {
    return viewForm(call, await readView(call))
  },
}

function viewForm(call: PageCall, { schema, view, views }: ReadView, fault?: string): ShownPage {
  const path = `/collections/${collectionId(call)}`
  const back = backOf(call, path)
  const action = `${path}/views/${view?.id ?? 'new'}`
  return formPage(call, {
    title: view === undefined ? text('New view') : text('View “{name}”', { name: view.name }),
    action,
    fields: html`${collectionStyle(call)}${viewFields(schema, view)}`,
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
    return submitForm(
      async () => {
        const view = viewOf(call.form, read.schema, undefined)
        const answer = await call.run('views_add', { collectionId: collectionId(call), view })
        if (isProposed(answer)) return goTo(backOf(call, `/collections/${collectionId(call)}`), 'proposed')
        return goTo(`/collections/${collectionId(call)}?view=${answer.id}`)
      },
      async (fault) => viewForm(call, withFilled(call, read), fault),
    )
  },
}

export const changeView: Page = {
  route: 'POST /collections/:id/views/:view',
  needs: ['views_update'],
  async handle(call) {
    const read = await readView(call)
    return submitForm(
      async () => {
        const view = viewOf(call.form, read.schema, read.view)
        const answer = await call.run('views_update', {
          collectionId: collectionId(call),
          viewId: call.params.view ?? '',
          view,
        })
        const path = backOf(call, `/collections/${collectionId(call)}`)
        return goTo(path, isProposed(answer) ? 'proposed' : 'saved')
      },
      async (fault) => viewForm(call, withFilled(call, read), fault),
    )
  },
}

/** The form that is shown again keeps the submitted values. */
function withFilled(call: PageCall, read: ReadView): ReadView {
  const name = (call.form.get('name') ?? '').trim()
  return read.view === undefined ? read : { ...read, view: { ...read.view, name } }
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
