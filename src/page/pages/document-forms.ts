/** Forms for whole documents: creating (also from a template), moving, and moving to the trash. */

import { TITLE_LENGTH } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import {
  destinationOf,
  folderChoices,
  type Place,
  placeField,
  placeOf,
  readFolders,
} from '../documents/folder-choice.ts'
import {
  backOf,
  changedTo,
  fieldOf,
  formPage,
  goTo,
  isProposed,
  selectField,
  submitForm,
  textField,
} from '../form-page.ts'
import { LOCATIONS } from '../frame/document-tree.ts'
import { html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { text } from '../texts/text.ts'

/** Maximum number of templates offered. */
const TEMPLATES_OFFERED = 100

export const newDocumentPage: Page = {
  route: 'GET /documents/new',
  needs: ['documents_add'],
  effect: 'add',
  handle: (call) =>
    newDocument(call, {
      title: '',
      place: call.query.get('folder') ?? '',
      template: call.query.get('template') ?? '',
    }),
}

interface NewDocument {
  title: string
  place: string
  template: string
}

async function newDocument(call: PageCall, chosen: NewDocument, fault?: string): Promise<ShownPage> {
  const { title, place, template } = chosen
  const { items } = await call.run('documents_list', {
    location: 'templates',
    limit: TEMPLATES_OFFERED,
  })
  const templates = items.map(({ id, title }) => ({ value: id, label: shownTitle(title) }))
  return formPage(call, {
    title: text('New document'),
    action: '/documents/new',
    fields: html`${textField(text('Title'), 'title', title, html` required autofocus maxlength="${TITLE_LENGTH}"`)}
${placeField(text('Where'), 'place', place, await placesOfNew(call))}
${templates.length > 0 && selectField(text('Begins as'), 'template', template, [{ value: '', label: text('an empty document') }, ...templates])}`,
    submit: text('Make it'),
    back: backOf(call, '/'),
    fault,
    current: '/',
  })
}

const placesOfNew = async (call: PageCall): Promise<Place[]> => [
  { value: '', label: text('Unsorted') },
  ...folderChoices(await readFolders(call)),
  { value: 'templates', label: text('Templates') },
]

export const makeDocument: Page = {
  route: 'POST /documents/new',
  needs: ['documents_add'],
  async handle(call) {
    const chosen = { title: fieldOf(call, 'title'), place: fieldOf(call, 'place'), template: fieldOf(call, 'template') }
    return submitForm(
      async () => {
        const place = placeOf(chosen.place, await placesOfNew(call))
        const answer = await call.run('documents_add', {
          documents: [{ title: chosen.title, ...(chosen.template !== '' && { templateId: chosen.template }) }],
          destination: destinationOf(place),
        })
        if (isProposed(answer)) return goTo(backOf(call, '/'), 'proposed')
        // The caret goes to the text. See edit.ts.
        return goTo(`/d/${answer.items[0]?.id}#write`)
      },
      (fault) => newDocument(call, chosen, fault),
    )
  },
}

export const moveDocumentPage: Page = {
  route: 'GET /d/:id/move',
  needs: ['documents_move'],
  effect: 'change',
  handle: (call) => moveForm(call),
}

async function moveForm(call: PageCall, fault?: string): Promise<ShownPage> {
  const id = call.params.id ?? ''
  const { items } = await call.run('documents_list', {
    documentIds: [id],
    fetchMetadata: true,
  })
  const [entry] = items
  const place = fault === undefined ? (entry?.folderId ?? entry?.location ?? 'unsorted') : fieldOf(call, 'place')
  return formPage(call, {
    title: text('Move “{shownTitle}”', { shownTitle: shownTitle(entry?.title) }),
    action: `/d/${id}/move`,
    fields: placeField(text('To|place'), 'place', place, await placesToMove(call)),
    submit: text('Move it'),
    back: backOf(call, `/d/${id}`),
    fault,
    documentId: id,
  })
}

const placesToMove = async (call: PageCall): Promise<Place[]> => [
  { value: 'unsorted', label: LOCATIONS.unsorted },
  ...folderChoices(await readFolders(call)),
  { value: 'templates', label: text('Templates: others are made from it') },
]

export const moveDocument: Page = {
  route: 'POST /d/:id/move',
  needs: ['documents_move'],
  async handle(call) {
    const id = call.params.id ?? ''
    return submitForm(
      async () => {
        const place = placeOf(fieldOf(call, 'place'), await placesToMove(call))
        const answer = await call.run('documents_move', {
          documentIds: [id],
          destination: destinationOf(place),
        })
        return changedTo(call, backOf(call, `/d/${id}`), 'document-moved', answer)
      },
      (fault) => moveForm(call, fault),
    )
  },
}

/** Adds an empty whiteboard at the end of a document. */
export const addWhiteboard: Page = {
  route: 'POST /d/:id/whiteboards',
  needs: ['whiteboards_add'],
  async handle(call) {
    const pageId = call.params.id ?? ''
    const answer = await call.run('whiteboards_add', {
      position: { position: 'end', pageId },
    })
    return isProposed(answer) ? goTo(`/d/${pageId}`, 'proposed') : goTo(`/whiteboards/${answer.whiteboardBlockId}`)
  },
}

export const newCollectionPage: Page = {
  route: 'GET /d/:id/collections/new',
  needs: ['collections_add'],
  effect: 'add',
  handle: (call) => newCollection(call, ''),
}

async function newCollection(call: PageCall, name: string, fault?: string): Promise<ShownPage> {
  const id = call.params.id ?? ''
  return formPage(call, {
    title: text('New collection'),
    action: `/d/${id}/collections/new`,
    fields: textField(text('Name'), 'name', name, html` required autofocus maxlength="${TITLE_LENGTH}"`),
    submit: text('Make it'),
    back: backOf(call, `/d/${id}`),
    fault,
    documentId: id,
  })
}

/** Adds a collection without columns at the end of a document. */
export const makeCollection: Page = {
  route: 'POST /d/:id/collections/new',
  needs: ['collections_add'],
  async handle(call) {
    const [pageId, name] = [call.params.id ?? '', fieldOf(call, 'name')]
    return submitForm(
      async () => {
        const answer = await call.run('collections_add', {
          schema: { name, properties: [] },
          position: { position: 'end', pageId },
        })
        return isProposed(answer) ? goTo(`/d/${pageId}`, 'proposed') : goTo(`/collections/${answer.collectionBlockId}`)
      },
      (fault) => newCollection(call, name, fault),
    )
  },
}

/** Locks a document against changes by agents, or unlocks it. */
export const lockDocument: Page = {
  route: 'POST /d/:id/lock',
  needs: ['documents_lock'],
  async handle(call) {
    const id = call.params.id ?? ''
    const isLocked = call.form.get('locked') === 'yes'
    await call.run('documents_lock', { documentId: id, isLocked })
    return goTo(`/d/${id}`, isLocked ? 'locked' : 'unlocked')
  },
}

/** Moves a document to the trash. The notice offers to restore it. */
export const trashDocument: Page = {
  route: 'POST /d/:id/trash',
  needs: ['documents_delete'],
  async handle(call) {
    const id = call.params.id ?? ''
    const answer = await call.run('documents_delete', { documentIds: [id] })
    const back = backOf(call, '/')
    return isProposed(answer) ? goTo(`/d/${id}`, 'proposed') : goTo(back, 'trashed', { document: id })
  },
}
