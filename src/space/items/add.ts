/** Adds items to a collection: each a page, with values and content. */
import { eachInTurn } from '../../breathe.ts'
import { faultsFound } from '../../errors.ts'
import type { Block } from '../../markdown/block.ts'
import { checkCount, countBlocks } from '../../markdown/block-count.ts'
import { titleOf } from '../../markdown/title.ts'
import { type NewBlock, readNewBlocks, readText } from '../blocks/input.ts'
import { insertTree } from '../blocks/insert.ts'
import { findCollection } from '../collections/find.ts'
import { Faults } from '../faults.ts'
import type { Space } from '../space.ts'
import { answerItems, type ItemAnswerForm } from './answer.ts'
import { type ItemInput, type ReadItem, readItem } from './input.ts'
import { findTargets, writeValues } from './write.ts'

interface NewItem extends ItemInput {
  content?: NewBlock[] | undefined
  markdown?: string | undefined
}

interface Asked<Item> {
  collectionId: string
  items: readonly Item[]
  allowNewSelectOptions: boolean
  answer: ItemAnswerForm
}

/** An item with its content read. */
interface Prepared {
  input: ItemInput
  content: readonly Block[]
}

/** @throws VALIDATION_ERROR for content that cannot be read, or more blocks than one call may write */
export async function prepareItems(asked: Asked<NewItem>): Promise<Asked<Prepared>> {
  const items: Prepared[] = []
  for await (const [index, input] of eachInTurn(asked.items.entries())) {
    const { content, markdown } = input
    if (content !== undefined && markdown !== undefined) {
      const message = 'Expected either content or markdown, found both; give one of them.'
      throw faultsFound([{ path: `items[${index}]`, message }])
    }
    const read = content !== undefined ? await readNewBlocks(content, `items[${index}].content`) : []
    items.push({ input, content: markdown ? await readText(markdown) : read })
  }
  checkCount(items.length + countBlocks(items.flatMap(({ content }) => content)))
  return { ...asked, items }
}

/**
 * The added items, at the end of their collection.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR with the path of every fault of every item: none is written then
 */
export async function addItems(space: Space, { collectionId, items, allowNewSelectOptions, answer }: Asked<Prepared>) {
  const collection = await findCollection(space, collectionId)
  const faults = new Faults()
  const read: ReadItem[] = []
  for await (const [index, { input }] of eachInTurn(items.entries())) {
    const path = `items[${index}]`
    const item = readItem(collection, input, path, faults, allowNewSelectOptions)
    if (item.isUntitled) faults.add(`${path}.title`, noTitle(collection.titleName))
    read.push(item)
    if (faults.areMany) break
  }
  faults.refuse()
  const targets = await findTargets(
    space,
    read.flatMap(({ entries }) => entries),
  )
  const blocks = read.map(({ title = '' }, index): Block => {
    return { type: 'collectionItem', text: titleOf(title), content: [...(items[index]?.content ?? [])] }
  })
  const added = await insertTree(space, blocks, { parent: collection.block, at: 'end' })
  const written = added.map(({ row }, index) => ({ item: row, entries: read[index]?.entries ?? [] }))
  await writeValues(space, collection, written, targets, true)
  const rows = added.map(({ row }) => row)
  return { items: await answerItems(space, rows, answer) }
}

const noTitle = (name: string): string => `Expected a title (${name}), found none; give it.`
