/** Compares the full-text index with the blocks, and rebuilds it. */
import Sqlite from 'better-sqlite3'
import { relatedTexts } from '../related-texts.ts'
import { type BlockRow, block } from '../schema.ts'
import { selectFrom } from '../statement.ts'
import type { TextExtractor } from '../word-index.ts'
import { Connection } from './connection.ts'
import { openForDiagnosis } from './diagnose.ts'
import { SQLITE } from './dialect.ts'
import { sql as SEARCH } from './migrations/0006-search.ts'
import { ROWID_SQL } from './word-search.ts'

/** Blocks read per query. */
const BATCH_SIZE = 1000

/**
 * Counts blocks whose index entry is wrong, compared by the number of words. Missing entries and entries of deleted
 * blocks count too. Builds a second index for the comparison, in a temporary SQLite database.
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
    rebuilt.exec(SEARCH)
    const insert = rebuilt.prepare(`INSERT INTO search (rowid, text, title) VALUES (${ROWID_SQL}, ?, ?)`)
    sqlite.exec('BEGIN')
    rebuilt.exec('BEGIN')
    const next = sqlite.prepare<[number, number], BlockRow>(
      `${SQLITE.compile(selectFrom(block)).sql} WHERE n > ? ORDER BY n LIMIT ?`,
    )
    for (let rows = next.all(0, BATCH_SIZE); rows.length > 0; rows = next.all(rows.at(-1)?.n ?? 0, BATCH_SIZE)) {
      const related = await relatedTexts(connection, rows)
      for (const row of rows) {
        const { title, text } = await words(row, related.get(row.n) ?? [])
        if (title !== '' || text !== '') insert.run(row.document, row.n, text, title)
      }
    }
    rebuilt.exec('COMMIT')
    const sizes = 'SELECT CAST(id AS TEXT) AS id, hex(sz) AS size FROM search_docsize ORDER BY search_docsize.id'
    return countDifferences(
      sqlite.prepare<[], IndexedSize>(sizes).iterate(),
      rebuilt.prepare<[], IndexedSize>(sizes).iterate(),
    )
  } finally {
    rebuilt.close()
    close()
  }
}

interface IndexedSize {
  id: string
  size: string
}

/** Merges two lists in ascending order of ID. */
function countDifferences(actual: Iterator<IndexedSize>, expected: Iterator<IndexedSize>): number {
  let [one, other, count] = [actual.next(), expected.next(), 0]
  while (one.done !== true || other.done !== true) {
    const order = one.done ? 1 : other.done ? -1 : Number(BigInt(one.value.id) - BigInt(other.value.id))
    if (order !== 0 || one.value.size !== other.value.size) count++
    if (order <= 0) one = actual.next()
    if (order >= 0) other = expected.next()
  }
  return count
}

/** Rebuilds the index, whatever its content. The connection must have indexing enabled. */
export async function rebuildIndex(connection: Connection): Promise<void> {
  connection.sqlite.exec(`DROP TABLE search; ${SEARCH}`)
  await connection.words.indexAll()
}
