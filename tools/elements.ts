import { z } from 'zod'
import { isObject } from '../src/base/is-object.ts'
import { ELEMENTS_PER_CALL } from '../src/base/limits.ts'
import { byKind, endpoint, type InputAlias, type ShortAnswer } from '../src/endpoint.ts'
import {
  addElements,
  deleteElements,
  listElements,
  prepareAddElements,
  prepareUpdateElements,
  updateElements,
} from '../src/space/whiteboards/whiteboard-elements.ts'
import { id } from './shapes/block-shapes.ts'
import { addingPart } from './shapes/call-parts.ts'
import { conflicts, partial } from './shapes/conditions.ts'
import { idAliases, named } from './shapes/input-aliases.ts'
import { jsonText, jsonTextAsIn } from './shapes/published.ts'

const whiteboardBlockId = id
/** Passed on unchanged, including nulls: a rule checks that it is an object with the required fields. */
const text = { type: 'string' }
const element = z.unknown().meta({
  described: { component: 'Element', type: 'object', properties: { id: text, type: text }, additionalProperties: true },
})
const number = { type: 'number' }
const bound = { type: 'object', properties: { id: text } }
/** The keys of Excalidraw that most drawings use. */
const elementProperties = {
  id: text,
  type: text,
  x: number,
  y: number,
  width: number,
  height: number,
  text,
  label: { type: 'object', properties: { text } },
  start: bound,
  end: bound,
}
const json = z.record(z.string(), z.unknown()).optional()
const elementList = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .array(entry)
    .refine((entries) => entries.length <= ELEMENTS_PER_CALL, {
      error: ({ input }) =>
        `Expected at most ${ELEMENTS_PER_CALL} elements in one call, found ${(input as unknown[]).length}; send the rest in further calls.`,
    })
    .meta({ maxItems: ELEMENTS_PER_CALL })
const answer = z
  .enum(['ids', 'changed', 'full'])
  .default('full')
  .meta({ published: { type: 'string', enum: ['changed', 'full'] } })
/** Not validated again, since elements can have any keys and can be many. */
const anyObject = z.unknown().meta({ type: 'object', additionalProperties: true })
const elementAliases: readonly InputAlias[] = [
  ...named('whiteboardBlockId', 'whiteboardId boardId blockId id'),
  ...named('elements', 'element items'),
  {
    from: 'elements',
    to: 'elements',
    when: isObject,
    value: (one) => [one],
  },
]

/** Each call reads or writes one block, the board. Its ID is recorded in the audit log. */
const board = z.strictObject({
  elements: z.array(anyObject),
  assets: anyObject.optional(),
  appState: anyObject.optional(),
})

const elementIds: ShortAnswer<{ elements: unknown[]; conflicts?: object[] | undefined }> = {
  output: z.looseObject({ elements: z.array(anyObject) }),
  make: ({ elements, conflicts }) => ({
    elements: elements.map((one) => ({ id: (one as { id: string }).id })),
    ...(conflicts && { conflicts }),
  }),
}

const list = endpoint({
  name: 'elements_list',
  title: 'List elements',
  description: 'All Excalidraw elements of a whiteboard, with assets.',
  route: 'GET /whiteboards/{whiteboardBlockId}/elements',
  effect: 'read',
  hasView: true,
  aliases: named('whiteboardBlockId', 'whiteboardId boardId blockId id'),
  alsoKnownAs: ['whiteboards_get', 'whiteboards_read', 'boards_get'],
  input: byKind(() => z.strictObject({ whiteboardBlockId })),
  output: board,
  blocks: { read: () => 1 },
  handle: ({ space }, { whiteboardBlockId }) => listElements(space, whiteboardBlockId),
})

const add = endpoint({
  name: 'elements_add',
  title: 'Add elements',
  description: 'Draw Excalidraw elements on a whiteboard.',
  route: 'POST /whiteboards/{whiteboardBlockId}/elements',
  effect: 'add',
  // Elements whose IDs exist already are refused.
  hints: { idempotent: true },
  aliases: elementAliases,
  alsoKnownAs: ['shapes_add', 'whiteboards_draw'],
  parts: addingPart('whiteboardBlockId'),
  input: byKind(() =>
    z.strictObject({
      whiteboardBlockId,
      elements: elementList(
        element.meta({ published: { type: 'object', properties: elementProperties, required: ['id', 'type'] } }),
      ),
      assets: json.meta(jsonText()),
      appState: json.meta(jsonText()),
      answer,
    }),
  ),
  output: board,
  shorten: elementIds,
  prepare: prepareAddElements,
  blocks: { write: () => 1 },
  writtenIds: (_, { whiteboardBlockId }) => [String(whiteboardBlockId.number)],
  handle: ({ space }, input) => addElements(space, input),
})

const update = endpoint({
  name: 'elements_update',
  title: 'Update elements',
  description: 'Change the given keys of elements.',
  route: 'PUT /whiteboards/{whiteboardBlockId}/elements',
  effect: 'change',
  aliases: elementAliases,
  alsoKnownAs: ['whiteboards_update', 'shapes_update'],
  input: byKind(() =>
    z.strictObject({
      whiteboardBlockId,
      elements: elementList(
        element.meta({ published: { type: 'object', properties: elementProperties, required: ['id'] } }),
      )
        .min(1)
        .meta(jsonTextAsIn('elements_add')),
      // As read; validated by the rules of the space.
      assets: json.meta({ hidden: true }),
      appState: json.meta({ hidden: true }),
      partial,
      answer,
    }),
  ),
  output: board.extend({ conflicts }),
  shorten: elementIds,
  prepare: prepareUpdateElements,
  blocks: { write: () => 1 },
  writtenIds: (_, { whiteboardBlockId }) => [String(whiteboardBlockId.number)],
  handle: ({ space }, input) => updateElements(space, input),
})

const remove = endpoint({
  name: 'elements_delete',
  title: 'Delete elements',
  description: 'Delete elements.',
  route: 'DELETE /whiteboards/{whiteboardBlockId}/elements',
  effect: 'delete',
  aliases: [...named('whiteboardBlockId', 'whiteboardId boardId blockId'), ...idAliases('elementIds', 'elements')],
  alsoKnownAs: ['shapes_delete'],
  input: byKind(() => z.strictObject({ whiteboardBlockId, elementIds: elementList(z.string()).min(1) })),
  output: z.strictObject({ deletedCount: z.int(), remainingCount: z.int() }),
  blocks: { write: () => 1 },
  writtenIds: (_, { whiteboardBlockId }) => [String(whiteboardBlockId.number)],
  handle: ({ space }, { whiteboardBlockId, elementIds }) => deleteElements(space, whiteboardBlockId, elementIds),
})

export const elements = [list, add, update, remove]
