/** Lists of documents, by filters. */
import { type SQL, sql } from 'drizzle-orm'
import { type DocumentRecord, documentRecords } from './documents.ts'
import { type Location, SYSTEM_DOCUMENTS } from './schema.ts'
import { type Dialect, integerValue, listOfValues, quoted, statement } from './statement.ts'
import { documentHasTags } from './tags.ts'
import type { Transaction } from './transaction.ts'

/** Filters of a listing. A document must match all of them. Times are milliseconds, bounds are inclusive. */
export interface DocumentFilter {
  location?: Location
  /** Any of these. */
  locations?: readonly Location[]
  exceptLocation?: Location
  /** Folders by number. */
  folders?: readonly number[]
  /** Documents by number. */
  documents?: readonly number[]
  /** Documents by number to exclude. */
  exceptDocuments?: readonly number[]
  /** Tags, as they are compared: the document has all of them. */
  tags?: readonly string[]
  createdFrom?: number
  createdTo?: number
  modifiedFrom?: number
  modifiedTo?: number
  dailyNoteFrom?: string
  dailyNoteTo?: string
}

/** In order of creation; last changed first; or only daily notes, latest date first. */
export const DOCUMENT_ORDERS = ['created', 'modified', 'day'] as const
export type DocumentOrder = (typeof DOCUMENT_ORDERS)[number]

/** A place in a sorted list: the number of a document, and its sort key. The number breaks ties. */
export interface DocumentListPlace {
  n: number
  key: number | string
}

/** The column of the sort key; undefined if documents are sorted only by number. */
const ORDER_COLUMNS: Readonly<Record<DocumentOrder, SQL | undefined>> = {
  created: undefined,
  modified: sql.raw('document.modified_at'),
  day: sql.raw('document.daily_note_date'),
}

/** The place of a document in a list sorted by `order`. */
export const placeInList = (
  order: DocumentOrder,
  { n, modifiedAt, dailyNoteDate }: DocumentRecord,
): DocumentListPlace => ({
  n,
  key: order === 'modified' ? modifiedAt : order === 'day' ? (dailyNoteDate ?? '') : n,
})

function conditionsAfter(
  dialect: Dialect,
  filter: DocumentFilter,
  order: DocumentOrder,
  after?: DocumentListPlace,
): SQL {
  const column = ORDER_COLUMNS[order]
  const conditions = [filterConditions(dialect, filter)]
  if (order === 'day') conditions.push(sql`document.location = 'daily_notes'`)
  if (column === undefined) conditions.push(sql`document.n > ${integerValue(after?.n ?? 0)}`)
  if (after !== undefined && column !== undefined) {
    const key = typeof after.key === 'number' ? integerValue(after.key) : sql`${after.key}`
    conditions.push(sql`(${column}, document.n) < (${key}, ${integerValue(after.n)})`)
  }
  return sql.join(conditions, sql` AND `)
}

const orderTerms = (order: DocumentOrder): SQL => {
  const column = ORDER_COLUMNS[order]
  return column === undefined ? sql`document.n` : sql`${column} DESC, document.n DESC`
}

/** At most `limit` documents after a place, sorted by `order`. */
export async function listDocuments(
  tx: Transaction,
  filter: DocumentFilter,
  order: DocumentOrder,
  after: DocumentListPlace | undefined,
  limit: number,
): Promise<DocumentRecord[]> {
  const narrowed = await narrowFilter(tx, filter)
  // Titles and folders are read only for the documents on this page.
  const find = statement<{ n: number }>(
    (dialect) => sql`SELECT document.n FROM document
      WHERE ${conditionsAfter(dialect, narrowed, order, after)}
      ORDER BY ${orderTerms(order)} LIMIT ${integerValue(limit)}`,
  )
  const numbers = (await tx.all(find)).map(({ n }) => n)
  const records = new Map((await documentRecords(tx, numbers)).map((record) => [record.n, record]))
  return numbers.flatMap((n) => records.get(n) ?? [])
}

