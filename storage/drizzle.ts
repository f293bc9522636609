/**
 * drizzle-orm, loaded as CommonJS.
 *
 * Its files export each other in circles, and Node takes some 250 ms of processor time to link them as ES modules:
 * more than all else that a start needs. As CommonJS the same files take 40.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export const { and, asc, desc, eq, gt, gte, inArray, lte, ne, sql } =
  require('drizzle-orm') as typeof import('drizzle-orm')
export const { drizzle } = require('drizzle-orm/better-sqlite3') as typeof import('drizzle-orm/better-sqlite3')
export const { integer, sqliteTable, text } =
  require('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core')
