/** Reads a long document as JSON, compared with raw rows, a tree in memory and JSON.stringify. */
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { interleaved, type Measure, timed } from './figure.ts'
import { addDocument, inFolder, newBlocks, openWorkbench, type Workbench } from './workbench.ts'

const BLOCKS = 10_000
const PAGES = 100
const ROUNDS = 25

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const file = join(folder, 'space.sqlite')
    const bench = await openWorkbench(file)
    const id = await longDocument(bench)
    const sqlite = new Sqlite(file, { readonly: true })
    const result = await interleaved(
      ROUNDS,
      () => timed(() => bench.call('blocks_get', { id, maxBlocks: 20_000 })),
      () => timed(() => readBare(sqlite, id)),
    )
    sqlite.close()
    await bench.close()
    const what = `blocks_get of ${BLOCKS.toLocaleString('en-US')} blocks, JSON`
    return {
      figures: [{ what, floor: 'rows, tree, stringify', ...result, unit: 'ms', goal: { of: 'ratio', most: 2 } }],
    }
  })

/** Creates a document with pages that contain all the blocks. */
async function longDocument(bench: Workbench): Promise<string> {
  const pageId = await addDocument(bench, 'Long')
  const content = newBlocks(BLOCKS / PAGES - 1)
  const blocks = Array.from({ length: PAGES }, (_, index) => ({ type: 'page', title: `Page ${index}`, content }))
  await bench.call('blocks_add', { blocks, position: { position: 'end', pageId }, answer: 'ids' })
  return pageId
}

interface Row {
  n: number
  id: string
  parent: number | null
  type: string
  text: string
  indentation: number
  list_style: string | null
  attributes: string | null
}

interface Node {
  id: string
  content?: Node[]
}

function readBare(sqlite: Database, id: string): string {
  const root = sqlite.prepare<[string], { n: number }>('SELECT n FROM block WHERE id = ?').get(id)
  const rows = sqlite
    .prepare<[number], Row>('SELECT * FROM block WHERE document = CAST(? AS INTEGER) ORDER BY parent, position')
    .all(root?.n ?? 0)
  const nodes = new Map<number, Node>()
  for (const { n, id, type, text, indentation, list_style, attributes } of rows) {
    const extra: object = attributes === null ? {} : JSON.parse(attributes)
    nodes.set(n, { id, type, markdown: text, indentation, list_style, ...extra } as Node)
  }
  for (const { n, parent } of rows) {
    const node = nodes.get(n)
    const above = parent === null ? undefined : nodes.get(parent)
    if (node === undefined || above === undefined) continue
    above.content ??= []
    above.content.push(node)
  }
  return JSON.stringify(nodes.get(root?.n ?? 0))
}
