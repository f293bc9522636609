/**
 * What agents can be called for (MCP Events, SEP-3415). Each type says how its occurrences are found in the feed, so
 * that it has the same order, the same reach and the same history as the feed.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { rowsByNumbers } from '../../../storage/history.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { FeedEntry } from '../feed/read-feed.ts'
import { documentNames } from '../history/change-summary.ts'
import type { CountedChange } from '../history/counted-changes.ts'
import type { Space } from '../model/space.ts'

/** One occurrence, before the filters of a subscription. */
export interface FoundEvent {
  entry: FeedEntry
  /** The number of what it is about: a document, a block, a comment, or the recorded event. */
  subject: number
  /** Numbers of the documents that it is about. */
  documents: readonly number[]
  /** The number of the collection, for items. */
  collection?: number
  /** True if a document was deleted, or left the reach of the link. It is never joined with others. */
  isGone?: boolean
}

/** What is described. A burst of calls has no entry of its own. */
export type Described = Pick<FoundEvent, 'subject'> & Partial<Pick<FoundEvent, 'entry'>>

/** How a type of events is found and described. */
export interface EventType {
  /** For clients and people that choose what to subscribe to. */
  description: string
  /** The names of arguments that narrow it, besides `mine`. What time alone causes has no author. */
  narrowedBy: readonly ('documentId' | 'folderId' | 'collectionId' | 'author')[]
  /** True if a burst of changes of one thing is one event. */
  joins: boolean
  /** True if it reaches a subscriber that asked for events of others only, even if its own link caused it. */
  alwaysArrives: boolean
  find(space: Space, entries: readonly FeedEntry[]): Promise<FoundEvent[]>
  /** What it is about, by subject. Subjects that no longer exist or are out of reach are left out. */
  describe(space: Space, found: readonly Described[]): Promise<ReadonlyMap<number, object>>
}

