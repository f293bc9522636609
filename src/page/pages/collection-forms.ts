/** Forms for a whole collection: renaming it and its title column, and deleting it. */

import { TITLE_LENGTH } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { readSchema } from '../collections/read-schema.ts'
import {
  backOf,
  changedTo,
  deleteButton,
  fieldOf,
  formPage,
  goTo,
  isProposed,
  submitForm,
  textField,
} from '../form-page.ts'
import { html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { CollectionSchema } from '../page-tools.ts'
import { text } from '../texts/text.ts'

const needs = ['schema_update'] as const

const pathOf = (call: PageCall): string => `/collections/${call.params.id ?? ''}`

interface Names {
  name: string
  /** The name of the title column. */
  titles: string
}

async function readCollectionNames(call: PageCall): Promise<{ schema: CollectionSchema; names: Names }> {
  const schema = await readSchema(call, call.params.id ?? '')
  return { schema, names: { name: schema.name, titles: schema.contentPropDetails.name } }
}

export const editCollectionPage: Page = {
  route: 'GET /collections/:id/edit',
  needs,
  effect: 'change',
  async handle(call) {
    const { names } = await readCollectionNames(call)
    return editCollection(call, names, names)
  },
}

function editCollection(call: PageCall, before: Names, { name, titles }: Names, fault?: string): ShownPage {
  const action = `${pathOf(call)}/edit`
  const back = backOf(call, pathOf(call))
  const deletion = deleteButton(call, 'blocks_delete', {
    action: `${pathOf(call)}/delete`,
    label: text('Delete the collection'),
    back,
  })
  return formPage(call, {
    title: text('Collection “{name}”', { name: shownTitle(before.name) }),
    action,
    fields: html`${textField(text('Name'), 'name', name, html` required autofocus maxlength="${TITLE_LENGTH}"`)}
${textField(text('Title column'), 'titles', titles, html` required maxlength="${TITLE_LENGTH}"`)}`,
    submit: text('Save'),
    back,
    fault,
    current: '/collections',
    below:
      deletion !== false &&
      html`<p class="about">Its rows and their texts go with it. Undo brings them back.</p>${deletion}`,
  })
}

export const changeCollection: Page = {
  route: 'POST /collections/:id/edit',
  needs,
  async handle(call) {
    const { schema, names } = await readCollectionNames(call)
    const wanted = { name: fieldOf(call, 'name'), titles: fieldOf(call, 'titles') }
    return submitForm(
      async () => {
        const contentPropDetails = { ...schema.contentPropDetails, name: wanted.titles }
        const changed = { ...schema, name: wanted.name, contentPropDetails }
        const answer = await call.run('schema_update', { collectionId: call.params.id ?? '', schema: changed })
        return goTo(backOf(call, pathOf(call)), isProposed(answer) ? 'proposed' : 'saved')
      },
      async (fault) => editCollection(call, names, wanted, fault),
    )
  },
}

/** Returns to the page that contained it. */
export const deleteCollection: Page = {
  route: 'POST /collections/:id/delete',
  needs: ['blocks_delete'],
  async handle(call) {
    const id = call.params.id ?? ''
    const { pageBlockPath = [] } = await call.run('blocks_get', {
      id,
      maxDepth: 0,
      fetchMetadata: true,
    })
    const answer = await call.run('blocks_delete', { blockIds: [id] })
    if (isProposed(answer)) return goTo(pathOf(call), 'proposed')
    const page = pageBlockPath.at(-1)
    return changedTo(call, page === undefined ? '/collections' : `/d/${page.id}`, 'collection-deleted', answer)
  },
}
