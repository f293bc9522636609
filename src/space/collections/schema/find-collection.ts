/** Finds collections within reach, with their schemas. */
import { blocksByNumbers } from '../../../../storage/blocks.ts'
import { collectionsByNumbers } from '../../../../storage/collections.ts'
import { collectionOptions, collectionProperties } from '../../../../storage/properties.ts'
import type { BlockRow, CollectionRow, OptionRow, PropertyRow } from '../../../../storage/schema.ts'
import { invalid, notFound, ScriptoriumError } from '../../../base/errors.ts'
import { iterateCooperatively } from '../../../base/scheduling.ts'
import { visibleTitles } from '../../model/block-links.ts'
import type { AnyId } from '../../model/ids.ts'
import type { Space } from '../../model/space.ts'
import { findByWord, TITLE_KEY } from './property-keys.ts'
import { type VisibleName, visibleNames } from './visible-names.ts'

/** An option as the connection may see it. */
export type Option = OptionRow & VisibleName

/** A property as the connection may see it, with its options, in order. Only selects have options. */
export interface Property extends PropertyRow, VisibleName {
  options: readonly Option[]
}

/** A collection and its properties, in order. */
export interface Collection extends CollectionRow {
  block: BlockRow
  /** Plain text, without markup, as the connection may see it. */
  name: string
  storedTitleName: string
  properties: readonly Property[]
}

/**
 * @param id  ID of its block
 * @throws NOT_FOUND_ERROR if there is no such block within reach; VALIDATION_ERROR if the block is not a collection
 */
export async function findCollection(space: Space, id: AnyId): Promise<Collection> {
  const block = await getCollectionBlock(space, id)
  if (block.type === 'collection') return loadCollection(space, block)
  throw invalid(
    `Expected the ID of a collection, found ${id} of type ${block.type}; collections_list lists collections.`,
  )
}

async function getCollectionBlock(space: Space, id: AnyId): Promise<BlockRow> {
  try {
    return await space.getBlock(id)
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    throw notFound(
      `Expected the ID of a collection within reach, found ${id}; read IDs with collections_list and name one of those.`,
    )
  }
}

/** Reports whether the collection with this number is within reach. */
export async function canReachCollection(space: Space, n: number): Promise<boolean> {
  const [block] = await blocksByNumbers(space.tx, [n])
  return block !== undefined && space.canReachDocument(block.document)
}

/** Loads the collection of a block of type `collection`. */
export async function loadCollection(space: Space, block: BlockRow): Promise<Collection> {
  const [collection] = await loadCollections(space, [block])
  return collection as Collection
}

/** Loads the collections of several blocks of type `collection`, in their order. */
export async function loadCollections(space: Space, blocks: readonly BlockRow[]): Promise<Collection[]> {
  const numbers = blocks.map(({ n }) => n)
  const rows = new Map((await collectionsByNumbers(space.tx, numbers)).map((row) => [row.n, row]))
  const options = Map.groupBy(await collectionOptions(space.tx, ...numbers), ({ property }) => property)
  const stored = Map.groupBy(await collectionProperties(space.tx, ...numbers), ({ collection }) => collection)
  const titles = new Map(Array.from(rows.values(), ({ n, titleName }) => [n, { n: 0, name: titleName }]))
  const columns = Array.from(titles, ([n, title]) => [title, ...(stored.get(n) ?? [])])
  const visible = await visibleNames(space, [...columns, ...options.values()])
  const nameOf = await visibleTitles(
    space,
    blocks.map(({ text }) => text),
  )
  const collections: Collection[] = []
  for await (const block of iterateCooperatively(blocks)) {
    const row = rows.get(block.n)
    const title = titles.get(block.n)
    if (row === undefined || title === undefined) throw new Error(`Expected the collection of block ${block.n}.`)
    const properties = (stored.get(block.n) ?? []).map((property) => {
      const own = (options.get(property.n) ?? []).map((option) => ({ ...option, ...visible(option) }))
      return { ...property, ...visible(property), options: own }
    })
    const titleName = visible(title).name
    collections.push({ ...row, titleName, storedTitleName: title.name, block, name: nameOf(block.text), properties })
  }
  return collections
}

/** Finds a property by its key or name, or by a word that only differs from those of one property in its spelling. */
export function findProperty(collection: Collection, word: string): Property | undefined {
  const found = findColumn(collection, word)
  return found === 'title' ? undefined : found
}

/** Like {@link findProperty}, but also finds the title column. */
export function findColumn(
  { properties, titleKey, titleName }: Collection,
  word: string,
): Property | 'title' | undefined {
  if (word === TITLE_KEY) return 'title'
  const title = { key: titleKey, name: titleName, isTitle: true as const }
  const found = findByWord([...properties, title], word)
  return found !== undefined && 'isTitle' in found ? 'title' : found
}
