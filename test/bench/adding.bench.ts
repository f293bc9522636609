/** Adds many blocks in one call, compared with a bare loop that inserts the same rows into the same tables. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../../storage/sqlite/migrations.ts'
import { interleaved, type Measure, timed } from './figure.ts'
import { addDocument, inFolder, newBlocks, openWorkbench } from './workbench.ts'

const BLOCKS = 20_000
const ROUNDS = 7

type Row = Record<string, string | number | null>

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const blocks = newBlocks(BLOCKS)
    let round = 0
    const rows = await add(join(folder, 'rows.sqlite'), blocks).then(({ file }) => rowsOf(file))
    const result = await interleaved(
      ROUNDS,
      async () => rate((await add(join(folder, `ours-${round++}.sqlite`), blocks)).time),
      async () => rate(await insertBare(join(folder, `bare-${round++}.sqlite`), rows)),
    )
    const what = `blocks_add of ${BLOCKS.toLocaleString('en-US')} blocks`
    return {
      figures: [{ what, floor: 'bare insert loop', ...result, unit: 'rows/s', goal: { of: 'ratio', least: 1 / 3 } }],
    }
  })

const rate = (milliseconds: number): number => (BLOCKS / milliseconds) * 1000

async function add(file: string, blocks: object[]): Promise<{ file: string; time: number }> {
  const bench = await openWorkbench(file)
  const pageId = await addDocument(bench, 'Many')
  const input = { blocks, position: { position: 'end', pageId }, answer: 'ids' }
  const time = await timed(() => bench.call('blocks_add', input))
  await bench.close()
  return { file, time }
}

/** Reads the rows of all blocks in a space's file. */
export function rowsOf(file: string): Row[] {
  const sqlite = new Sqlite(file, { readonly: true })
  // Unlike `*`, table_info omits generated columns, into which nothing can be inserted.
  const columns = sqlite.prepare("SELECT name FROM pragma_table_info('block')").pluck().all()
  const rows = sqlite.prepare<[], Row>(`SELECT ${columns} FROM block ORDER BY n`).all()
  sqlite.close()
  return rows
}

/** Returns the milliseconds in which a bare loop inserts the rows into a new file with the same tables. */
export async function insertBare(file: string, rows: readonly Row[]): Promise<number> {
  const sqlite = new Sqlite(file)
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) sqlite.pragma(pragma)
  migrate(sqlite)
  const columns = Object.keys(rows[0] ?? {})
  const insert = sqlite.prepare(`INSERT INTO block (${columns}) VALUES (${columns.map(() => '?')})`)
  const values = rows.map((row) => Object.values(row))
  const time = await timed(() => {
    sqlite.exec('BEGIN IMMEDIATE')
    for (const row of values) insert.run(row)
    sqlite.exec('COMMIT')
  })
  sqlite.close()
  return time
}
