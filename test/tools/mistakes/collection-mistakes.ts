/** Likely mistakes in calls on collections. */
import { end, type Mistake } from './mistake.ts'

export const COLLECTION_MISTAKES: readonly Mistake[] = [
  [
    'a collection by its name and columns',
    'collections_add',
    ({ document }) => ({ name: 'New', properties: [{ name: 'A', type: 'text' }], position: end(document) }),
    ({ document }) => ({ schema: { name: 'New', properties: [{ name: 'A', type: 'text' }] }, position: end(document) }),
  ],
  [
    'the title of a collection',
    'collections_add',
    ({ document }) => ({ schema: { title: 'New', columns: [{ name: 'A', type: 'text' }] }, position: end(document) }),
    ({ document }) => ({ schema: { name: 'New', properties: [{ name: 'A', type: 'text' }] }, position: end(document) }),
  ],
  [
    'options as texts',
    'collections_add',
    ({ document }) => ({
      schema: { name: 'New', properties: [{ name: 'A', type: 'singleSelect', options: ['a', 'b'] }] },
      position: end(document),
    }),
    ({ document }) => ({
      schema: {
        name: 'New',
        properties: [{ name: 'A', type: 'singleSelect', options: [{ name: 'a' }, { name: 'b' }] }],
      },
      position: end(document),
    }),
  ],
  [
    'a type of a property in capitals',
    'collections_add',
    ({ document }) => ({ schema: { name: 'New', properties: [{ name: 'A', type: 'Text' }] }, position: end(document) }),
    ({ document }) => ({ schema: { name: 'New', properties: [{ name: 'A', type: 'text' }] }, position: end(document) }),
  ],
  [
    'one documentId of collections',
    'collections_list',
    ({ other }) => ({ documentId: other }),
    ({ other }) => ({ documentIds: [other] }),
  ],
  [
    'id for collectionId',
    'schema_get',
    ({ collection }) => ({ id: collection }),
    ({ collection }) => ({ collectionId: collection }),
  ],
  [
    'collection for collectionId',
    'schema_get',
    ({ collection }) => ({ collection }),
    ({ collection }) => ({ collectionId: collection }),
  ],
  [
    'an item alone',
    'items_add',
    ({ collection }) => ({ collectionId: collection, title: 'New', properties: { amount: 3 } }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { amount: 3 } }] }),
  ],
  [
    'rows for items',
    'items_add',
    ({ collection }) => ({ collectionId: collection, rows: [{ title: 'New' }] }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New' }] }),
  ],
  [
    'values for properties',
    'items_add',
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', values: { amount: 3 } }] }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { amount: 3 } }] }),
  ],
  [
    'one item for a list',
    'items_add',
    ({ collection }) => ({ collectionId: collection, items: { title: 'New' } }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New' }] }),
  ],
  [
    'a number as text',
    'items_add',
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { amount: '12' } }] }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { amount: 12 } }] }),
  ],
  [
    'one tag as text',
    'items_add',
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { tags: 'a' } }] }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { tags: ['a'] } }] }),
  ],
  [
    'a full timestamp for a date property',
    'items_add',
    ({ collection }) => ({
      collectionId: collection,
      items: [{ title: 'New', properties: { day: '2026-12-01T10:00:00Z' } }],
    }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { day: '2026-12-01' } }] }),
  ],
  [
    'items for itemsToUpdate',
    'items_update',
    ({ collection, item }) => ({ collectionId: collection, items: [{ id: item, properties: { amount: 5 } }] }),
    ({ collection, item }) => ({ collectionId: collection, itemsToUpdate: [{ id: item, properties: { amount: 5 } }] }),
  ],
  [
    'an item changed alone',
    'items_update',
    ({ collection, item }) => ({ collectionId: collection, itemId: item, properties: { amount: 5 } }),
    ({ collection, item }) => ({ collectionId: collection, itemsToUpdate: [{ id: item, properties: { amount: 5 } }] }),
  ],
  [
    'values of an item',
    'items_update',
    ({ collection, item }) => ({ collection, itemsToUpdate: [{ id: item, values: { amount: 5 } }] }),
    ({ collection, item }) => ({ collectionId: collection, itemsToUpdate: [{ id: item, properties: { amount: 5 } }] }),
  ],
  [
    'itemIds to delete',
    'items_delete',
    ({ collection, item }) => ({ collectionId: collection, itemIds: [item] }),
    ({ collection, item }) => ({ collectionId: collection, idsToDelete: [item] }),
  ],
  [
    'id of the collection',
    'items_list',
    ({ collection }) => ({ id: collection }),
    ({ collection }) => ({ collectionId: collection }),
  ],
  [
    'sort with a direction',
    'items_list',
    ({ collection }) => ({ collectionId: collection, sort: [{ property: 'amount', direction: 'desc' }] }),
    ({ collection }) => ({ collectionId: collection, sortBy: [{ property: 'amount', ascending: false }] }),
  ],
  [
    'one sort for a list',
    'items_list',
    ({ collection }) => ({ collectionId: collection, sortBy: { property: 'amount', order: 'DESC' } }),
    ({ collection }) => ({ collectionId: collection, sortBy: [{ property: 'amount', ascending: false }] }),
  ],
  [
    'descending',
    'items_list',
    ({ collection }) => ({ collectionId: collection, sortBy: [{ field: 'amount', descending: true }] }),
    ({ collection }) => ({ collectionId: collection, sortBy: [{ property: 'amount', ascending: false }] }),
  ],
  [
    'filter with an operator',
    'items_list',
    ({ collection }) => ({
      collectionId: collection,
      filter: [{ property: 'amount', operator: 'number_greater', value: 1 }],
    }),
    ({ collection }) => ({
      collectionId: collection,
      filters: [{ property: 'amount', filterType: 'number_greater', filterValue: 1 }],
    }),
  ],
  [
    'one filter for a list',
    'items_list',
    ({ collection }) => ({ collectionId: collection, filters: { property: 'stage', filterType: 'isNotEmpty' } }),
    ({ collection }) => ({ collectionId: collection, filters: [{ property: 'stage', filterType: 'isNotEmpty' }] }),
  ],
  [
    'one property',
    'items_list',
    ({ collection }) => ({ collectionId: collection, properties: 'amount' }),
    ({ collection }) => ({ collectionId: collection, properties: ['amount'] }),
  ],
  [
    'id for viewId',
    'views_activate',
    ({ collection, view }) => ({ collectionId: collection, id: view }),
    ({ collection, view }) => ({ collectionId: collection, viewId: view }),
  ],
  [
    'a type of a view in capitals',
    'views_add',
    ({ collection }) => ({ collectionId: collection, view: { name: 'V', type: 'Table' } }),
    ({ collection }) => ({ collectionId: collection, view: { name: 'V', type: 'table' } }),
  ],
]
