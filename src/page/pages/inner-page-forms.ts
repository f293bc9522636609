/** Moves a page within a document to another document, and deletes it. */

import { shorten } from '../../base/shorten.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { titleOf } from '../blocks/block-writer.ts'
import { type Place, placeField, placeOf } from '../documents/folder-choice.ts'
import { backOf, changedTo, fieldOf, formPage, submitForm } from '../form-page.ts'
import { html } from '../html.ts'
import { type PageCall, undefinedIfNotFound } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import { text } from '../texts/text.ts'

/** Documents that are offered, those that were changed last first, and characters of each title. */
const DOCUMENTS_OFFERED = 1_000
const TITLE_OFFERED = 120

export const movePageForm: Page = {
  route: 'GET /d/:id/move-page',
  needs: ['blocks_move', 'documents_list'],
  effect: 'change',
  handle: async (call) => moveForm(call, await readInnerPage(call)),
}

export const movePage: Page = {
  route: 'POST /d/:id/move-page',
  needs: ['blocks_move', 'documents_list'],
  async handle(call) {
    const page = await readInnerPage(call)
    return submitForm(
      async () => {
        const { places } = await documentsFor(call, page)
        const pageId = placeOf(fieldOf(call, 'place'), places, 'document')
        const answer = await call.run('blocks_move', { blockIds: [page.id], position: { position: 'end', pageId } })
        return changedTo(call, backOf(call, `/d/${page.id}`), 'document-moved', answer)
      },
      (fault) => moveForm(call, page, fault),
    )
  },
}

async function moveForm(call: PageCall, page: JsonBlock, fault?: string): Promise<ShownPage> {
  const { places, isPart } = await documentsFor(call, page)
  const count = call.formats.number(DOCUMENTS_OFFERED)
  return formPage(call, {
    title: text('Move “{shownTitle}”', { shownTitle: shownTitle(titleOf(page).value) }),
    action: `/d/${page.id}/move-page`,
    fields: html`${placeField(text('To the end of'), 'place', fieldOf(call, 'place'), places)}
${isPart && html`<p class="about">${text('These are the {count} documents that were changed last. Another one is offered once it is changed.', { count })}</p>`}`,
    submit: text('Move it'),
    back: backOf(call, `/d/${page.id}`),
    fault,
  })
}

/** The documents but the one that has the page already. */
async function documentsFor(
  call: PageCall,
  { pageBlockPath }: JsonBlock,
): Promise<{ places: Place[]; isPart: boolean }> {
  const around = pageBlockPath?.at(-1)?.id
  const { items, pagination } = await call.run('documents_list', { orderBy: 'modified', limit: DOCUMENTS_OFFERED })
  const places = items
    .filter(({ id, isDeleted }) => !isDeleted && id !== around)
    .map(({ id, title }) => ({ value: id, label: shorten(shownTitle(title), TITLE_OFFERED) }))
  return { places, isPart: pagination !== undefined }
}

/** Deletes a page with what is in it. The notice offers to take it back. */
export const deletePage: Page = {
  route: 'POST /d/:id/delete',
  needs: ['blocks_delete'],
  async handle(call) {
    const { id, pageBlockPath = [] } = await readInnerPage(call)
    const around = `/d/${pageBlockPath.at(-1)?.id}`
    const back = backOf(call, around)
    const isGone = await isWithin(call, back, id)
    const answer = await call.run('blocks_delete', { blockIds: [id] })
    return changedTo(call, isGone ? around : back, 'page-deleted', answer)
  },
}

/** True if an address shows the page or row, or a page within it. */
export async function isWithin(call: PageCall, address: string, id: string): Promise<boolean> {
  const [, shown] = /^\/d\/(\d{12})/.exec(address) ?? []
  if (shown === undefined || shown === id) return shown === id
  const block = await call.run('blocks_get', { id: shown, maxDepth: 0, fetchMetadata: true }).catch(undefinedIfNotFound)
  return block?.pageBlockPath?.some((page) => page.id === id) ?? false
}

/** @throws NOT_FOUND_ERROR, VALIDATION_ERROR for what is no page within a document */
async function readInnerPage(call: PageCall): Promise<JsonBlock> {
  const id = call.params.id ?? ''
  const block = await call.run('blocks_get', { id, maxDepth: 0, fetchMetadata: true })
  if (block.type === 'page' && (block.pageBlockPath ?? []).length > 0) return block
  throw refused(text('Expected a page within a document, found something else; whole documents have their own menu.'))
}
