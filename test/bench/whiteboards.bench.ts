/**
 * Whiteboards: adds elements to a large board, compared with a bare loop that writes the same JSON, and measures how
 * long drawing takes.
 */
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { pngInput, renderWhiteboardPng } from '../../src/space/whiteboards/whiteboard-png.ts'
import { DRAWINGS } from '../drawings.ts'
import { type Figure, interleaved, type Measure, timed } from './figure.ts'
import { addDocument, inFolder, openWorkbench, type Workbench } from './workbench.ts'

const BOARD = 20_000
const ADDED = 500
const ROUNDS = 20
const DRAWN = 500

const REAL = DRAWINGS.flatMap(({ elements }) => elements)

/** Repeats real elements, each with an ID of its own that is as random as Excalidraw's. */
const elementsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) => {
    const index = from + place
    return { ...REAL[index % REAL.length], id: ((index * 2654435761) % 2 ** 32).toString(36).padStart(7, '0') }
  })

async function addBoard(bench: Workbench): Promise<string> {
  const position = { position: 'end', pageId: await addDocument(bench, 'Board') }
  const { whiteboardBlockId } = await bench.call<{ whiteboardBlockId: string }>('whiteboards_add', { position })
  return whiteboardBlockId
}

const addElements = (bench: Workbench, whiteboardBlockId: string, elements: object[]) =>
  bench.call('elements_add', { whiteboardBlockId, elements, answer: 'changed' })

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const file = join(folder, 'space.sqlite')
    const bench = await openWorkbench(file)
    const board = await addBoard(bench)
    for (let from = 0; from < BOARD; from += ADDED) await addElements(bench, board, elementsOf(from, ADDED))
    // A separate file: otherwise each writer would make the other one read all pages again.
    const copy = join(folder, 'floor.sqlite')
    const source = new Sqlite(file, { readonly: true })
    source.prepare('VACUUM INTO ?').run(copy)
    source.close()
    const bare = new Sqlite(copy)
    for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) bare.pragma(pragma)
    const figures = [await addingFigure(bench, bare, board)]
    bare.close()
    await bench.close()
    return { figures, notes: [await drawing()] }
  })

async function addingFigure(bench: Workbench, bare: Database, whiteboardBlockId: string): Promise<Figure> {
  const board = bare.prepare('SELECT n FROM block WHERE id = ?').pluck().get(whiteboardBlockId)
  const elements = elementsOf(BOARD, ADDED)
  const rows = elements.map((element) => [board, element.id, JSON.stringify(element)])
  const insert = bare.prepare('INSERT INTO element (board, id, json) VALUES (?, ?, ?)')
  const write = bare.transaction(() => {
    for (const row of rows) insert.run(row)
  })
  const remove = bare.prepare('DELETE FROM element WHERE board = ? AND id IN (SELECT value FROM json_each(?))')
  const elementIds = elements.map(({ id }) => id)
  const result = await interleaved(
    ROUNDS,
    async () => {
      await bench.call('elements_delete', { whiteboardBlockId, elementIds })
      return timed(() => addElements(bench, whiteboardBlockId, elements))
    },
    async () => {
      remove.run(board, JSON.stringify(elementIds))
      return timed(() => write.immediate())
    },
  )
  const what = `elements_add, ${ADDED} to a board of ${BOARD.toLocaleString('en-US')}`
  return { what, floor: 'bare insert of the same JSON', ...result, unit: 'ms', goal: { of: 'ratio', most: 3 } }
}

async function drawing(): Promise<string> {
  const elements = elementsOf(0, DRAWN)
  const first = await timed(() => renderWhiteboardPng(pngInput(elements, {})))
  const second = await timed(() => renderWhiteboardPng(pngInput(elements, {})))
  return `A board of ${DRAWN} elements is drawn in ${Math.round(second)} ms, the first one in ${Math.round(first)} ms.`
}
