/** Updates items. Only the given fields change. */

import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import type { BlockFieldsInput } from '../blocks/block-input.ts'
import { type Collection, findCollection } from '../collections/schema/find-collection.ts'
import { commentTagKeeper } from '../comments/comment-threads.ts'
import { applyFences, checkFences } from '../leases/fenced-changes.ts'
import { restoreText, visibleTitles } from '../model/block-links.ts'
import { updateRows } from '../model/block-writes.ts'
import { entriesAsExpected, type FoundFields } from '../model/conditions.ts'
import { type AnyId, type GivenId, idNumber } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'
import { checkAsRead, type SentBlock } from '../reading/as-read.ts'
import { type ItemAnswerFormat, itemAnswers } from './item-answer.ts'
import { type ItemInput, type ParsedItem, parseFence, parseItem } from './item-input.ts'
import { resolveTargets, writeItemValues } from './write-item-values.ts'

interface UpdateItemsInput {
  collectionId: AnyId
  itemsToUpdate: readonly (ItemInput & { id: GivenId })[]
  /** True to change the other items if conditions of some do not hold. */
  partial: boolean
  allowNewSelectOptions: boolean
  answer: ItemAnswerFormat
}

/**
 * @throws NOT_FOUND_ERROR; CONFLICT for an item that is not as its caller expects; VALIDATION_ERROR with the path of every
 *   error in every item. Nothing is written in these cases.
 */
export async function updateItems(space: Space, request: UpdateItemsInput) {
  const collection = await findCollection(space, request.collectionId)
  const errors = new InputErrors()
  const ids = request.itemsToUpdate.map(({ id }) => id)
  const found = await findItemsById(space, collection, ids)
  const pathOf = (index: number) => `itemsToUpdate[${index}]`
  const entries = request.itemsToUpdate.map((item, index) => ({
    ...{ id: item.id, expected: item.expected },
    ...parseFence(collection, item, pathOf(index), errors),
  }))
  errors.throwIfAny()
  const fences = await checkFences(space, entries, found, { noun: 'item', pathOf })
  const { held, conflicts } = await entriesAsExpected({
    ...{ entries, noun: 'item', isPartial: request.partial, groups: ['properties'] },
    pathOf,
    idOf: ({ id }) => space.spellId(id.number),
    expectedOf: ({ expected }) => expected,
    read: (items) => readFields(space, collection, items, found),
    differences: fences.differences,
  })
  const skipped = new Set(conflicts.map(({ index }) => index))
  const visibleTitle = await visibleTitles(
    space,
    [...found.values()].map(({ text }) => text),
  )
  const rules = { allowsNewOptions: request.allowNewSelectOptions, calendar: space }
  const seen = new Set<number>()
  const sent: SentBlock[] = []
  const changes: (ParsedItem & { item: BlockRow | undefined })[] = []
  for await (const [index, input] of iterateCooperatively(request.itemsToUpdate.entries())) {
    if (skipped.has(index)) continue
    const path = pathOf(index)
    const item = found.get(input.id.number)
    if (item === undefined) errors.add(`${path}.id`, itemNotFoundMessage(collection, input.id))
    if (seen.has(input.id.number)) errors.add(`${path}.id`, duplicateItemMessage(input.id))
    seen.add(input.id.number)
    if (input.markdown !== undefined) errors.add(`${path}.markdown`, unexpectedContentMessage('markdown'))
    if (item !== undefined) sent.push({ row: item, input: contentOf(input), path })
    const title = item && visibleTitle(item.text)
    changes.push({ item, ...parseItem(collection, input, path, errors, rules, title) })
    if (errors.hasTooMany) break
  }
  await checkAsRead(space, sent, errors)
  errors.throwIfAny()
  const targets = await resolveTargets(
    space,
    changes.flatMap(({ entries }) => entries),
  )
  const items = changes.flatMap(({ item, title, entries }) => (item === undefined ? [] : [{ item, title, entries }]))
  const rows = items.map(({ item }) => item)
  const preserveTag = await commentTagKeeper(space, rows)
  for await (const { item, title } of iterateCooperatively(items)) {
    // If the plain text of the title stays the same, keep its formatting, which block tools may have added.
    if (title !== undefined && title !== visibleTitle(item.text)) {
      item.text = preserveTag(item, restoreText(item.type, titleFromPlain(title), item.text))
    }
    Object.assign(item, { modifiedAt: space.now, modifiedBy: space.link.author })
  }
  await updateRows(space, rows)
  await writeItemValues(space, collection, items, targets, false)
  if (items.length > 0) await space.markChanged(collection.block.document)
  await applyFences(space, held, found, fences)
  const answers = await itemAnswers(space, collection, rows, request.answer)
  return { items: answers, ...(conflicts.length > 0 && { conflicts }) }
}

/** What conditions can name of an item: its title, under both of its keys, and each of its properties. */
async function readFields(
  space: Space,
  collection: Collection,
  items: readonly { id: GivenId }[],
  found: ReadonlyMap<number, BlockRow>,
): Promise<(FoundFields | undefined)[]> {
  const rows = items.map(({ id }) => found.get(id.number))
  const present = rows.filter((row) => row !== undefined)
  const answers = await itemAnswers(space, collection, present, 'full')
  const empty = Object.fromEntries(collection.properties.map(({ key }) => [key, null]))
  const fields = new Map(
    present.map((row, index) => {
      const { title, properties } = answers[index] ?? {}
      return [row, { ...empty, [collection.titleKey]: title, ...properties, title }] as const
    }),
  )
  return rows.map((row) => row && fields.get(row))
}

/** Finds those IDs that are items of the collection. */
export async function findItemsById(
  space: Space,
  collection: Collection,
  ids: readonly AnyId[],
): Promise<Map<number, BlockRow>> {
  const rows = await space.findReachableBlocks(ids.map(idNumber))
  const items = rows.filter(({ type, parent }) => type === 'collectionItem' && parent === collection.n)
  return new Map(items.map((row) => [row.id, row]))
}

export const itemNotFoundMessage = (collection: Collection, id: AnyId): string =>
  `Expected the ID of an item of ${JSON.stringify(collection.name)}, found ${id}; read IDs with items_list and name one of those.`

const duplicateItemMessage = (id: AnyId): string =>
  `Expected each item once, found ${id} twice; put its changes together.`

/** Fields in the output of items_list that this call cannot change. */
const contentOf = ({ content, contentPreviewMd }: ItemInput): BlockFieldsInput => ({ content, contentPreviewMd })

const unexpectedContentMessage = (key: string): string =>
  `Expected title and properties, found ${key}; change what an item holds with blocks_add, blocks_update and blocks_delete.`
