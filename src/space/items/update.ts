/** Changes items; only what is given changes. */
import { updateBlock } from '../../../storage/blocks.ts'
import { touchDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { eachInTurn } from '../../breathe.ts'
import { titleOf } from '../../markdown/title.ts'
import { type Collection, findCollection } from '../collections/find.ts'
import { keepComments } from '../comments.ts'
import { Faults } from '../faults.ts'
import { restoreText, visibleTitles } from '../links.ts'
import type { Space } from '../space.ts'
import { answerItems, type ItemAnswerForm } from './answer.ts'
import { type ItemInput, type ReadItem, readItem } from './input.ts'
import { findTargets, writeValues } from './write.ts'

interface Asked {
  collectionId: string
  itemsToUpdate: readonly (ItemInput & { id: string })[]
  allowNewSelectOptions: boolean
  answer: ItemAnswerForm
}

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR with the path of every fault of every item: none is written then */
export async function updateItems(space: Space, asked: Asked) {
  const collection = await findCollection(space, asked.collectionId)
  const faults = new Faults()
  const ids = asked.itemsToUpdate.map(({ id }) => id)
  const found = await itemsById(space, collection, ids)
  const seen = new Set<string>()
  const changes: (ReadItem & { item: BlockRow | undefined })[] = []
  for await (const [index, input] of eachInTurn(asked.itemsToUpdate.entries())) {
    const path = `itemsToUpdate[${index}]`
    const item = found.get(input.id)
    if (item === undefined) faults.add(`${path}.id`, noItem(collection, input.id))
    if (seen.has(input.id)) faults.add(`${path}.id`, twice(input.id))
    seen.add(input.id)
    for (const key of ['content', 'markdown']) {
      if (input[key] !== undefined) faults.add(`${path}.${key}`, noContent(key))
    }
    changes.push({ item, ...readItem(collection, input, path, faults, asked.allowNewSelectOptions) })
    if (faults.areMany) break
  }
  faults.refuse()
  const targets = await findTargets(
    space,
    changes.flatMap(({ entries }) => entries),
  )
  const items = changes.flatMap(({ item, title, entries }) => (item === undefined ? [] : [{ item, title, entries }]))
  const titleShown = await visibleTitles(
    space,
    items.map(({ item }) => item.text),
  )
  for await (const { item, title } of eachInTurn(items)) {
    // Marks in a title that block tools gave it stay while it says the same.
    await writeItem(space, item, title === titleShown(item.text) ? undefined : title)
  }
  await writeValues(space, collection, items, targets, false)
  await touchDocument(space.tx, collection.block.document, space.now)
  return {
    items: await answerItems(
      space,
      items.map(({ item }) => item),
      asked.answer,
    ),
  }
}

async function writeItem(space: Space, item: BlockRow, title: string | undefined): Promise<void> {
  if (title !== undefined)
    item.text = await keepComments(space, item, restoreText(item.type, titleOf(title), item.text))
  Object.assign(item, { modifiedAt: space.now, modifiedBy: space.link.author })
  await updateBlock(space.tx, item)
}

/** Those of the IDs that are items of a collection. */
export async function itemsById(
  space: Space,
  collection: Collection,
  ids: readonly string[],
): Promise<Map<string, BlockRow>> {
  const rows = await space.reachable(ids)
  const items = rows.filter(({ type, parent }) => type === 'collectionItem' && parent === collection.n)
  return new Map(items.map((row) => [row.id, row]))
}

export const noItem = (collection: Collection, id: string): string =>
  `Expected the ID of an item of ${JSON.stringify(collection.name)}, found ${id}; read IDs with items_list and name one of those.`

const twice = (id: string): string => `Expected each item once, found ${id} twice; put its changes together.`

const noContent = (key: string): string =>
  `Expected title and properties, found ${key}; change what an item holds with blocks_add, blocks_update and blocks_delete.`
