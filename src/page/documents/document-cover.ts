/** The picture or color above the title of a document or page. */

import { resolveReachedFile } from '../../auth/access-links/access-links.ts'
import { coverAddress, coverColor } from '../../markdown/page-cover.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { formLink } from '../form-page.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { type PageCall, undefinedIfNotFound } from '../page-call.ts'
import { text } from '../texts/text.ts'

/**
 * The cover, which says nothing that the title does not. Nothing if its file is gone, out of reach or no picture, and for
 * one on another server: no page loads anything from there.
 */
export async function coverHtml(call: PageCall, root: JsonBlock): Promise<Html> {
  const color = coverColor(root)
  if (color !== undefined) return colorHtml(color, 'page-cover')
  const file = await coverFile(call, root)
  return file === undefined ? NOTHING : html`<img class="page-cover" src="${file}" alt="">`
}

/** An area of a color. The policy of the pages does not allow style attributes. */
export const colorHtml = (color: string, name: string): Html =>
  html`<svg class="${name}" viewBox="0 0 12 2" preserveAspectRatio="none" aria-hidden="true"><rect width="12" height="2" fill="${color}"/></svg>`

/** The address at which the cover is read; undefined if there is nothing to show. */
export async function coverFile(call: PageCall, root: JsonBlock): Promise<string | undefined> {
  const file = call.links.file(coverAddress(root) ?? '')
  if (file === undefined) return undefined
  const { space, link } = call.request.caller
  const id = file.slice(file.lastIndexOf('/') + 1)
  const found = await space.read(link, (view) => resolveReachedFile(view, link, id)).catch(undefinedIfNotFound)
  return found?.mimeType.startsWith('image/') ? file : undefined
}

/** Leads to the form for the cover, for those who may change it. @param back  the page that it returns to */
export const coverLink = (call: PageCall, { id, type }: JsonBlock, back?: string): Html | false =>
  type === 'page' &&
  call.has('blocks_update') &&
  call.may('change') &&
  formLink(call, `/d/${id}/cover`, call.icon('image', text('Cover…')), {
    variant: '',
    ...(back !== undefined && { back }),
  })
