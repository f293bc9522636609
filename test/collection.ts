/** Collections for tests. */
import type { Answer, Connected } from './connect.ts'
import { documentOf } from './document.ts'

/** The ID of a new collection with these properties, in a document of its own. */
export async function collectionOf(connected: Connected, properties: object[], name = 'Collection'): Promise<string> {
  const pageId = await documentOf(connected)
  const schema = { name, properties, contentPropDetails: { name: 'Name' } }
  const { collectionBlockId } = await connected.call('collections_add', {
    schema,
    position: { position: 'end', pageId },
  })
  return collectionBlockId
}

/** New items; their IDs, in order. */
export async function itemsOf({ call }: Connected, collectionId: string, items: object[]): Promise<string[]> {
  const added = await call('items_add', { collectionId, items, answer: 'ids' })
  return added.items.map((item: Answer) => item.id)
}
