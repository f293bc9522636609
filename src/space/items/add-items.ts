/** Adds items to a collection. Each item is a page with values and content. */

import { invalidFields } from '../../base/errors.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import { readGivenText, UNWRAPPED_NOTE } from '../../markdown/given-text.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { CUT_OFF_MESSAGE, type NewBlock, parseNewBlocks, parseText } from '../blocks/block-input.ts'
import { findCollection } from '../collections/schema/find-collection.ts'
import { insertBlockTrees } from '../editing/insert-blocks.ts'
import type { AnyId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'
import { type ItemAnswerFormat, itemAnswers } from './item-answer.ts'
import { type ItemInput, type ParsedItem, parseItem } from './item-input.ts'
import { resolveTargets, writeItemValues } from './write-item-values.ts'

interface NewItemInput extends ItemInput {
  content?: NewBlock[] | undefined
  markdown?: string | undefined
}

interface AddItemsInput<Item> {
  collectionId: AnyId
  items: readonly Item[]
  allowNewSelectOptions: boolean
  answer: ItemAnswerFormat
}

/** An item with its content parsed. */
interface PreparedItem {
  input: ItemInput
  content: readonly Block[]
  /** True if a fence around its text was left out. */
  isUnwrapped: boolean
}

/** @throws VALIDATION_ERROR if content cannot be parsed, or if there are more blocks than one call may write */
export async function prepareItems(request: AddItemsInput<NewItemInput>): Promise<AddItemsInput<PreparedItem>> {
  const items: PreparedItem[] = []
  for await (const [index, input] of iterateCooperatively(request.items.entries())) {
    const { content, markdown, contentPreviewMd } = input
    const path = `items[${index}]`
    if (content !== undefined && markdown !== undefined) {
      const message = 'Expected either content or markdown, found both; give one of them.'
      throw invalidFields([{ path, message }])
    }
    if (content === undefined && contentPreviewMd != null) throw invalidFields([{ path, message: CUT_OFF_MESSAGE }])
    const parsed = content !== undefined ? await parseNewBlocks(content, `${path}.content`) : []
    const given = markdown
      ? readGivenText(markdown, typeof input.title === 'string' ? input.title : undefined)
      : undefined
    const isUnwrapped = given?.isUnwrapped ?? false
    items.push({ input, content: given?.text ? await parseText(given.text) : parsed, isUnwrapped })
  }
  assertBlockCount(items.length + countBlocks(items.flatMap(({ content }) => content)))
  return { ...request, items }
}

/**
 * Adds items at the end of their collection.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR with the path of every error in every item. Nothing is written in these
 *   cases.
 */
export async function addItems(
  space: Space,
  { collectionId, items, allowNewSelectOptions, answer }: AddItemsInput<PreparedItem>,
) {
  if (items.some(({ isUnwrapped }) => isUnwrapped)) space.notes.add(UNWRAPPED_NOTE)
  const collection = await findCollection(space, collectionId)
  const errors = new InputErrors()
  const rules = { allowsNewOptions: allowNewSelectOptions, calendar: space }
  const parsed: ParsedItem[] = []
  for await (const [index, { input }] of iterateCooperatively(items.entries())) {
    const path = `items[${index}]`
    const item = parseItem(collection, input, path, errors, rules)
    if (item.isUntitled) errors.add(`${path}.title`, missingTitleMessage(collection.titleName))
    parsed.push(item)
    if (errors.hasTooMany) break
  }
  errors.throwIfAny()
  const targets = await resolveTargets(
    space,
    parsed.flatMap(({ entries }) => entries),
  )
  const blocks = parsed.map(({ title = '' }, index): Block => {
    return { type: 'collectionItem', text: titleFromPlain(title), content: [...(items[index]?.content ?? [])] }
  })
  const added = await insertBlockTrees(space, blocks, { parent: collection.block, at: 'end' })
  const written = added.map(({ row }, index) => ({ item: row, entries: parsed[index]?.entries ?? [] }))
  await writeItemValues(space, collection, written, targets, true)
  const rows = added.map(({ row }) => row)
  return { items: await itemAnswers(space, collection, rows, answer) }
}

const missingTitleMessage = (name: string): string => `Expected a title (${name}), found none; give it.`
