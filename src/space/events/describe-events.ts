/** The `data` of events: IDs and titles of what they are about, never texts. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { rowsByNumbers } from '../../../storage/history.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { FeedEntry } from '../feed/read-feed.ts'
import { documentNames } from '../history/change-summary.ts'
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
  /** For what concerns members: the block or comment, and the digits of the IDs of the members. */
  concerns?: { table: 'block' | 'comment'; row: number; members: readonly string[] }
  /** True if a document was deleted, or left the reach of the link. It is never joined with others. */
  isGone?: boolean
}

/** What is described. A burst of calls has no entry of its own. */
export type Described = Pick<FoundEvent, 'subject'> & Partial<Pick<FoundEvent, 'entry' | 'concerns'>>

export async function describeDocuments(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
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

export async function describeComments(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
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

export async function describeItems(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
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

/** Where these blocks are, by number. */
export async function describeBlocks(space: Space, found: readonly Described[]): Promise<Map<number, object>> {
  const numbers = found.map(({ subject }) => subject)
  return numbers.length === 0 ? new Map() : placesOf(space, await blocksByNumbers(space.tx, numbers))
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
