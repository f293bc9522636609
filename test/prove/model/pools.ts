/** The things that calls can refer to, as the model knows them. */
import { emptyPools, type Pools } from '../calls/pools.ts'
import { linesOf } from './editing.ts'
import type { Id } from './ids.ts'
import { type Block, isKept, subtree, type World } from './world.ts'

/**
 * Templates with a collection are rare and have more to copy, so each collection makes its template this many times
 * likelier.
 */
const MORE = 4

/** @param gone  IDs that may have been deleted */
export function poolsOf(world: World, gone: readonly string[]): Pools {
  const pools = { ...emptyPools(), isAlone: true }
  pools.gone.push(...gone)
  pools.folders.push(...world.folders.keys())
  pools.reminders.push(...world.reminders.keys())
  pools.comments.push(...world.comments.keys())
  for (const document of world.documents) {
    const { root, location } = document
    const { value } = root.id
    for (const block of subtree(root)) if (block !== root) addBlock(pools, block)
    if (isKept(document) || value === undefined) continue
    pools.documents.push(value)
    pools.holders.push(value)
    pools.pages.push(value)
    if (hasLines(root)) pools.linePages.push(value)
    if (location !== 'templates') continue
    const collections = subtree(root).filter(({ collection }) => collection !== undefined)
    pools.templates.push(...Array<string>(1 + collections.length * MORE).fill(value))
  }
  return pools
}

const hasLines = (page: Block): boolean => (linesOf(page)?.length ?? 0) > 0

const knownIds = (blocks: readonly { id: Id }[]): string[] => blocks.flatMap(({ id }) => id.value ?? [])

function addBlock(pools: Pools, block: Block): void {
  const {
    id: { value },
    type,
    listStyle,
    board,
    children,
    collection,
  } = block
  if (value === undefined) return
  pools.blocks.push(value)
  if (listStyle === 'task') pools.tasks.push(value)
  if (type === 'text') pools.texts.push(value)
  if (type === 'page') pools.pages.push(value)
  if ((type === 'page' || type === 'collectionItem') && hasLines(block)) pools.linePages.push(value)
  if (type === 'code') pools.codes.push(value)
  if (type === 'text' || type === 'page' || type === 'collectionItem') pools.holders.push(value)
  if (collection !== undefined) {
    const properties = collection.properties.map((property) => ({
      ...{ key: property.key, name: property.name, type: property.type, isBackReference: property.isBackReference },
      ...(property.type.endsWith('Select') && { options: property.options.map(({ name }) => ({ name })) }),
      ...(property.target?.block.id.value && { targetCollectionId: property.target.block.id.value }),
    }))
    pools.collections.push({ id: value, properties, items: knownIds(children), views: knownIds(collection.views) })
  }
  if (board !== undefined) pools.boards.push({ id: value, elements: board.elements.map(({ id }) => String(id)) })
}
