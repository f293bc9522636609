/** Lists restricted by date or location to a few documents use indexes instead of scanning all documents. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { countDocuments, type DocumentFilter, firstDocuments, listDocuments } from '../../storage/document-lists.ts'
import {
  countDocumentsOutside,
  deleteDocumentRows,
  documentsByLocation,
  setDocumentPlaces,
  touchDocuments,
  trashDocuments,
} from '../../storage/documents.ts'
import { listFolderRows, moveFolderDocuments } from '../../storage/folders.ts'
import type { Connection } from '../../storage/sqlite/connection.ts'
import { openWriter } from '../../storage/sqlite/open-database.ts'

const DOCUMENTS = 5_000
const DAY = 86_400_000

/**
 * Creates one document per day, of which the last was changed most recently. Every fifth is unsorted, the others are in
 * a folder.
 */
async function filled(): Promise<Connection> {
  const tx = await openWriter(':memory:')
  onTestFinished(() => void tx.sqlite.close())
  tx.sqlite.exec(`
    INSERT INTO folder (n, id, name, created_at) VALUES (1, 999999999999, 'Folder', 0);
    WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${DOCUMENTS})
    INSERT INTO block (n, id, document, position, type, text, indentation, created_at, created_by)
      SELECT n, 100000000000 + n, n, 0, 'page', 'Document', 0, n * ${DAY}, 'test' FROM numbers;
    INSERT INTO document (n, location, folder, created_at, modified_at, revision)
      SELECT n, iif(n % 5, 'folder', 'unsorted'), iif(n % 5, 1, NULL), created_at, created_at, 1 FROM block;`)
  return tx
}

/** Returns SQLite's query plan for a statement. */
function plansOf(tx: Connection, source: string): string[] {
  return tx.sqlite
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${source}`)
    .all()
    .map(({ detail }) => detail)
}

const numbers = (found: { n: number }[]) => found.map(({ n }) => n)

describe('documents by dates', () => {
  const LAST = DOCUMENTS * DAY
  test.each<[string, DocumentFilter, number[]]>([
    ['made since', { createdFrom: LAST - DAY }, [DOCUMENTS - 1, DOCUMENTS]],
    ['made until', { createdTo: 2 * DAY }, [1, 2]],
    ['changed since', { modifiedFrom: LAST }, [DOCUMENTS]],
    ['of no time', { modifiedFrom: LAST + 1 }, []],
    ['made since, in a place', { createdFrom: LAST - 4 * DAY, location: 'unsorted' }, [DOCUMENTS]],
    ['of two times that have nothing in common', { createdTo: 2 * DAY, modifiedFrom: 3 * DAY }, []],
    ['of a day', { dailyNoteFrom: '2026-01-01' }, []],
  ])('%s', async (_, filter, expected) => {
    const tx = await filled()
    expect(numbers(await listDocuments(tx, filter, 'created', undefined, 10))).toEqual(expected)
    expect(await countDocuments(tx, filter, 'created', undefined, 10)).toBe(expected.length)
  })

  test('more than are looked up by the index', async () => {
    const tx = await filled()
    expect(
      numbers(await listDocuments(tx, { createdFrom: 5 * DAY, location: 'unsorted' }, 'created', { n: 5, key: 5 }, 2)),
    ).toEqual([10, 15])
  })
})

test('documents are counted up to a limit', async () => {
  const tx = await filled()
  expect(await countDocuments(tx, {}, 'created', undefined, 100)).toBe(100)
  expect(await countDocuments(tx, {}, 'created', { n: DOCUMENTS - 3, key: DOCUMENTS - 3 }, 100)).toBe(3)
})

test('counts of documents follow as they are added, moved and removed', async () => {
  const tx = await filled()
  const counts = async () => {
    const [folder] = await listFolderRows(tx)
    const { unsorted, trash } = Object.fromEntries(await documentsByLocation(tx))
    return { folder: folder?.documentCount, unsorted, trash, outside: await countDocumentsOutside(tx, 'trash') }
  }
  expect(await counts()).toEqual({ folder: 4_000, unsorted: 1_000, trash: 0, outside: 5_000 })
  await moveFolderDocuments(tx, [{ n: 1, to: null }], 10)
  await trashDocuments(tx, [5], 0)
  await trashDocuments(tx, [5], 0)
  expect(await counts()).toEqual({ folder: 3_990, unsorted: 1_009, trash: 1, outside: 4_999 })
  await deleteDocumentRows(tx, [5])
  await setDocumentPlaces(tx, [10], { location: 'folder', folder: 1, dailyNoteDate: null })
  await touchDocuments(tx, [10], 0)
  expect(await counts()).toEqual({ folder: 3_991, unsorted: 1_008, trash: 0, outside: 4_999 })
})

test('the first documents of several places are looked up by indexes, and no more of them than asked for', async () => {
  const tx = await filled()
  expect(await firstDocuments(tx, { folders: [1], locations: ['unsorted'] }, 3)).toEqual([1, 2, 3, 5, 10, 15])
  expect(await firstDocuments(tx, { folders: [2], locations: ['templates'] }, 3)).toEqual([])
  expect(await firstDocuments(tx, { folders: [], locations: [] }, 3)).toEqual([])
  for (const [place, plan] of [
    ['folder = 1', 'SEARCH document USING COVERING INDEX document_folder (folder=?)'],
    [
      "location = 'unsorted' AND folder IS NULL",
      'SEARCH document USING COVERING INDEX document_place (location=? AND folder=?)',
    ],
  ] as const)
    expect(plansOf(tx, `SELECT n FROM document WHERE ${place} ORDER BY n LIMIT 3`)).toEqual([plan])
})

test('a location is listed in the order of its index', async () => {
  const tx = await filled()
  const plan = plansOf(
    tx,
    `SELECT n FROM document WHERE location = 'unsorted' AND folder IS NULL AND n > 5 ORDER BY n LIMIT 10`,
  )
  expect(plan).toEqual(['SEARCH document USING COVERING INDEX document_place (location=? AND folder=? AND rowid>?)'])
})
