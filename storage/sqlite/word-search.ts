/** Queries on SQLite's word index. They implement the queries of {@link WordIndex}. */
import type { BlockRange, HitPlace, WordQuery } from '../word-index.ts'
import type { PreparedStatements } from './prepared-statements.ts'

/** A rowid combines the number of a document (upper bits) and of a block (lower bits). Both fit into its 63 bits. */
export const BLOCK_NUMBER_BITS = 31
const BLOCK_NUMBER_MASK = 2 ** BLOCK_NUMBER_BITS - 1
/** The rowid of a document and a block. */
export const ROWID_SQL = `(CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS} | CAST(? AS INTEGER))`

/** A query in the syntax of FTS5. No escaping is needed, since words contain only letters, digits and marks. */
const matchOf = (query: WordQuery): string =>
  query.map(({ words, isPrefix = false }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`).join(' OR ')

/**
 * Blocks that match a query: at most `limit`, newest documents first, after a given place if any (by document, then
 * number, both descending).
 */
export function findHits(
  database: PreparedStatements,
  query: WordQuery,
  before: HitPlace | undefined,
  limit: number,
): HitPlace[] {
  const [document, n] = before ?? [BLOCK_NUMBER_MASK + 1, 0]
  const find = database.sql<HitPlace>(
    `SELECT rowid >> ${BLOCK_NUMBER_BITS}, rowid & ${BLOCK_NUMBER_MASK} FROM search
     WHERE search MATCH ? AND rowid < ${ROWID_SQL} ORDER BY rowid DESC LIMIT CAST(? AS INTEGER)`,
  )
  return find.raw().all(matchOf(query), document, n, limit)
}

/**
 * The blocks of one document that match a query: at most `limit`, by ascending number. In this order FTS5 seeks
 * directly to the document. In the other it scans a whole page of the index, which takes ten times as long.
 */
export function documentHits(
  database: PreparedStatements,
  query: WordQuery,
  document: number,
  limit: number,
): number[] {
  const find = database.sql<number>(
    `SELECT rowid & ${BLOCK_NUMBER_MASK} FROM search WHERE search MATCH ? AND rowid >= CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS}
       AND rowid < CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS} ORDER BY rowid LIMIT CAST(? AS INTEGER)`,
  )
  return find.pluck().all(matchOf(query), document, document + 1, limit)
}

const FROM_DOCUMENT_RANGE = `FROM search WHERE search MATCH ? AND rowid >= CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS}
  AND rowid < CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS}`
const AND_IN_DOCUMENTS = `AND rowid >> ${BLOCK_NUMBER_BITS} IN (SELECT value FROM json_each(?))`

/**
 * The documents with matching blocks in a half-open range of document numbers, ascending, one entry per block. FTS5
 * scans matches several times faster than it returns them.
 *
 * @param documents  restricts the result to these documents
 */
export function documentsWithHits(
  database: PreparedStatements,
  query: WordQuery,
  from: number,
  to: number,
  documents?: readonly number[],
): number[] {
  const parameters = documents === undefined ? [] : [JSON.stringify(documents)]
  const find = database.sql<number>(
    `SELECT rowid >> ${BLOCK_NUMBER_BITS} ${FROM_DOCUMENT_RANGE} ${documents === undefined ? '' : AND_IN_DOCUMENTS} ORDER BY rowid`,
  )
  return find.pluck().all(matchOf(query), from, to, ...parameters)
}

/** Like {@link documentsWithHits}, with the number of each block. */
export function hitsInDocuments(
  database: PreparedStatements,
  query: WordQuery,
  from: number,
  to: number,
  documents: readonly number[],
): HitPlace[] {
  const find = database.sql<HitPlace>(
    `SELECT rowid >> ${BLOCK_NUMBER_BITS}, rowid & ${BLOCK_NUMBER_MASK} ${FROM_DOCUMENT_RANGE} ${AND_IN_DOCUMENTS} ORDER BY rowid`,
  )
  return find.raw().all(matchOf(query), from, to, JSON.stringify(documents))
}

/** ASCII letters that have a non-ASCII case variant: the long s and the Kelvin sign. */
const FOLDING_LETTERS = [
  ['s', '\u017f'],
  ['k', '\u212a'],
] as const

/**
 * SQL condition for blocks whose Markdown may contain letters that their text does not: fields of other block types,
 * references for a tag, and the replacement of an unsafe URL.
 */
const MAY_CONTAIN = `CASE
  WHEN type = 'text' AND attributes IS NULL
    THEN has OR text = '' OR instr(text, '<') OR instr(text, ':') OR instr(text, '&') OR instr(text, '[')
  WHEN type IN ('page', 'collection', 'collectionItem') THEN has OR text GLOB '*[^-a-zA-Z0-9 .,]*'
  ELSE 1 END`

/**
 * Blocks whose Markdown, as shown to any connection, may contain any of these strings in upper or lower case. A block
 * is included if that cannot be ruled out quickly.
 *
 * @param letters  strings of two or more lower-case ASCII letters
 */
export function blocksThatMayContain(
  database: PreparedStatements,
  letters: readonly string[],
  range: BlockRange,
): HitPlace[] {
  const has = letters.map(() => 'instr(lower(text), ?)').join(' OR ')
  const otherCases = FOLDING_LETTERS.filter(([letter]) => letters.some((text) => text.includes(letter)))
  const mayHave = [MAY_CONTAIN, ...otherCases.map(([, other]) => `instr(text, '${other}')`)].join(' OR ')
  const [where, values] =
    'blocks' in range
      ? ['n IN (SELECT value FROM json_each(?))', [JSON.stringify(range.blocks)]]
      : ['n >= CAST(? AS INTEGER) AND n < CAST(? AS INTEGER)', [range.from, range.to]]
  const find = database.sql<HitPlace>(
    `SELECT document, n FROM (SELECT document, n, type, text, attributes, ${has} AS has FROM block WHERE ${where})
     WHERE ${mayHave} ORDER BY n`,
  )
  return find.raw().all(...letters, ...values)
}

/**
 * Creates a table of the words of the index. Each connection needs its own; SQLite drops it when the connection closes.
 */
const VOCABULARY = 'CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_word USING fts5vocab (main, search, instance)'

/** Returns those of the given stems that occur in any block: one seek each, however often they occur. */
export function knownWords(database: PreparedStatements, stems: readonly string[]): string[] {
  database.sql(VOCABULARY).run()
  const find = database.sql<string>(
    `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM temp.search_word WHERE term = value)`,
  )
  return find.pluck().all(JSON.stringify(stems))
}

/** Stems with this beginning, in order: at most `limit`, one seek each. */
export function wordsWithBeginning(database: PreparedStatements, beginning: string, limit: number): string[] {
  database.sql(VOCABULARY).run()
  const next = database.sql<string>('SELECT term FROM temp.search_word WHERE term > ? AND term < ? LIMIT 1').pluck()
  const end = `${beginning}\u{10ffff}`
  const words: string[] = []
  for (let word = next.get(beginning, end); word !== undefined && words.length < limit; word = next.get(word, end)) {
    words.push(word)
  }
  return words
}
