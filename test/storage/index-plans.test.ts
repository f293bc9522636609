/** Lists with few rows find them by an index and do not scan all rows of a space. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { countCollections, listCollections } from '../../storage/collections.ts'
import { countDocuments, documentNumbers, listDocuments } from '../../storage/document-lists.ts'
import { documentsByLocation } from '../../storage/documents.ts'
import { pagesAround, pagesByIds, pagesIn } from '../../storage/nested-pages.ts'
import type { Connection } from '../../storage/sqlite/connection.ts'
import { openWriter } from '../../storage/sqlite/open-database.ts'

/** Returns the query plans of all statements that the work runs, one line per table. */
async function plansDuring(work: (tx: Connection) => Promise<unknown>): Promise<string[]> {
  const tx = await openWriter(':memory:')
  onTestFinished(() => void tx.sqlite.close())
  const prepare = vi.spyOn(tx.sqlite, 'prepare')
  await work(tx)
  const sources = prepare.mock.calls.map(([source]) => source)
  prepare.mockRestore()
  const explain = (source: string) => {
    const named = Object.fromEntries([...source.matchAll(/\$(\w+)/g)].map(([, name]) => [name, 1]))
    const unnamed = [...source.matchAll(/\?/g)].map(() => 1)
    return tx.sqlite
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${source}`)
      .all(...unnamed, ...(Object.keys(named).length > 0 ? [named] : []))
  }
  const lines = sources.flatMap(explain).map(({ detail }) => detail)
  // Excludes scans of given lists of numbers, of subqueries and of sorted results.
  return lines.filter((line) => /^(SCAN|SEARCH) /.test(line) && !/^SCAN (json_each|list|chosen|counted|\()/.test(line))
}

const COLLECTIONS_OF = 'SEARCH block USING COVERING INDEX block_collection (document=? AND n>?)'
const BY_NUMBER = 'USING INTEGER PRIMARY KEY (rowid=?)'

test.each([
  ['some documents', { documents: [1] }, `SEARCH document ${BY_NUMBER}`],
  [
    'daily notes',
    { inDailyNotes: true, dailyNoteFrom: '2026-01-01' },
    'SEARCH document USING INDEX document_daily_note (daily_note_date>?)',
  ],
])('collections are found by the indexes on %s', async (_, filter, documents) => {
  const listed = await plansDuring((tx) => listCollections(tx, filter, 0, 100))
  expect(listed).toEqual([documents, COLLECTIONS_OF, `SEARCH document ${BY_NUMBER}`, `SEARCH root ${BY_NUMBER}`])
  expect(await plansDuring((tx) => countCollections(tx, filter, 0, 100))).toEqual([documents, COLLECTIONS_OF])
})

test('collections are counted up to a limit', async () => {
  const tx = await openWriter(':memory:')
  onTestFinished(() => void tx.sqlite.close())
  tx.sqlite.exec(`
    INSERT INTO block (n, id, document, parent, position, type, text, indentation, created_at, created_by)
      VALUES (1, 100000000001, 1, NULL, 0, 'page', '', 0, 0, 't'), (2, 100000000002, 1, 1, 1, 'collection', '', 0, 0, 't'),
        (3, 100000000003, 1, 1, 2, 'collection', '', 0, 0, 't'), (4, 100000000004, 1, 1, 3, 'collection', '', 0, 0, 't');
    INSERT INTO document (n, location, created_at, modified_at, revision) VALUES (1, 'unsorted', 0, 0, 1);
    INSERT INTO collection (n, title_key, title_name) VALUES (2, 't', 'T'), (3, 't', 'T'), (4, 't', 'T');`)
  expect(await countCollections(tx, {}, 0, 2)).toBe(2)
  expect(await countCollections(tx, {}, 2, 100)).toBe(2)
  expect(await countCollections(tx, { documents: [1] }, 3, 100)).toBe(1)
  expect(await listCollections(tx, { documents: [1], except: [1] }, 0, 100)).toEqual([])
})

test('documents of a folder are listed, counted and searched by the location index only', async () => {
  const filter = { folders: [1] }
  const place = 'SEARCH document USING COVERING INDEX document_place (location=? AND folder=?'
  expect(await plansDuring((tx) => countDocuments(tx, filter, 'created', undefined, 100))).toEqual([
    `${place} AND rowid>?)`,
  ])
  expect((await plansDuring((tx) => listDocuments(tx, filter, 'created', undefined, 100)))[0]).toBe(
    `${place} AND rowid>?)`,
  )
  expect(await plansDuring((tx) => documentNumbers(tx, filter, false))).toEqual([`${place})`])
})

test('documents of every location are counted without reading any', async () => {
  expect(await plansDuring(documentsByLocation)).toEqual(['SCAN location_count'])
})

test('pages within documents are found and counted by their index, without reading other blocks', async () => {
  const [byId, counted] = ['sqlite_autoindex_block_1 (id=?)', 'USING COVERING INDEX block_nested_page (parent=?)']
  expect(await plansDuring((tx) => pagesByIds(tx, [1]))).toEqual([
    'SCAN one VIRTUAL TABLE INDEX 1:',
    `SEARCH page USING INDEX ${byId}`,
    `SEARCH inside ${counted}`,
  ])
  expect(await plansDuring((tx) => pagesIn(tx, [1], 100))).toEqual([
    'SCAN one VIRTUAL TABLE INDEX 1:',
    `SEARCH nested ${counted}`,
    'SCAN ranked',
    `SEARCH page ${BY_NUMBER}`,
    `SEARCH inside ${counted}`,
  ])
  expect(await plansDuring((tx) => pagesAround(tx, 1, 64))).toEqual([
    `SEARCH block USING INDEX ${byId}`,
    'SCAN up',
    `SEARCH above ${BY_NUMBER}`,
    'SCAN up',
    `SEARCH page ${BY_NUMBER}`,
    `SEARCH inside ${counted}`,
  ])
})
