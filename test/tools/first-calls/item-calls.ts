/** First calls on collections, items and views, as models write them who know databases of Notion and Linear. */
import type { FirstCalls } from './first-calls.ts'

export const ITEM_CALLS: readonly FirstCalls[] = [
  {
    intent: 'add an item',
    right: [
      'items_add',
      {
        collectionId: '$collection',
        items: [{ title: 'New', properties: { amount: 5, stage: 'Open', tags: ['a', 'b'], day: '2026-12-01' } }],
      },
    ],
    mends: /properties|items|title|collectionId/,
    with: { collectionId: '$collection' },
    calls: [
      { items: [{ title: 'New', properties: { Amount: 5, Stage: 'Open', Tags: ['a', 'b'], Day: '2026-12-01' } }] },
      { items: [{ title: 'New', properties: { amount: '5', stage: 'open', tags: ['A', 'B'], day: '2026-12-01' } }] },
      { items: [{ title: 'New', properties: { amount: 5, stage: 'Open', tags: 'a, b', day: '2026-12-01' } }] },
      {
        items: [
          {
            title: 'New',
            properties: {
              amount: 5,
              stage: { name: 'Open' },
              tags: [{ name: 'a' }, { name: 'b' }],
              day: { start: '2026-12-01' },
            },
          },
        ],
      },
      {
        items: [
          {
            title: 'New',
            properties: {
              amount: { number: 5 },
              stage: { select: { name: 'Open' } },
              tags: { multi_select: [{ name: 'a' }, { name: 'b' }] },
              day: { date: { start: '2026-12-01' } },
            },
          },
        ],
      },
      {
        items: [
          {
            properties: {
              Name: { title: [{ text: { content: 'New' } }] },
              Amount: { number: 5 },
              Stage: { select: { name: 'Open' } },
              Tags: { multi_select: [{ name: 'a' }, { name: 'b' }] },
              Day: { date: { start: '2026-12-01' } },
            },
          },
        ],
      },
      { items: [{ title: 'New', amount: 5, stage: 'Open', tags: ['a', 'b'], day: '2026-12-01' }] },
      { items: [{ name: 'New', properties: { amount: 5, stage: 'Open', tags: ['a', 'b'], day: '2026-12-01' } }] },
      { items: { title: 'New', properties: { amount: 5, stage: 'Open', tags: ['a', 'b'], day: '2026-12-01' } } },
      { title: 'New', properties: { amount: 5, stage: 'Open', tags: ['a', 'b'], day: '2026-12-01' } },
      { items: [{ title: 'New', properties: '{"amount":5,"stage":"Open","tags":["a","b"],"day":"2026-12-01"}' }] },
      { items: '[{"title":"New","properties":{"amount":5,"stage":"Open","tags":["a","b"],"day":"2026-12-01"}}]' },
      {
        items: [{ title: 'New', properties: { amount: 5, stage: 'Open', tags: ['a', 'b'], day: 'December 1, 2026' } }],
      },
      { items: [{ title: 'New', properties: { amount: 5, stage: ['Open'], tags: ['a', 'b'], day: '2026-12-01' } }] },
      {
        items: [{ title: 'New', properties: { amount: 5, stage: 'OPEN', tags: ['a', 'b'], day: '2026-12-01' } }],
        allowNewSelectOptions: true,
      },
      {
        items: [{ title: 'New', properties: { amount: 5, stage: 'Open', tags: 'a, b', day: '2026-12-01' } }],
        allowNewSelectOptions: true,
      },
      {
        items: [
          {
            title: 'New',
            properties: {
              amount: 5,
              stage: { id: 'x', name: 'Open', color: 'red' },
              tags: ['a', 'b'],
              day: '2026-12-01',
            },
          },
        ],
      },
      { pages: [{ properties: { title: 'New', amount: 5, stage: 'Open', tags: ['a', 'b'], day: '2026-12-01' } }] },
      { rows: [{ title: 'New', properties: { amount: 5, stage: 'Open', tags: ['a', 'b'], day: '2026-12-01' } }] },
      {
        items: [
          {
            title: [{ text: { content: 'New' } }],
            properties: { amount: 5, stage: 'Open', tags: ['a', 'b'], day: '2026-12-01' },
          },
        ],
      },
    ],
  },
  {
    intent: 'add an item under other names of its collection',
    right: ['items_add', { collectionId: '$collection', items: [{ title: 'New' }] }],
    mends: /collectionId/,
    calls: [
      { database_id: '$collection', items: [{ title: 'New' }] },
      { collection_id: '$collection', items: [{ title: 'New' }] },
      { collection: '$collection', items: [{ title: 'New' }] },
      { data_source_id: '$collection', items: [{ title: 'New' }] },
      { parent: { database_id: '$collection' }, items: [{ title: 'New' }] },
      { id: '$collection', items: [{ title: 'New' }] },
      { collectionId: '$collection', title: 'New' },
      { collectionId: '$collection', name: 'New' },
      { collectionId: '$collection', items: ['New'] },
      { collectionId: '$collection', items: [{ title: 'New', properties: {} }] },
      { collectionId: '$collection', items: [{ title: 'New', properties: null }] },
      { collectionId: '$collection', items: [{ title: 'New', properties: { stage: null } }] },
      { collectionBlockId: '$collection', items: [{ title: 'New' }] },
    ],
  },
  {
    intent: 'add an item with a body',
    right: ['items_add', { collectionId: '$collection', items: [{ title: 'New', markdown: 'Body' }] }],
    mends: /markdown|content/,
    with: { collectionId: '$collection' },
    calls: [
      { items: [{ title: 'New', content: 'Body' }] },
      { items: [{ title: 'New', body: 'Body' }] },
      { items: [{ title: 'New', description: 'Body' }] },
      { items: [{ title: 'New', text: 'Body' }] },
      { items: [{ title: 'New', content: [{ type: 'paragraph', text: 'Body' }] }] },
      {
        items: [
          {
            title: 'New',
            children: [{ type: 'paragraph', paragraph: { rich_text: [{ text: { content: 'Body' } }] } }],
          },
        ],
      },
    ],
  },
  {
    intent: 'add an item with a value that is not known',
    right: ['items_add', { collectionId: '$collection', items: [{ title: 'New' }] }],
    refusedOnly: true,
    mends: /Open|Won|amount|stage|allowNewSelectOptions|number|YYYY-MM-DD|schema|without a time/,
    with: { collectionId: '$collection' },
    calls: [
      { items: [{ title: 'New', properties: { stage: 'Lost' } }] },
      { items: [{ title: 'New', properties: { stage: { select: { name: 'Lost' } } } }] },
      { items: [{ title: 'New', properties: { Priority: 'High' } }] },
      { items: [{ title: 'New', properties: { amount: 'many' } }] },
      { items: [{ title: 'New', properties: { day: 'someday' } }] },
      { items: [{ title: 'New', properties: { day: '2026-12-01T17:00' } }] },
      { items: [{ title: 'New', properties: { tags: ['a', 'z'] } }] },
      { items: [{ title: 'New', properties: { stage: ['Open', 'Won'] } }] },
    ],
  },
  {
    intent: 'change the values of an item',
    right: [
      'items_update',
      { collectionId: '$collection', itemsToUpdate: [{ id: '$item', properties: { stage: 'Won' } }] },
    ],
    mends: /itemsToUpdate|properties|collectionId/,
    calls: [
      { collectionId: '$collection', id: '$item', properties: { stage: 'Won' } },
      { collectionId: '$collection', itemId: '$item', properties: { Stage: 'Won' } },
      { collectionId: '$collection', page_id: '$item', properties: { Stage: { select: { name: 'Won' } } } },
      { collectionId: '$collection', items: [{ id: '$item', properties: { stage: 'Won' } }] },
      { collectionId: '$collection', items: [{ id: '$item', stage: 'Won' }] },
      { collectionId: '$collection', itemsToUpdate: { id: '$item', properties: { stage: 'Won' } } },
      { collectionId: '$collection', itemsToUpdate: [{ id: '$item', stage: 'Won' }] },
      { collectionId: '$collection', itemsToUpdate: [{ itemId: '$item', properties: { stage: 'won' } }] },
      {
        collectionId: '$collection',
        itemsToUpdate: [{ id: '$item', properties: { Stage: { status: { name: 'Won' } } } }],
      },
      { collectionId: '$collection', itemsToUpdate: [{ id: '$item', properties: { stage: { name: 'Won' } } }] },
      { collection_id: '$collection', items_to_update: [{ id: '$item', properties: { stage: 'Won' } }] },
      { collectionId: '$collection', updates: [{ id: '$item', properties: { stage: 'Won' } }] },
      { itemsToUpdate: [{ id: '$item', properties: { stage: 'Won' } }] },
    ],
  },
  {
    intent: 'clear a value',
    right: [
      'items_update',
      { collectionId: '$collection', itemsToUpdate: [{ id: '$item', properties: { stage: null } }] },
    ],
    mends: /null|properties/,
    with: { collectionId: '$collection' },
    calls: [
      { itemsToUpdate: [{ id: '$item', properties: { Stage: null } }] },
      { itemsToUpdate: [{ id: '$item', properties: { stage: { select: null } } }] },
      { itemsToUpdate: [{ id: '$item', properties: { stage: '' } }] },
      { itemsToUpdate: [{ id: '$item', properties: { stage: [] } }] },
    ],
  },
  {
    intent: 'rename an item',
    right: ['items_update', { collectionId: '$collection', itemsToUpdate: [{ id: '$item', title: 'Renamed' }] }],
    mends: /title/,
    with: { collectionId: '$collection' },
    calls: [
      { itemsToUpdate: [{ id: '$item', name: 'Renamed' }] },
      { itemsToUpdate: [{ id: '$item', markdown: 'Renamed' }] },
      { itemsToUpdate: [{ id: '$item', properties: { title: 'Renamed' } }] },
      { itemsToUpdate: [{ id: '$item', properties: { Name: { title: [{ text: { content: 'Renamed' } }] } } }] },
      { id: '$item', title: 'Renamed' },
    ],
  },
  {
    intent: 'list items with a filter',
    right: [
      'items_list',
      {
        collectionId: '$collection',
        filters: [{ property: 'stage', filterType: 'select_isAnyOf', filterValue: ['Open'] }],
      },
    ],
    mends: /filters|filterType|property/,
    calls: [
      {
        collectionId: '$collection',
        filters: [{ property: 'Stage', filterType: 'select_isAnyOf', filterValue: ['Open'] }],
      },
      {
        collectionId: '$collection',
        filters: [{ property: 'stage', filterType: 'select_isAnyOf', filterValue: 'Open' }],
      },
      { collectionId: '$collection', filters: [{ property: 'stage', filterType: 'equals', filterValue: 'Open' }] },
      { collectionId: '$collection', filters: [{ property: 'stage', operator: 'equals', value: 'Open' }] },
      { collectionId: '$collection', filters: [{ property: 'stage', operator: '=', value: 'Open' }] },
      { collectionId: '$collection', filters: [{ property: 'stage', filterType: 'is', filterValue: 'Open' }] },
      { collectionId: '$collection', filter: { property: 'Stage', select: { equals: 'Open' } } },
      { database_id: '$collection', filter: { property: 'Stage', select: { equals: 'Open' } } },
      { collectionId: '$collection', filter: { property: 'Stage', status: { equals: 'Open' } } },
      {
        collectionId: '$collection',
        filters: { property: 'stage', filterType: 'select_isAnyOf', filterValue: ['Open'] },
      },
      {
        collectionId: '$collection',
        filters: '[{"property":"stage","filterType":"select_isAnyOf","filterValue":["Open"]}]',
      },
      { collectionId: '$collection', filters: { stage: 'Open' } },
      { collectionId: '$collection', filter: { stage: 'Open' } },
      {
        collectionId: '$collection',
        filters: [{ property: 'stage', filterType: 'select_isAnyOf', filterValue: ['open'] }],
      },
      { collectionId: '$collection', filters: [{ property: 'stage', filterType: 'select', filterValue: 'Open' }] },
    ],
  },
  {
    intent: 'list items by a comparison of numbers',
    right: [
      'items_list',
      { collectionId: '$collection', filters: [{ property: 'amount', filterType: 'number_greater', filterValue: 1 }] },
    ],
    mends: /filters|filterType|number_greater/,
    with: { collectionId: '$collection' },
    calls: [
      { filters: [{ property: 'amount', filterType: '>', filterValue: 1 }] },
      { filters: [{ property: 'amount', operator: '>', value: 1 }] },
      { filters: [{ property: 'Amount', filterType: 'greater_than', filterValue: 1 }] },
      { filters: [{ property: 'amount', filterType: 'gt', filterValue: 1 }] },
      { filters: [{ property: 'amount', filterType: 'number_greater', filterValue: '1' }] },
      { filter: { property: 'Amount', number: { greater_than: 1 } } },
      { filters: [{ property: 'amount', filterType: 'number_greater_than', filterValue: 1 }] },
      { filters: [{ property: 'amount', filterType: 'greaterThan', filterValue: 1 }] },
    ],
  },
  {
    intent: 'sort items',
    right: ['items_list', { collectionId: '$collection', sortBy: [{ property: 'amount', ascending: false }] }],
    mends: /sortBy|property|ascending/,
    with: { collectionId: '$collection' },
    calls: [
      { sorts: [{ property: 'Amount', direction: 'descending' }] },
      { sortBy: [{ property: 'Amount', ascending: false }] },
      { sortBy: [{ property: 'amount', direction: 'descending' }] },
      { sortBy: [{ property: 'amount', direction: 'desc' }] },
      { sortBy: [{ property: 'amount', order: 'desc' }] },
      { sortBy: { property: 'amount', ascending: false } },
      { sortBy: '-amount' },
      { sort: [{ property: 'amount', direction: 'descending' }] },
      { sortBy: [{ property: 'amount', ascending: 'False' }] },
      { sort_by: [{ property: 'amount', descending: true }] },
      { orderBy: [{ property: 'amount', direction: 'desc' }] },
      { sortBy: ['-amount'] },
    ],
  },
  {
    intent: 'list all items',
    right: ['items_list', { collectionId: '$collection' }],
    mends: /collectionId/,
    calls: [
      { collection_id: '$collection' },
      { database_id: '$collection' },
      { id: '$collection' },
      { collectionId: '$collection', viewId: '' },
      { collectionId: '$collection', filters: [] },
      { collectionId: '$collection', filters: '' },
      { collectionId: '$collection', sortBy: null },
      { collectionId: '$collection', page_size: 100 },
      { collectionId: '$collection', limit: '100' },
      { data_source_id: '$collection' },
      { collectionId: '$collection', groupBy: null },
      { collectionId: '$collection', calculations: {} },
    ],
  },
  {
    intent: 'group items',
    right: ['items_list', { collectionId: '$collection', groupBy: [{ property: 'stage' }] }],
    mends: /groupBy/,
    with: { collectionId: '$collection' },
    calls: [
      { groupBy: [{ property: 'Stage' }] },
      { groupBy: ['stage'] },
      { groupBy: 'stage' },
      { group_by: 'stage' },
      { groupBy: { property: 'stage' } },
      { groupBy: 'Stage' },
    ],
  },
  {
    intent: 'delete an item',
    right: ['items_delete', { collectionId: '$collection', idsToDelete: ['$item'] }],
    mends: /idsToDelete|collectionId/,
    calls: [
      { collectionId: '$collection', id: '$item' },
      { collectionId: '$collection', itemId: '$item' },
      { collectionId: '$collection', ids: ['$item'] },
      { collectionId: '$collection', itemIds: ['$item'] },
      { collectionId: '$collection', item_ids: ['$item'] },
      { collectionId: '$collection', idsToDelete: '$item' },
      { collectionId: '$collection', items: ['$item'] },
      { collectionId: '$collection', items: [{ id: '$item' }] },
      { idsToDelete: ['$item'] },
      { collection_id: '$collection', ids_to_delete: ['$item'] },
    ],
  },
]
