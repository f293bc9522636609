/** Compares the full-text index with the blocks, and rebuilds it. */
import Sqlite from 'better-sqlite3'
import { relatedTexts } from '../../related-texts.ts'
import { type BlockRow, block } from '../../schema.ts'
import { selectFrom } from '../../statement.ts'
import type { TextExtractor } from '../../word-index.ts'
import { Connection } from '../connection.ts'
import { SQLITE } from '../dialect.ts'
import { wordIndex } from '../migrations/0029-word-index.ts'
import { INSERT_TAGS, RESOLVE_TARGET } from '../word-index.ts'
import { ROWID_SQL } from '../word-search.ts'
import { openForDiagnosis } from './diagnose.ts'

/** Blocks read per query. */
const BATCH_SIZE = 1000

/**
 * Counts the blocks whose index entry has the wrong number of words, and those whose links or tags are wrong. Missing entries
 * and entries of deleted blocks count too. Builds a second index for the comparison, in a temporary SQLite database.
 *
 * @throws SqliteError for a file that cannot be read
 */
export async function countIndexMismatches(
  file: string,
  words: TextExtractor,
  canWrite?: (path: string) => boolean,
): Promise<number> {
  const { sqlite, close } = openForDiagnosis(file, canWrite)
  const connection = new Connection(sqlite)
  const rebuilt = new Sqlite('')
  try {
    rebuilt.exec(`${wordIndex} CREATE TABLE block_link (block INTEGER, target INTEGER, PRIMARY KEY (block, target));
      CREATE TABLE block_tag (block INTEGER, tag TEXT, name TEXT, is_property INTEGER, PRIMARY KEY (block, tag))`)
    const insertTags = rebuilt.prepare(INSERT_TAGS)
    const insertLink = rebuilt.prepare('INSERT OR IGNORE INTO block_link (block, target) VALUES (?, ?)')
    const resolve = sqlite.prepare<[string], number>(RESOLVE_TARGET).pluck()
    const insert = rebuilt.prepare(`INSERT INTO search (rowid, text, title) VALUES (${ROWID_SQL}, ?, ?)`)
    sqlite.exec('BEGIN')
    rebuilt.exec('BEGIN')
    const next = sqlite.prepare<[number, number], BlockRow>(
      `${SQLITE.compile(selectFrom(block)).sql} WHERE n > ? ORDER BY n LIMIT ?`,
    )
    for (let rows = next.all(0, BATCH_SIZE); rows.length > 0; rows = next.all(rows.at(-1)?.n ?? 0, BATCH_SIZE)) {
      const related = await relatedTexts(connection, rows)
      for (const row of rows) {
        const { title, text, targets = [], tags = [] } = await words(row, related.get(row.n) ?? [])
        if (title !== '' || text !== '') insert.run(row.document, row.n, text, title)
        for (const target of targets) {
          const id = resolve.get(target)
          if (id !== undefined) insertLink.run(row.n, id)
        }
        if (tags.length > 0) insertTags.run(row.n, JSON.stringify(tags))
      }
    }
    rebuilt.exec('COMMIT')
    const sizes = 'SELECT CAST(id AS TEXT) AS id, hex(sz) AS content FROM search_docsize ORDER BY search_docsize.id'
    const links = `SELECT CAST(block AS TEXT) AS id, group_concat(target) AS content
      FROM (SELECT block, target FROM block_link ORDER BY block, target) GROUP BY block ORDER BY block`
    const tags = `SELECT CAST(block AS TEXT) AS id, group_concat(tag || name || is_property) AS content
      FROM (SELECT * FROM block_tag ORDER BY block, tag) GROUP BY block ORDER BY block`
    const compare = (query: string) =>
      countDifferences(
        sqlite.prepare<[], IndexedEntry>(query).iterate(),
        rebuilt.prepare<[], IndexedEntry>(query).iterate(),
      )
    return compare(sizes) + compare(links) + compare(tags)
  } finally {
    rebuilt.close()
    close()
  }
}

/** The entry of a block: its number as a text, and the value to compare. */
interface IndexedEntry {
  id: string
  content: string
}

/** Counts the entries that differ. Both lists are in ascending order of ID. */
function countDifferences(actual: Iterator<IndexedEntry>, expected: Iterator<IndexedEntry>): number {
  let [one, other, count] = [actual.next(), expected.next(), 0]
  while (one.done !== true || other.done !== true) {
    const order = one.done ? 1 : other.done ? -1 : Number(BigInt(one.value.id) - BigInt(other.value.id))
    if (order !== 0 || one.value.content !== other.value.content) count++
    if (order <= 0) one = actual.next()
    if (order >= 0) other = expected.next()
  }
  return count
}

/** Rebuilds the index, even if it is damaged. The connection must have indexing enabled. */
export async function rebuildIndex(connection: Connection): Promise<void> {
  connection.sqlite.exec(
    `DROP TABLE search; ${wordIndex} DELETE FROM block_link; DELETE FROM block_tag; DELETE FROM unindexed_block;`,
  )
  await connection.words.indexAll()
}