/** Places of documents: folders by number, and locations. */
export interface DocumentPlaces {
  folders: readonly number[]
  locations: readonly Location[]
}

/** The numbers of the first `limit` documents in each of these places, the oldest first, in one statement. */
export async function firstDocuments(
  tx: Transaction,
  { folders, locations }: DocumentPlaces,
  limit: number,
): Promise<number[]> {
  const places = [
    ...folders.map((n) => sql`folder = ${integerValue(n)}`),
    ...locations.map((location) => sql`location = ${quoted([location])} AND folder IS NULL`),
  ]
  if (places.length === 0) return []
  const firsts = places.map(
    (place) =>
      sql`SELECT n FROM (SELECT n FROM document WHERE ${place} ORDER BY n LIMIT ${integerValue(limit)}) AS one`,
  )
  return (await tx.all(statement<{ n: number }>(() => sql`${sql.join(firsts, sql` UNION ALL `)} ORDER BY n`))).map(
    ({ n }) => n,
  )
}

/** A document in a selection list. */
export interface DocumentChoice {
  id: number
  title: string
}

/**
 * Documents to select from: the selected ones first, then those whose titles contain all of the words, last changed
 * first.
 *
 * @param limit  number of documents besides the selected ones
 * @returns the documents, and how many more there are
 */
export async function listDocumentChoices(
  tx: Transaction,
  { words, chosen, limit }: { words: string; chosen: readonly number[]; limit: number },
): Promise<{ documents: DocumentChoice[]; more: number }> {
  const terms = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const from = sql`FROM document INNER JOIN block ON block.n = document.n
    WHERE document.location IN (${quoted(['folder', 'unsorted', 'templates'])})`
  const others = (dialect: Dialect) => {
    // SQLite's lower() handles only ASCII.
    const hasTerms = terms
      .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
      .map((like) => sql`(lower(block.text) LIKE ${like} ESCAPE '\\' OR block.text LIKE ${like} ESCAPE '\\')`)
    return sql.join(
      [sql`${from} AND block.id NOT IN ${listOfValues(dialect, chosen, 'integer')}`, ...hasTerms],
      sql` AND `,
    )
  }
  const first = await tx.all<DocumentChoice>(
    statement(
      (dialect) => sql`SELECT block.id, block.text AS title ${from}
        AND block.id IN ${listOfValues(dialect, chosen, 'integer')} ORDER BY block.n`,
    ),
  )
  const rest = await tx.all<DocumentChoice>(
    statement(
      (dialect) => sql`SELECT block.id, block.text AS title ${others(dialect)}
        ORDER BY document.modified_at DESC, document.n DESC LIMIT ${integerValue(limit)}`,
    ),
  )
  const all = await tx.get(statement<{ count: number }>((dialect) => sql`SELECT count(*) AS count ${others(dialect)}`))
  return { documents: [...first, ...rest], more: (all?.count ?? 0) - rest.length }
}

/**
 * The numbers of the documents of a filter, including the inbox and the logbook.
 *
 * @param inOrder  true to sort by last change, newest first. This reads the change time of each document; without it,
 * an index often suffices.
 */
export async function documentNumbers(tx: Transaction, filter: DocumentFilter, inOrder: boolean): Promise<number[]> {
  const narrowed = await narrowFilter(tx, filter)
  const order = inOrder ? sql`document.modified_at DESC, document.n DESC` : sql`document.n`
  const find = statement<{ n: number }>(
    (dialect) =>
      sql`SELECT document.n FROM document WHERE ${filterConditions(dialect, narrowed, true)} ORDER BY ${order}`,
  )
  return (await tx.all(find)).map(({ n }) => n)
}

/** Counts the documents of a filter after a place, up to `max`. */
export async function countDocuments(
  tx: Transaction,
  filter: DocumentFilter,
  order: DocumentOrder,
  after: DocumentListPlace | undefined,
  max: number,
): Promise<number> {
  const narrowed = await narrowFilter(tx, filter)
  const count = statement<{ count: number }>(
    (dialect) => sql`SELECT count(*) AS count FROM (SELECT document.n FROM document
      WHERE ${conditionsAfter(dialect, narrowed, order, after)} LIMIT ${integerValue(max)}) AS counted`,
  )
  return (await tx.get(count))?.count ?? 0
}

