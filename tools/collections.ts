import { z } from 'zod'
import { COLLECTIONS_PER_ANSWER, COLLECTIONS_PER_ANSWER_MAX } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { collectionsToMarkdown } from '../src/space/collections/collections-markdown.ts'
import { listCollections } from '../src/space/collections/list-collections.ts'
import { addCollection } from '../src/space/editing/add-collection.ts'
import type { ConnectionKind } from '../src/space/model/space.ts'
import { pagination } from './shapes/block-output.ts'
import { cursor, date, format, ids, limit } from './shapes/block-shapes.ts'
import { schemaInput, schemaOutput } from './shapes/collection-shapes.ts'
import { foreignSchema } from './shapes/foreign-schema.ts'
import { named, positionAliases } from './shapes/input-aliases.ts'
import { positionBrief } from './shapes/positions.ts'
import { answer, newKeys } from './shapes/short-answers.ts'

const page = { format, limit: limit(COLLECTIONS_PER_ANSWER_MAX, COLLECTIONS_PER_ANSWER_MAX), cursor }
const documentIds = ids.optional()

const listInput = {
  full: z.strictObject({ documentIds, ...page }),
  selected: z.strictObject({
    documentIds,
    documentFilterMode: z.enum(['include', 'exclude']).default('include'),
    ...page,
  }),
  daily: z.strictObject({ startDate: date.optional(), endDate: date.optional(), ...page }),
}

const collection = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    itemCount: z.int(),
    documentId: z.string().optional(),
    dailyNoteDate: z.string().optional(),
    schema: schemaOutput,
  })
  .meta({ component: 'Collection' })

const list = endpoint({
  name: 'collections_list',
  title: 'List collections',
  description: 'List collections (tables of items) with the key, type and options of each property.',
  route: 'GET /collections',
  effect: 'read',
  isEssential: true,
  aliases: named('documentIds', 'documentId documents ids'),
  alsoKnownAs: ['databases_list', 'tables_list', 'collections_get', 'collections_search'],
  input: listInput,
  output: z.strictObject({
    items: z.array(collection).max(COLLECTIONS_PER_ANSWER_MAX),
    pagination,
  }),
  mcpDefaults: { limit: COLLECTIONS_PER_ANSWER },
  renderMarkdown: collectionsToMarkdown,
  handle: ({ space }, listing) => listCollections(space, listing),
})

const add = endpoint({
  name: 'collections_add',
  title: 'Add collection',
  description:
    'Make a collection. A relation without targetCollectionId points to this collection; its reverse is added too. With config { dependsOn: true }, it holds what items depend on.',
  route: 'POST /collections',
  effect: 'add',
  aliases: [
    ...named('schema.name', 'name title'),
    ...named('schema.properties', 'properties columns fields'),
    ...named('name', 'title', 'schema.'),
    ...named('properties', 'columns fields', 'schema.'),
    ...foreignSchema,
    ...positionAliases,
  ],
  alsoKnownAs: ['collections_create', 'databases_add', 'databases_create', 'tables_add', 'tables_create'],
  input: byKind((kind: ConnectionKind) =>
    z.strictObject({ schema: schemaInput, position: positionBrief[kind], answer }),
  ),
  output: z.strictObject({
    collectionBlockId: z.string(),
    name: z.string(),
    schema: schemaOutput,
    documentId: z.string().optional(),
    dailyNoteDate: z.string().optional(),
  }),
  shorten: newKeys,
  blocks: { write: () => 1 },
  handle: ({ space }, { schema, position }) => addCollection(space, schema, position),
})

export const collections = [list, add]
