/**
 * drizzle-orm, loaded as CommonJS.
 *
 * For each of its hundred ES modules Node parses the package's 179 KB package.json again: some 250 ms of processor
 * time, more than all else that a start needs. As CommonJS the same files take 40.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export const { and, asc, desc, eq, getTableColumns, getTableName, gt, gte, inArray, isNull, lte, ne, notInArray, sql } =
  require('drizzle-orm') as typeof import('drizzle-orm')
export const { drizzle } = require('drizzle-orm/better-sqlite3') as typeof import('drizzle-orm/better-sqlite3')
export const { integer, primaryKey, real, sqliteTable, text } =
  require('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core')
