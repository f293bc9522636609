/** First calls whose refusal must not lead astray, and texts that hold their title once more. */
import type { FirstCalls } from './first-calls.ts'

const AT_END = { position: { position: 'end', pageId: '$document' } }

export const ADVICE_CALLS: readonly FirstCalls[] = [
  {
    intent: 'add a page whose text begins with its title',
    right: ['blocks_add', { blocks: [{ type: 'page', title: 'A', markdown: 'body' }], ...AT_END }],
    mends: /title/,
    with: AT_END,
    calls: [
      { blocks: [{ type: 'page', title: 'A', markdown: '# A\n\nbody' }] },
      { blocks: [{ type: 'page', title: 'A', markdown: '#  A \nbody' }] },
    ],
  },
  {
    intent: 'add an item whose text begins with its title',
    right: ['items_add', { collectionId: '$collection', items: [{ title: 'New', markdown: 'body' }] }],
    mends: /title/,
    with: { collectionId: '$collection' },
    calls: [{ items: [{ title: 'New', markdown: '# New\n\nbody' }] }, { title: 'New', markdown: '# New\n\nbody' }],
  },
  {
    intent: 'keep a heading that is not the title',
    right: ['documents_add', { documents: [{ title: 'New', markdown: '# Other\n\nbody' }] }],
    mends: /title/,
    calls: [{ title: 'New', markdown: '# Other\n\nbody' }],
  },
  {
    intent: 'add a heading by its level',
    right: ['blocks_add', { blocks: [{ type: 'text', textStyle: 'h2', markdown: 'Plan' }], ...AT_END }],
    mends: /indentationLevel|textStyle/,
    with: AT_END,
    calls: [
      { blocks: [{ type: 'text', level: 2, markdown: 'Plan' }] },
      { blocks: [{ type: 'text', level: '2', text: 'Plan' }] },
      { blocks: [{ type: 'header', level: 2, markdown: 'Plan' }] },
      { blocks: [{ type: 'text', level: 2, textStyle: 'h2', markdown: 'Plan' }] },
      { blocks: [{ type: 'text', level: 2, listStyle: 'bullet', markdown: 'Plan' }] },
      { blocks: [{ type: 'text', level: 7, markdown: 'Plan' }] },
    ],
  },
  {
    intent: 'read a document that is named by its title',
    right: ['blocks_get', { id: '$document' }],
    refusedOnly: true,
    mends: /documents_search|search for the title/,
    calls: [
      { id: 'Document' },
      { documentId: 'Other' },
      { title: 'Document' },
      { name: 'Document' },
      { id: 'Q3 2026' },
    ],
  },
  {
    intent: 'delete a document that is named by its title',
    right: ['documents_delete', { documentIds: ['$document'] }],
    refusedOnly: true,
    mends: /documents_search|search for the title/,
    calls: [{ documentIds: ['Document'] }, { documentId: 'Other' }, { title: 'Document' }],
  },
  {
    intent: 'add to a document that is named by its title',
    right: ['blocks_add', { markdown: 'x', position: { position: 'end', pageId: '$document' } }],
    refusedOnly: true,
    mends: /documents_search/,
    calls: [
      { markdown: 'x', pageId: 'Document' },
      { markdown: 'x', position: { position: 'end', pageId: 'Other' } },
      { markdown: 'x', position: { after: 'the first block' } },
    ],
  },
  {
    intent: 'search without some words',
    right: ['documents_search', { include: 'needle' }],
    refusedOnly: true,
    mends: /ignore the results that/,
    calls: [
      { include: 'needle', exclude: ['pages'] },
      { include: 'needle', excludes: 'pages' },
      { include: '-pages' },
      { include: 'needle -pages' },
      { include: ['needle', '-pages'] },
      { query: 'needle', without: 'pages' },
    ],
  },
  {
    intent: 'set a day by a moment with its zone',
    right: ['items_add', { collectionId: '$collection', items: [{ title: 'New', properties: { day: '2026-12-02' } }] }],
    mends: /day/,
    with: { collectionId: '$collection' },
    calls: [
      { items: [{ title: 'New', properties: { day: '2026-12-01T23:30:00Z' } }] },
      { items: [{ title: 'New', properties: { day: '2026-12-02T00:30:00+01:00' } }] },
      { items: [{ title: 'New', properties: { day: { date: { start: '2026-12-01T23:30:00.000Z' } } } }] },
    ],
  },
]
