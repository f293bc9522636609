/** All endpoints, in the order of the README and of every tool list. */
import { blocks } from './blocks.ts'
import { connection } from './connection.ts'
import { documents } from './documents.ts'
import { folders } from './folders.ts'

export const endpoints = [...blocks, ...documents, ...folders, ...connection]
