import { z } from 'zod'
import {
  BLOCKS_PER_CALL,
  ITEMS_PER_ANSWER,
  ITEMS_PER_ANSWER_MAX,
  ITEMS_PER_CALL,
  PROPERTIES_PER_COLLECTION,
} from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { countBlocks } from '../src/markdown/block-count.ts'
import { addItems, prepareItems } from '../src/space/items/add-items.ts'
import { deleteItems } from '../src/space/items/delete-items.ts'
import { listItems } from '../src/space/items/item-list.ts'
import { updateItems } from '../src/space/items/update-items.ts'
import { itemList, writtenItem } from './shapes/block-output.ts'
import { cursor, format, id, ids, newBlock } from './shapes/block-shapes.ts'
import { entryParts, valueParts } from './shapes/call-parts.ts'
import { conflicts, expected, fencedOrTitle, heldBy, partial } from './shapes/conditions.ts'
import { collectionAliases, idAliases, itemQueryAliases, named, soleEntry } from './shapes/input-aliases.ts'
import { jsonText } from './shapes/published.ts'
import { answer, idsAlone, idsChanged } from './shapes/short-answers.ts'
import { itemQuery } from './shapes/view-shapes.ts'

const collectionId = id
const values = z.record(z.string(), z.unknown()).optional().meta(jsonText())
const allowNewSelectOptions = z.boolean().default(false)
/** The allowed keys depend on the collection; the rules of the space report unknown ones. */
const item = {
  title: z
    .unknown()
    .optional()
    .meta({ published: { type: 'string' } }),
  properties: values,
}
const writtenItems = z.strictObject({ items: z.array(writtenItem) })

const list = endpoint({
  name: 'items_list',
  title: 'List items',
  description:
    'List the items of a collection with their properties, in JSON with their content too; by a view or rules. limit 0 with calculations gives sums and counts alone.',
  route: 'GET /collections/{collectionId}/items',
  effect: 'read',
  hasView: true,
  isEssential: true,
  aliases: [...collectionAliases, ...named('collectionId', 'id'), ...itemQueryAliases],
  alsoKnownAs: [
    'items_get',
    'rows_list',
    'records_list',
    'items_search',
    'items_query',
    'collections_query',
    'collection_items',
  ],
  input: byKind(() =>
    z.strictObject({
      collectionId,
      ...itemQuery,
      maxDepth: z.int().min(-1).default(-1).describe('0 properties alone'),
      properties: z
        .array(z.string())
        .max(PROPERTIES_PER_COLLECTION + 1) // With that of the title.
        .optional()
        .describe('Only these keys'),
      heldBy,
      format,
      limit: z
        .int()
        .min(0)
        .max(ITEMS_PER_ANSWER_MAX)
        .optional()
        .meta({ published: { type: 'integer', default: ITEMS_PER_ANSWER_MAX } }),
      cursor,
    }),
  ),
  jsonOutput: itemList,
  mcpDefaults: { format: 'markdown', limit: ITEMS_PER_ANSWER },
  // The compiler reads the type of the answer from the first of these.
  handle: ({ space }, listing) => listItems(space, listing),
  blocks: { read: ({ blocks = 0 }) => blocks },
})

const add = endpoint({
  name: 'items_add',
  title: 'Add items',
  description:
    'Add items to a collection. properties are values by key: date YYYY-MM-DD or { start, end }, select option names, relation { relations: [{ blockId }] }, blockLink { blockId }. Set one side of a relation.',
  route: 'POST /collections/{collectionId}/items',
  effect: 'add',
  isEssential: true,
  aliases: [
    {
      from: 'items',
      to: 'items',
      when: (list) => Array.isArray(list) && list.some((one) => typeof one === 'string'),
      value: (list) => (list as unknown[]).map((one) => (typeof one === 'string' ? { title: one } : one)),
    },
    ...collectionAliases,
    ...named('items', 'item rows records'),
    ...soleEntry('items', 'title properties markdown content'),
    ...named('properties', 'values fields', 'items[].'),
  ],
  alsoKnownAs: ['items_create', 'rows_add', 'rows_create', 'records_add', 'records_create'],
  input: byKind(() =>
    z.strictObject({
      collectionId,
      items: z
        .array(
          z
            .looseObject({
              ...item,
              markdown: z.string().optional(),
              content: z.array(newBlock).max(BLOCKS_PER_CALL).optional().meta({ hidden: true }),
            })
            .meta({ component: 'NewItem' }),
        )
        .min(1)
        .max(ITEMS_PER_CALL),
      allowNewSelectOptions,
      answer,
    }),
  ),
  output: writtenItems,
  shorten: idsAlone,
  prepare: prepareItems,
  blocks: { write: ({ items }) => items.reduce((sum, { content }) => sum + 1 + countBlocks(content), 0) },
  parts: entryParts('items', { kind: 'added', order: 'end' }),
  handle: ({ space }, input) => addItems(space, input),
})

const update = endpoint({
  name: 'items_update',
  title: 'Update items',
  description: 'Change the given properties of items; null clears.',
  route: 'PUT /collections/{collectionId}/items',
  effect: 'change',
  isEssential: true,
  aliases: [
    ...collectionAliases,
    ...named('itemsToUpdate', 'items updates item rows'),
    ...soleEntry('itemsToUpdate', 'id itemId title properties'),
    ...named('id', 'itemId blockId', 'itemsToUpdate[].'),
    ...named('properties', 'values fields', 'itemsToUpdate[].'),
  ],
  alsoKnownAs: ['items_edit', 'rows_update', 'records_update'],
  input: byKind(() =>
    z.strictObject({
      collectionId,
      itemsToUpdate: z
        .array(z.looseObject({ id, ...item, expected, ...fencedOrTitle }).meta({ component: 'ItemChange' }))
        .min(1)
        .max(ITEMS_PER_CALL),
      partial,
      allowNewSelectOptions,
      answer,
    }),
  ),
  endsLeases: true,
  output: writtenItems.extend({ conflicts }),
  shorten: idsChanged('itemsToUpdate'),
  blocks: { write: ({ itemsToUpdate }) => itemsToUpdate.length },
  parts: valueParts('itemsToUpdate'),
  handle: ({ space }, input) => updateItems(space, input),
})

const remove = endpoint({
  name: 'items_delete',
  title: 'Delete items',
  description: 'Delete items with their content.',
  route: 'DELETE /collections/{collectionId}/items',
  effect: 'delete',
  aliases: [...collectionAliases, ...idAliases('idsToDelete', 'itemIds itemId items')],
  alsoKnownAs: ['rows_delete', 'records_delete'],
  input: byKind(() => z.strictObject({ collectionId, idsToDelete: ids })),
  output: z.strictObject({ items: z.array(z.strictObject({ id: z.string() })) }),
  blocks: { write: ({ idsToDelete }) => idsToDelete.length },
  deletes: ({ idsToDelete }) => idsToDelete,
  parts: entryParts('idsToDelete', { kind: 'removed', subject: '' }),
  handle: ({ space }, { collectionId, idsToDelete }) => deleteItems(space, collectionId, idsToDelete),
})

export const items = [list, add, update, remove]
