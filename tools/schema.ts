import { z } from 'zod'
import { byKind, endpoint } from '../src/endpoint.ts'
import { getSchema } from '../src/space/collections/schema/get-schema.ts'
import type { JsonSchema } from '../src/space/collections/schema/items-json-schema.ts'
import type { SchemaAnswer } from '../src/space/collections/schema/schema-answer.ts'
import { updateSchema } from '../src/space/collections/update-schema.ts'
import { id } from './shapes/block-shapes.ts'
import { schemaInput, schemaOutput } from './shapes/collection-shapes.ts'
import { expected } from './shapes/conditions.ts'
import { foreignSchema } from './shapes/foreign-schema.ts'
import { collectionAliases, named } from './shapes/input-aliases.ts'
import { jsonTextAsIn } from './shapes/published.ts'
import { newKeys, unlistedAnswer } from './shapes/short-answers.ts'

const get = endpoint({
  name: 'schema_get',
  title: 'Get schema',
  description: 'Get the schema of a collection: as JSON Schema of its items, or as written.',
  route: 'GET /collections/{collectionId}/schema',
  effect: 'read',
  aliases: [...collectionAliases, ...named('collectionId', 'id')],
  alsoKnownAs: ['collections_schema', 'schemas_get', 'collection_get'],
  input: byKind(() =>
    z.strictObject({ collectionId: id, format: z.enum(['json-schema-items', 'schema']).default('json-schema-items') }),
  ),
  output: z.looseObject({}) as unknown as z.ZodType<SchemaAnswer | JsonSchema>,
  handle: ({ space }, { collectionId, format }) => getSchema(space, collectionId, format),
})

const update = endpoint({
  name: 'schema_update',
  title: 'Replace schema',
  description:
    'Replace the whole schema of a collection. Existing properties keep their key; those left out go with their values. Rename an option by { name, renamedFrom }.',
  route: 'PUT /collections/{collectionId}/schema',
  effect: 'change',
  endsLeases: true,
  // A property without a key is added again each time.
  hints: { idempotent: false },
  aliases: [
    ...collectionAliases,
    ...named('collectionId', 'id'),
    ...named('name', 'title', 'schema.'),
    ...named('properties', 'columns fields', 'schema.'),
    ...foreignSchema,
  ],
  alsoKnownAs: ['collections_edit', 'schemas_update', 'properties_add', 'properties_update', 'columns_add'],
  input: byKind(() =>
    z.strictObject({
      collectionId: id,
      schema: schemaInput.meta(jsonTextAsIn('schema_get', 'JSON, as schema_get gives it with format schema')),
      expected,
      answer: unlistedAnswer,
    }),
  ),
  output: z.strictObject({
    collectionBlockId: z.string(),
    schema: schemaOutput,
    droppedValues: z.int().optional(),
  }),
  shorten: newKeys,
  handle: ({ space }, { collectionId, schema, expected }) => updateSchema(space, collectionId, schema, expected),
})

export const schema = [get, update]
