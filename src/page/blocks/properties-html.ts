/** The property values of an item, shown above its content. */

import type { JsonBlock } from '../../space/model/json-block.ts'
import { valueHtml } from '../collections/collection-values.ts'
import { readSchema } from '../collections/read-schema.ts'
import { readItemTargetTitles } from '../collections/target-titles.ts'
import { addressOf, formLink } from '../form-page.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { type PageCall, undefinedIfNotFound } from '../page-call.ts'
import { text } from '../texts/text.ts'

interface PropertiesOptions {
  /** The collection of the item. */
  collectionId: string
  /** True to link to their form. */
  isEditable: boolean
  /** The point in time that is shown; now by default. */
  at: string | undefined
}

export async function propertiesHtml(
  call: PageCall,
  { id, properties = {} }: JsonBlock,
  { collectionId, isEditable, at }: PropertiesOptions,
): Promise<Html> {
  const schema = await readSchema(call, collectionId).catch(undefinedIfNotFound)
  const shown = schema?.properties.filter(({ key }) => properties[key] !== undefined) ?? []
  const titles = await readItemTargetTitles(call, { id, properties }, shown, at)
  const form =
    isEditable &&
    schema !== undefined &&
    formLink(call, `/collections/${collectionId}/items/${id}/edit`, text('Edit values…'), { variant: 'edit-row' })
  if (shown.length === 0 && form === false) return NOTHING
  // A page whose text is being edited is not reloaded as a whole.
  const follow =
    isEditable &&
    html` hx-get="${call.request.base}${addressOf(call)}" hx-select="#properties" hx-trigger="spacechange from:body" hx-swap="outerMorph"`
  return html`<div class="properties" id="properties"${follow}><dl>${shown.map(
    (property) =>
      html`<div><dt>${property.name}</dt><dd>${valueHtml(call, property, properties[property.key], titles)}</dd></div>`,
  )}</dl>${form}</div>`
}
