/** All endpoints, in the order of the README and of every tool list. */
import { blocks } from './blocks.ts'
import { collections } from './collections.ts'
import { connection } from './connection.ts'
import { documents } from './documents.ts'
import { folders } from './folders.ts'
import { items } from './items.ts'
import { schema } from './schema.ts'
import { views } from './views.ts'

export const endpoints = [
  ...blocks,
  ...documents,
  ...folders,
  ...collections,
  ...schema,
  ...items,
  ...views,
  ...connection,
]
