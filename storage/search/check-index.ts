/** Compares the index of words with what blocks say, and makes it anew. */
import Sqlite from 'better-sqlite3'
import { selectColumns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { type BlockRow, block } from '../schema.ts'
import { Connection } from '../sqlite/connection.ts'
import { openForDiagnosis } from '../sqlite/diagnose.ts'
import { sql as SEARCH } from '../sqlite/migrations/0006-search.ts'
import { ROWID } from './full-text.ts'
import { besideBlocks, indexAll, type Words } from './word-index.ts'

/** Blocks that are read at once. */
const AT_ONCE = 1000

/**
 * How many blocks the index has other words of than they say, judged by the number of words; those that it lacks, and
 * those that are gone, among them. A second index is made for it, in a temporary file of SQLite's.
 *
 * @throws SqliteError for a file that cannot be read
 */
export async function countIndexFaults(
  file: string,
  words: Words,
  canWrite?: (path: string) => boolean,
): Promise<number> {
  const { sqlite, close } = openForDiagnosis(file, canWrite)
  const connection = new Connection(sqlite)
  const fresh = new Sqlite('')
  try {
    fresh.exec(SEARCH)
    const insert = fresh.prepare(`INSERT INTO search (rowid, text, title) VALUES (${ROWID}, ?, ?)`)
    sqlite.exec('BEGIN')
    fresh.exec('BEGIN')
    const next = sqlite.prepare<[number, number], BlockRow>(`${selectColumns(block)} WHERE n > ? ORDER BY n LIMIT ?`)
    for (let rows = next.all(0, AT_ONCE); rows.length > 0; rows = next.all(rows.at(-1)?.n ?? 0, AT_ONCE)) {
      const beside = besideBlocks(connection, rows)
      for (const row of rows) {
        const { title, text } = await words(row, beside.get(row.n) ?? [])
        if (title !== '' || text !== '') insert.run(row.document, row.n, text, title)
      }
    }
    fresh.exec('COMMIT')
    const sizes = 'SELECT CAST(id AS TEXT) AS id, hex(sz) AS size FROM search_docsize ORDER BY search_docsize.id'
    return differing(sqlite.prepare<[], Size>(sizes).iterate(), fresh.prepare<[], Size>(sizes).iterate())
  } finally {
    fresh.close()
    close()
  }
}

interface Size {
  id: string
  size: string
}

/** Both in the order of their IDs, which grow. */
function differing(found: Iterator<Size>, expected: Iterator<Size>): number {
  let [one, other, count] = [found.next(), expected.next(), 0]
  while (one.done !== true || other.done !== true) {
    const order = one.done ? 1 : other.done ? -1 : Number(BigInt(one.value.id) - BigInt(other.value.id))
    if (order !== 0 || one.value.size !== other.value.size) count++
    if (order <= 0) one = found.next()
    if (order >= 0) other = expected.next()
  }
  return count
}

/** Makes the index anew, whatever is in it. The transaction must keep the index: see `keepIndex`. */
export async function rebuildIndex(tx: Transaction): Promise<void> {
  tx.sqlite.exec(`DROP TABLE search; ${SEARCH}`)
  await indexAll(tx)
}
