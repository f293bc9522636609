/** Reads the schema of a collection. */
import { findCollection } from '../collections/find.ts'
import type { Space } from '../space.ts'
import { schemaAnswer } from './answer.ts'
import { itemsJsonSchema } from './json-schema.ts'

/** As the JSON Schema of what items_add takes, or in the shape in which schema_update takes it. */
export async function getSchema(
  space: Space,
  collectionId: string,
  format: 'json-schema-items' | 'schema',
): Promise<object> {
  const collection = await findCollection(space, collectionId)
  return format === 'schema' ? schemaAnswer(space, collection) : itemsJsonSchema(collection)
}