export const EVENT_NAMES = [
  'comment.created',
  'comment.resolved',
  'document.added',
  'document.changed',
  'item.changed',
  'lease.ended',
  'proposal.waiting',
  'proposal.decided',
  'reminder.due',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

const OF_TEXT = ['documentId', 'folderId', 'author'] as const

export const EVENT_TYPE_OF: Record<EventName, EventType> = {
  'comment.created': {
    description: 'Somebody commented on a block, or answered in its thread. Read the thread with blocks_get.',
    narrowedBy: OF_TEXT,
    joins: false,
    alwaysArrives: false,
    find: async (_, entries) => changesIn(entries, ({ table, verb }) => table === 'comment' && verb === 'added'),
    describe: describeComments,
  },
  'comment.resolved': {
    description: 'A comment was marked as resolved.',
    narrowedBy: OF_TEXT,
    joins: false,
    alwaysArrives: false,
    find: async (_, entries) => changesIn(entries, isResolution),
    describe: describeComments,
  },
  'document.added': {
    description: 'A document was added, restored from the trash, or came within reach.',
    narrowedBy: ['folderId', 'author'],
    joins: false,
    alwaysArrives: false,
    find: async (_, entries) => entries.flatMap((entry) => documentsFound(entry, entry.call?.seen.newDocuments)),
    describe: describeDocuments,
  },
  'document.changed': {
    description:
      'The text, the properties, the comments or the place of a document changed. A burst of changes is one event. When a document is deleted or leaves your reach, the event says gone, without its title.',
    narrowedBy: OF_TEXT,
    joins: true,
    alwaysArrives: false,
    find: async (_, entries) => entries.flatMap(changedDocuments),
    describe: describeDocuments,
  },
  'item.changed': {
    description: 'The title or a property of an item of a collection changed. A burst of changes is one event.',
    narrowedBy: ['collectionId', 'documentId', 'folderId', 'author'],
    joins: true,
    alwaysArrives: false,
    find: findChangedItems,
    describe: describeItems,
  },
  'lease.ended': recorded('Somebody’s claim of an item or a task ended without having been released.', 'lease.ended'),
  'proposal.waiting': {
    ...recorded('A proposal waits for the approval of a person.', 'proposal.waiting'),
    narrowedBy: ['documentId', 'author'],
    alwaysArrives: false,
  },
  'proposal.decided': {
    ...recorded('A proposal was approved or rejected, or has ended.', 'proposal.decided'),
    narrowedBy: ['documentId', 'author'],
  },
  'reminder.due': recorded('A reminder of your participant came due.', 'reminder.due'),
}

/** A type whose occurrences the feed records as they are. */
function recorded(description: string, type: FeedEntry['item']['type']): EventType {
  return {
    description,
    narrowedBy: ['documentId'],
    joins: false,
    alwaysArrives: true,
    async find(space, entries) {
      const some = entries.filter(({ item, event }) => item.type === type && event !== undefined)
      const ids = await space.readIds(some.flatMap(({ item }) => item.documents.map(({ documentId }) => documentId)))
      const rows = await space.findReachableBlocks([...ids.values()])
      const numbers = new Map(rows.map(({ id, document }) => [id, document]))
      return some.map((entry) => ({
        ...{ entry, subject: entry.event?.n ?? 0 },
        documents: entry.item.documents.flatMap(({ documentId }) => numbers.get(ids.get(documentId) ?? 0) ?? []),
      }))
    },
    describe: async (_, found) =>
      new Map(
        found.flatMap(({ subject, entry }): [number, object][] => {
          if (entry === undefined) return []
          const { type: _type, at: _at, ...data } = entry.item
          return [[subject, data]]
        }),
      ),
  }
}

/** The changed rows that match, in order. */
const changesIn = (entries: readonly FeedEntry[], matches: (change: CountedChange) => boolean): FoundEvent[] =>
  entries.flatMap((entry) =>
    uniqueRows((entry.call?.seen.changes ?? []).filter(matches)).map(({ row, document }) => ({
      ...{ entry, subject: row, documents: document === null ? [] : [document] },
    })),
  )

/** The first change of each row, in the order of rows. */
const uniqueRows = (changes: readonly CountedChange[]): CountedChange[] =>
  [...new Map(changes.toReversed().map((change) => [change.row, change])).values()].sort(
    (one, other) => one.row - other.row,
  )

const isResolution = ({ table, verb, before }: CountedChange): boolean =>
  table === 'comment' && verb === 'changed' && /"resolved_at":null/.test(before ?? '')

const documentsFound = (entry: FeedEntry, documents: readonly number[] = []): FoundEvent[] =>
  [...documents]
    .sort((one, other) => one - other)
    .map((document) => ({ entry, subject: document, documents: [document] }))

function changedDocuments(entry: FeedEntry): FoundEvent[] {
  const { documents = [], newDocuments = [], goneDocuments = [] } = entry.call?.seen ?? {}
  const others = new Set([...newDocuments, ...goneDocuments])
  const changed = documents.filter((document) => !others.has(document))
  const gone = documentsFound(entry, goneDocuments).map((found) => ({ ...found, isGone: true }))
  return [...documentsFound(entry, changed), ...gone]
}

/** Items whose own row or values changed. Items that the same call added are not among them. */
async function findChangedItems({ tx }: Space, entries: readonly FeedEntry[]): Promise<FoundEvent[]> {
  const changes = entries.flatMap((entry) => (entry.call?.seen.changes ?? []).map((change) => ({ entry, change })))
  const some = changes.filter(
    ({ change: { table, verb } }) => table === 'value' || (table === 'block' && verb !== 'deleted'),
  )
  const blocks = await blocksByNumbers(tx, [...new Set(some.map(({ change: { row } }) => row))])
  const parents = await blocksByNumbers(tx, [...new Set(blocks.flatMap(({ parent }) => parent ?? []))])
  const collections = new Set(parents.filter(({ type }) => type === 'collection').map(({ n }) => n))
  const items = new Map(blocks.filter(({ parent }) => collections.has(parent ?? 0)).map((block) => [block.n, block]))
  const found: FoundEvent[] = []
  for (const [entry, ofEntry] of Map.groupBy(some, (one) => one.entry)) {
    const added = new Set(
      ofEntry.flatMap(({ change: { table, verb, row } }) => (table === 'block' && verb === 'added' ? row : [])),
    )
    for (const { row } of uniqueRows(ofEntry.map(({ change }) => change))) {
      const item = items.get(row)
      if (item === undefined || added.has(row)) continue
      found.push({ entry, subject: row, documents: [item.document], collection: item.parent ?? 0 })
    }
  }
  return found
}

async function describeDocuments(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
  const names = await documentNames(
    space,
    found.map(({ subject }) => subject),
  )
  const reached = await space.reachableDocuments([...names.keys()])
  return new Map(
    [...names].map(([n, { id, title }]) => [
      n,
      reached.has(n) ? { documentId: space.spellId(id), title } : { documentId: space.spellId(id) },
    ]),
  )
}

async function describeComments(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
  const rows = await rowsByNumbers(
    space.tx,
    'comment',
    found.map(({ subject }) => subject),
  )
  const places = await placesOf(
    space,
    await blocksByNumbers(
      space.tx,
      rows.map(({ block }) => block as number),
    ),
  )
  return new Map(
    rows.flatMap(({ n, id, block }): [number, object][] => {
      const place = places.get(block as number)
      return place === undefined ? [] : [[n as number, { commentId: space.spellId(id as number), ...place }]]
    }),
  )
}

async function describeItems(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
  const rows = await blocksByNumbers(
    space.tx,
    found.map(({ subject }) => subject),
  )
  const collections = await blocksByNumbers(
    space.tx,
    rows.flatMap(({ parent }) => parent ?? []),
  )
  const ids = new Map(collections.map(({ n, id }) => [n, space.spellId(id)]))
  const places = await placesOf(space, rows)
  return new Map(
    rows.flatMap(({ n, parent }): [number, object][] => {
      const { blockId: itemId, ...place } = places.get(n) ?? {}
      return itemId === undefined ? [] : [[n, { itemId, collectionId: ids.get(parent ?? 0), ...place }]]
    }),
  )
}

interface Place {
  blockId?: string
  documentId?: string
  title?: string
}

/** Where these blocks are, by number, for those within reach. */
async function placesOf(space: Space, blocks: readonly BlockRow[]): Promise<Map<number, Place>> {
  const documents = blocks.map(({ document }) => document)
  const reached = await space.reachableDocuments(documents)
  const names = await documentNames(space, reached)
  return new Map(
    blocks.flatMap(({ n, id, document }): [number, Place][] => {
      const name = names.get(document)
      if (name === undefined || !reached.has(document)) return []
      return [[n, { blockId: space.spellId(id), documentId: space.spellId(name.id), title: name.title }]]
    }),
  )
}
