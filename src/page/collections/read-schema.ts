/** Reads the schema of a collection. */

import type { PageCall } from '../page-call.ts'
import type { CollectionSchema } from '../page-tools.ts'

/** @throws NOT_FOUND_ERROR */
export async function readSchema(call: PageCall, collectionId: string): Promise<CollectionSchema> {
  const schema = await call.run('schema_get', { collectionId, format: 'schema' })
  if (isAsWritten(schema)) return schema
  throw new Error('Expected the schema of a collection as it is written, found a JSON Schema.')
}

const isAsWritten = (schema: object): schema is CollectionSchema => 'contentPropDetails' in schema
