/** First calls on collections and views, as models write them who know other services. */
import type { FirstCalls } from './first-calls.ts'

export const COLLECTION_CALLS: readonly FirstCalls[] = [
  {
    intent: 'make a collection',
    right: [
      'collections_add',
      {
        schema: {
          name: 'Bugs',
          properties: [
            { type: 'singleSelect', name: 'State', options: [{ name: 'New' }, { name: 'Fixed' }] },
            { type: 'date', name: 'Due' },
            { type: 'boolean', name: 'Urgent' },
          ],
        },
        position: { position: 'end', pageId: '$document' },
      },
    ],
    mends: /schema|properties|type|position/,
    with: { position: { position: 'end', pageId: '$document' } },
    calls: [
      {
        schema: {
          name: 'Bugs',
          properties: [
            { type: 'select', name: 'State', options: ['New', 'Fixed'] },
            { type: 'date', name: 'Due' },
            { type: 'checkbox', name: 'Urgent' },
          ],
        },
      },
      {
        schema: {
          name: 'Bugs',
          properties: [
            { type: 'single_select', name: 'State', options: [{ name: 'New' }, { name: 'Fixed' }] },
            { type: 'date', name: 'Due' },
            { type: 'bool', name: 'Urgent' },
          ],
        },
      },
      {
        name: 'Bugs',
        properties: [
          { type: 'singleSelect', name: 'State', options: ['New', 'Fixed'] },
          { type: 'date', name: 'Due' },
          { type: 'boolean', name: 'Urgent' },
        ],
      },
      {
        title: 'Bugs',
        properties: {
          State: { select: { options: [{ name: 'New' }, { name: 'Fixed' }] } },
          Due: { date: {} },
          Urgent: { checkbox: {} },
        },
      },
      {
        title: [{ text: { content: 'Bugs' } }],
        properties: {
          State: { select: { options: [{ name: 'New' }, { name: 'Fixed' }] } },
          Due: { date: {} },
          Urgent: { checkbox: {} },
        },
      },
      {
        schema: {
          name: 'Bugs',
          properties: {
            State: { type: 'singleSelect', options: ['New', 'Fixed'] },
            Due: { type: 'date' },
            Urgent: { type: 'boolean' },
          },
        },
      },
      {
        schema: {
          title: 'Bugs',
          properties: [
            { type: 'status', name: 'State', options: [{ name: 'New' }, { name: 'Fixed' }] },
            { type: 'date', name: 'Due' },
            { type: 'checkbox', name: 'Urgent' },
          ],
        },
      },
      {
        schema:
          '{"name":"Bugs","properties":[{"type":"singleSelect","name":"State","options":[{"name":"New"},{"name":"Fixed"}]},{"type":"date","name":"Due"},{"type":"boolean","name":"Urgent"}]}',
      },
      {
        schema: {
          name: 'Bugs',
          columns: [
            { type: 'select', name: 'State', options: ['New', 'Fixed'] },
            { type: 'date', name: 'Due' },
            { type: 'checkbox', name: 'Urgent' },
          ],
        },
      },
    ],
  },
  {
    intent: 'add a board',
    right: [
      'views_add',
      { collectionId: '$collection', view: { name: 'Board', type: 'kanban', groupBy: [{ property: 'stage' }] } },
    ],
    mends: /view|groupBy|kanban/,
    calls: [
      { collectionId: '$collection', view: { name: 'Board', type: 'board', groupBy: [{ property: 'stage' }] } },
      { collectionId: '$collection', view: { name: 'Board', type: 'kanban', groupBy: 'stage' } },
      { collectionId: '$collection', view: { name: 'Board', type: 'kanban', group_by: 'Stage' } },
      { collectionId: '$collection', name: 'Board', type: 'kanban', groupBy: [{ property: 'stage' }] },
      { collectionId: '$collection', view: { title: 'Board', type: 'kanban', groupBy: [{ property: 'Stage' }] } },
      { collection_id: '$collection', view: { name: 'Board', type: 'Kanban', groupBy: [{ property: 'stage' }] } },
      { collectionId: '$collection', view: '{"name":"Board","type":"kanban","groupBy":[{"property":"stage"}]}' },
      { collectionId: '$collection', view: { name: 'Board', type: 'kanban', groupBy: ['stage'] } },
    ],
  },
  {
    intent: 'activate a view',
    right: ['views_activate', { collectionId: '$collection', viewId: '$view' }],
    mends: /viewId|collectionId/,
    calls: [
      { collection_id: '$collection', view_id: '$view' },
      { collectionId: '$collection', id: '$view' },
      { collectionId: '$collection', view: '$view' },
    ],
  },
]
