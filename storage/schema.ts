/**
 * The tables as declared for drizzle. Migrations create them, and a test checks that the two agree.
 *
 * Each row has an integer `n` (SQLite's rowid: the fastest key, and it makes files a quarter smaller). Rows that
 * clients name also have an `id`: a random number of twelve digits, unique in its space across all tables. Spaces,
 * participants and access links have a UUIDv7 instead. References between tables use `n`; IDs are used only at the API
 * boundary. An `n` is never reused in its table, even after the row is deleted (AUTOINCREMENT), so a stored number
 * never refers to another row. Times are milliseconds since 1970 in UTC, dates are `YYYY-MM-DD`.
 */
export * from './schema/access-tables.ts'
export * from './schema/attachment-tables.ts'
export * from './schema/calendar-tables.ts'
export * from './schema/call-tables.ts'
export * from './schema/collection-tables.ts'
export * from './schema/count-tables.ts'
export * from './schema/document-tables.ts'
export * from './schema/event-tables.ts'
export * from './schema/import-tables.ts'
export * from './schema/lease-tables.ts'
export * from './schema/member-tables.ts'
export * from './schema/proposal-tables.ts'
export * from './schema/space-tables.ts'