/** Maximum number of documents to look up by the index of one bound. If there are more, a scan finds matches soon. */
const MAX_NARROWED = 2_000

/** The index of each column with bounds. All names are constants, never user input. */
const BOUNDS = [
  { column: 'created_at', index: 'document_created', from: 'createdFrom', to: 'createdTo' },
  { column: 'modified_at', index: 'document_modified', from: 'modifiedFrom', to: 'modifiedTo' },
  { column: 'daily_note_date', index: 'document_daily_note', from: 'dailyNoteFrom', to: 'dailyNoteTo' },
] as const

/**
 * Narrows a filter to a list of documents if one of its bounds matches only a few. A listing scans documents in order
 * of creation, and would read every document of the space if dates match none or only the last.
 */
async function narrowFilter(tx: Transaction, filter: DocumentFilter): Promise<DocumentFilter> {
  // Already narrow.
  if (filter.documents !== undefined) return filter
  for (const { column, index, from, to } of BOUNDS) {
    const [min, max] = [filter[from], filter[to]]
    if (min === undefined && max === undefined) continue
    const bounded = sql.raw(`document.${column}`)
    const find = statement<{ n: number }>(
      (dialect) => sql`SELECT n FROM document ${dialect.indexedBy(index)}
        WHERE ${allOf([sql`${bounded} IS NOT NULL`, ...rangeConditions(bounded, min, max)])}
        LIMIT ${integerValue(MAX_NARROWED + 1)}`,
    )
    const documents = await tx.all(find)
    if (documents.length <= MAX_NARROWED) return { ...filter, documents: documents.map(({ n }) => n) }
  }
  return filter
}

const allOf = (conditions: readonly (SQL | undefined)[]): SQL =>
  sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` AND `,
  )

function filterConditions(dialect: Dialect, filter: DocumentFilter, withSystemDocuments = false): SQL {
  const integers = (values: readonly number[]) => listOfValues(dialect, values, 'integer')
  return allOf([
    sql`true`,
    withSystemDocuments ? undefined : sql`document.location NOT IN (${quoted(SYSTEM_DOCUMENTS)})`,
    filter.location && sql`document.location = ${filter.location}`,
    // Redundant, but with it the location index yields the documents of a location in order of creation.
    filter.location && filter.location !== 'folder' ? sql`document.folder IS NULL` : undefined,
    filter.locations && sql`document.location IN (${quoted(filter.locations)})`,
    filter.exceptLocation && sql`document.location <> ${filter.exceptLocation}`,
    filter.exceptDocuments && sql`document.n NOT IN ${integers(filter.exceptDocuments)}`,
    // Also redundant, but the location index covers both columns, so the document rows are not read.
    filter.folders && sql`document.location = 'folder' AND document.folder IN ${integers(filter.folders)}`,
    filter.documents && sql`document.n IN ${integers(filter.documents)}`,
    ...documentHasTags(sql`document.n`, filter.tags ?? []),
    ...rangeConditions(sql`document.created_at`, filter.createdFrom, filter.createdTo),
    ...rangeConditions(sql`document.modified_at`, filter.modifiedFrom, filter.modifiedTo),
    ...rangeConditions(sql`document.daily_note_date`, filter.dailyNoteFrom, filter.dailyNoteTo),
    // A daily note in the trash keeps its date, but does not count as a daily note until it is restored.
    filter.dailyNoteFrom || filter.dailyNoteTo ? sql`document.location <> 'trash'` : undefined,
  ])
}

const rangeConditions = (
  column: SQL,
  from: string | number | undefined,
  to: string | number | undefined,
): (SQL | undefined)[] => [
  from === undefined ? undefined : sql`${column} >= ${from}`,
  to === undefined ? undefined : sql`${column} <= ${to}`,
]
