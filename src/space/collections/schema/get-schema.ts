/** Reads the schema of a collection. */

import type { AnyId } from '../../model/ids.ts'
import type { Space } from '../../model/space.ts'
import { findCollection } from './find-collection.ts'
import { itemsJsonSchema, type JsonSchema } from './items-json-schema.ts'
import { noteSeen, type SchemaAnswer, showSchema } from './schema-answer.ts'

/** Returns a JSON Schema of the input of items_add, or the schema in the shape that schema_update accepts. */
export async function getSchema(
  space: Space,
  collectionId: AnyId,
  format: 'json-schema-items' | 'schema',
): Promise<SchemaAnswer | JsonSchema> {
  const collection = await findCollection(space, collectionId)
  if (format === 'schema') return showSchema(space, collection)
  noteSeen(space, collection)
  return itemsJsonSchema(collection)
}
