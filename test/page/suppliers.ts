/** A document with two collections, used by a person without scripts and by a program. */
import { program } from './sample-space.ts'
import { servePages, visitAsOperator } from './visiting.ts'

export type Suppliers = Awaited<ReturnType<typeof serveSuppliers>>

export async function serveSuppliers() {
  const serving = await servePages()
  const anna = program(serving.space, 'editor')
  const document: string = (await anna('documents_add', { documents: [{ title: 'Suppliers' }] })).items[0].id
  const position = { position: 'end', pageId: document }
  const addCollection = async (name: string, properties: object[]): Promise<string> =>
    (await anna('collections_add', { schema: { name, properties }, position })).collectionBlockId
  const cranes = await addCollection('Cranes', [])
  const suppliers = await addCollection('Suppliers', [
    { type: 'singleSelect', name: 'Status', options: [{ name: 'in', color: 'red' }, { name: 'asked' }] },
    { type: 'multiSelect', name: 'Tags', options: [{ name: 'near' }, { name: 'far' }] },
    { type: 'number', name: 'Price' },
    { type: 'date', name: 'Answered' },
    { type: 'url', name: 'Site' },
    { type: 'boolean', name: 'Certified' },
    { type: 'text', name: 'Notes' },
    { type: 'relation', name: 'Cranes', targetCollectionId: cranes },
    { type: 'blockLink', name: 'Contract' },
  ])
  const visitor = await visitAsOperator(serving)
  return {
    ...{ serving, anna, visitor, document, cranes, suppliers },
    itemsOf: async (collectionId = suppliers) => (await anna('items_list', { collectionId, maxDepth: 0 })).items,
    addItem: async (title: string, properties: object = {}, collectionId = suppliers): Promise<string> =>
      (await anna('items_add', { collectionId, items: [{ title, properties }] })).items[0].id,
    schemaOf: (collectionId = suppliers) => anna('schema_get', { collectionId, format: 'schema' }),
    /** The form of a row, or of one of its cells. */
    formOf: (item: string, key = '') => visitor.get(`/collections/${suppliers}/items/${item}/edit?key=${key}`),
  }
}
