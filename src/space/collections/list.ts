/** Lists collections with their schemas. Source: the interface, "Collections", and its shapes, 3. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import {
  type CollectionFilter,
  type CollectionPlace,
  countCollections,
  listCollections as listPlaces,
} from '../../../storage/collections.ts'
import { countItems } from '../../../storage/items.ts'
import { eachInTurn } from '../../breathe.ts'
import { COLLECTIONS_COUNTED } from '../../limits.ts'
import { openCursor, restOfList } from '../cursors.ts'
import { resolveDate } from '../dates.ts'
import { type SchemaAnswer, schemaAnswer } from '../schema/answer.ts'
import type { Space } from '../space.ts'
import { collectionOf } from './find.ts'

export interface CollectionListing {
  documentIds?: string[] | undefined
  documentFilterMode?: 'include' | 'exclude' | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  limit: number
  cursor?: string | undefined
}

export interface CollectionAnswer {
  id: string
  name: string
  itemCount: number
  /** On daily connections the day of the note in its place. */
  documentId?: string
  dailyNoteDate?: string
  schema: SchemaAnswer
}

/** @throws CURSOR_INVALID; NOT_FOUND_ERROR for a document that there is not */
export async function listCollections(space: Space, listing: CollectionListing) {
  const { limit, cursor, ...asked } = listing
  const filter = await filterOf(space, listing)
  const after = cursor === undefined ? 0 : Number(openCursor(space.info.secret, ['collections_list', asked], cursor))
  const places = await listPlaces(space.tx, filter, after, limit)
  const items = await describeAll(space, places)
  const last = places.at(-1)
  const remaining =
    last === undefined || places.length < limit
      ? 0
      : await countCollections(space.tx, filter, last.n, COLLECTIONS_COUNTED)
  if (last === undefined || remaining === 0) return { items }
  return {
    items,
    pagination: restOfList(
      ...([space.info.secret, 'collections_list', asked, 'collections', String(last.n), remaining] as const),
      COLLECTIONS_COUNTED,
    ),
  }
}

async function filterOf(space: Space, listing: CollectionListing): Promise<CollectionFilter> {
  const filter: CollectionFilter = {}
  const documents = listing.documentIds && (await space.documents(listing.documentIds)).map(({ n }) => n)
  if (space.kind === 'selected') {
    const excludes = documents !== undefined && listing.documentFilterMode === 'exclude'
    filter.documents = documents === undefined || excludes ? await exposed(space) : documents
    if (excludes) filter.except = documents
  } else if (documents !== undefined) filter.documents = documents
  if (space.kind === 'daily') filter.inDailyNotes = true
  if (listing.startDate !== undefined) filter.dailyNoteFrom = resolveDate(listing.startDate, space)
  if (listing.endDate !== undefined) filter.dailyNoteTo = resolveDate(listing.endDate, space)
  return filter
}

/** The documents of a selected connection, without those in the trash. */
async function exposed(space: Space): Promise<number[]> {
  const within: number[] = []
  for (const n of space.link.documents) if (await space.reaches(n)) within.push(n)
  return within
}

async function describeAll(space: Space, places: readonly CollectionPlace[]): Promise<CollectionAnswer[]> {
  const rows = await blocksByNumbers(
    space.tx,
    places.map(({ n }) => n),
  )
  const blocks = new Map(rows.map((row) => [row.n, row]))
  const answers: CollectionAnswer[] = []
  for await (const { n, documentId, dailyNoteDate } of eachInTurn(places)) {
    const block = blocks.get(n)
    if (block === undefined) throw new Error(`Expected the block of collection ${n}.`)
    const collection = await collectionOf(space, block)
    const where = space.kind === 'daily' && dailyNoteDate !== null ? { dailyNoteDate } : { documentId }
    answers.push({
      ...{ id: block.id, name: collection.name, itemCount: await countItems(space.tx, block), ...where },
      schema: await schemaAnswer(space, collection),
    })
  }
  return answers
}
