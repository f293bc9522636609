/** The property values of an item, shown above its content. */
import type { CollectionSchema } from '../collections/collection-entries.ts'
import { valueHtml } from '../collections/collection-values.ts'
import { addressOf, formLink } from '../form-page.ts'
import { type Html, html, NOTHING } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { JsonBlock } from './json-block.ts'

/**
 * @param collectionId  the collection of the item
 * @param isEditable  true to link to their form
 */
export async function propertiesHtml(
  call: PageCall,
  { id, properties = {} }: JsonBlock,
  collectionId: string,
  isEditable: boolean,
): Promise<Html> {
  const schema = await call.find<CollectionSchema>('schema_get', { collectionId, format: 'schema' })
  const shown = schema?.properties.filter(({ key }) => properties[key] !== undefined) ?? []
  const form =
    isEditable &&
    schema !== undefined &&
    formLink(call, `/collections/${collectionId}/items/${id}/edit`, 'Edit values…', { look: 'edit-row' })
  if (shown.length === 0 && form === false) return NOTHING
  // A page whose text is being edited is not reloaded as a whole.
  const follow =
    isEditable &&
    html` hx-get="${call.request.base}${addressOf(call)}" hx-select="#properties" hx-trigger="spacechange from:body" hx-swap="outerMorph"`
  return html`<div class="properties" id="properties"${follow}><dl>${shown.map(
    (property) =>
      html`<div><dt>${property.name}</dt><dd>${valueHtml(call, property, properties[property.key])}</dd></div>`,
  )}</dl>${form}</div>`
}
