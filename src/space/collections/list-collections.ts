/** Lists collections with their schemas. Source: the interface, "Collections", and its shapes, 3. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import {
  type CollectionFilter,
  type CollectionPlace,
  countCollections,
  listCollections as listPlaces,
} from '../../../storage/collections.ts'
import { countItemsOf } from '../../../storage/items.ts'
import { COLLECTIONS_COUNTED } from '../../base/limits.ts'
import { partsOf } from '../blocks/rows-in-order.ts'
import { createPagination, decodeCursor, type Pagination } from '../model/cursors.ts'
import { resolveDate } from '../model/dates.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { loadCollections } from './schema/find-collection.ts'
import { type SchemaAnswer, showSchemas } from './schema/schema-answer.ts'

export interface CollectionListInput {
  documentIds?: AnyId[] | undefined
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
  /** On daily connections, `dailyNoteDate` is returned instead. */
  documentId?: string
  dailyNoteDate?: string
  schema: SchemaAnswer
}

export interface CollectionList {
  items: CollectionAnswer[]
  pagination?: Pagination
}

/** @throws CURSOR_INVALID; NOT_FOUND_ERROR if a document does not exist */
export async function listCollections(space: Space, input: CollectionListInput): Promise<CollectionList> {
  const { limit, cursor, ...query } = input
  const filter = await resolveCollectionFilter(space, input)
  const after = cursor === undefined ? 0 : Number(decodeCursor(space.info.secret, ['collections_list', query], cursor))
  const places = await listPlaces(space.tx, filter, after, limit)
  const items: CollectionAnswer[] = []
  for await (const part of partsOf(places)) for (const one of await collectionAnswers(space, part)) items.push(one)
  const last = places.at(-1)
  const remaining =
    last === undefined || places.length < limit
      ? 0
      : await countCollections(space.tx, filter, last.n, COLLECTIONS_COUNTED)
  if (last === undefined || remaining === 0) return { items }
  return {
    items,
    pagination: createPagination(
      ...([space.info.secret, 'collections_list', query, 'collection', String(last.n), remaining] as const),
      COLLECTIONS_COUNTED,
    ),
  }
}

async function resolveCollectionFilter(space: Space, input: CollectionListInput): Promise<CollectionFilter> {
  const filter: CollectionFilter = {}
  const documents = input.documentIds && (await space.getDocuments(input.documentIds)).map(({ n }) => n)
  if (space.kind === 'selected') {
    const excludes = documents !== undefined && input.documentFilterMode === 'exclude'
    filter.documents = documents === undefined || excludes ? await reachableExposedDocuments(space) : documents
    if (excludes) filter.except = documents
  } else if (documents !== undefined) filter.documents = documents
  if (space.kind === 'daily') filter.inDailyNotes = true
  if (input.startDate !== undefined) filter.dailyNoteFrom = resolveDate(input.startDate, space)
  if (input.endDate !== undefined) filter.dailyNoteTo = resolveDate(input.endDate, space)
  return filter
}

/** Returns the documents that a selected connection exposes, without those in the trash. */
async function reachableExposedDocuments(space: Space): Promise<number[]> {
  return [...(await space.reachableDocuments([...space.link.documents]))]
}

async function collectionAnswers(space: Space, places: readonly CollectionPlace[]): Promise<CollectionAnswer[]> {
  const rows = await blocksByNumbers(
    space.tx,
    places.map(({ n }) => n),
  )
  const collections = await loadCollections(space, rows)
  const schemas = await showSchemas(space, collections)
  const counts = await countItemsOf(space.tx, rows)
  const found = new Map(collections.map((collection, index) => [collection.n, { collection, schema: schemas[index] }]))
  return places.map(({ n, documentId, dailyNoteDate }) => {
    const { collection, schema } = found.get(n) ?? {}
    if (collection === undefined || schema === undefined) throw new Error(`Expected the block of collection ${n}.`)
    const where =
      space.kind === 'daily' && dailyNoteDate !== null ? { dailyNoteDate } : { documentId: space.spellId(documentId) }
    const { block, name } = collection
    return { id: space.spellId(block.id), name, itemCount: counts.get(n) ?? 0, ...where, schema }
  })
}
