/** Collections for tests. */
import type { Answer, Connected } from './connect.ts'
import { documentOf } from './document.ts'

/** Creates a collection with these properties in a new document. Returns its ID. */
export async function collectionOf(connected: Connected, properties: object[], name = 'Collection'): Promise<string> {
  const pageId = await documentOf(connected)
  const schema = { name, properties, contentPropDetails: { name: 'Name' } }
  const { collectionBlockId } = await connected.call('collections_add', {
    schema,
    position: { position: 'end', pageId },
  })
  return collectionBlockId
}

/** Adds items. Returns their IDs, in order. */
export async function itemsOf({ call }: Connected, collectionId: string, items: object[]): Promise<string[]> {
  const added = await call('items_add', { collectionId, items, answer: 'ids' })
  return added.items.map((item: Answer) => item.id)
}
