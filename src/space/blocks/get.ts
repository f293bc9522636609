/** Reads a block with what it holds, in answers of bounded size that go on where the last one ended. */
import type { BlockRow } from '../../../storage/schema.ts'
import { inTurns, type Parts } from '../../breathe.ts'
import { CONTINUED_LEVELS } from '../../limits.ts'
import type { Block, BlockFields } from '../../markdown/block.ts'
import { writing } from '../../markdown/write.ts'
import { invalidCursor, openCursor, type Rest, sealCursor } from '../cursors.ts'
import { dailyNote } from '../daily-notes.ts'
import { type ItemValues, readValues } from '../items/values.ts'
import { revisionOf } from '../revisions.ts'
import type { Space } from '../space.ts'
import { visibleFields } from '../visible.ts'
import { readingsOf } from '../whiteboards/readings.ts'
import { type BlockAnswer, describer, readMetadata } from './answer.ts'
import { look, type Picture, type Seen } from './look.ts'
import { nestedJson } from './nested.ts'
import { previewKey, previewsOf, previewText } from './previews.ts'
import { type Node, readingTree, rowAt, rowsOf } from './tree.ts'

export interface Reading {
  /** A block, or the day of a daily note; neither is today. */
  id?: string | undefined
  date?: string | undefined
  /** Levels below the block: -1 for all, 0 for the block alone. */
  maxDepth: number
  fetchMetadata: boolean
  format: 'json' | 'markdown'
  /** Whether whiteboards and image blocks are shown as pictures besides. */
  images?: boolean | undefined
  /** Blocks in this answer at most; what is left follows by the cursor. */
  maxBlocks: number
  cursor?: string | undefined
}

/** A block with what it holds as text, and what is to be said of it where the text cannot carry it. */
interface BlockText {
  mediaType: 'application/json' | 'text/markdown'
  body: string
  note?: string
  images?: Picture[]
  /** How many it shows. */
  blocks: number
}

/**
 * @throws NOT_FOUND_ERROR; CURSOR_INVALID when the cursor is another reading's, or the block it stood at is gone
 */
export async function getBlock(space: Space, reading: Reading): Promise<BlockText> {
  const row = reading.id === undefined ? await dailyNote(space, reading.date ?? 'today') : await space.block(reading.id)
  const most = reading.cursor === undefined ? reading.maxBlocks : 0
  const { order, rows: all } = await readingTree(space, row, reading.maxDepth, most)
  const asked = ['blocks_get', row.id, reading.maxDepth]
  const start = await startOf(space, order, asked, reading.cursor)
  const part = cut(order, start, reading.maxBlocks)
  const rows = all ?? (await rowsOf(space, part.nodes, row))
  const cutOff = part.nodes.filter((node) => node.depth === reading.maxDepth)
  const previews = await previewsOf(space, cutOff, rows)
  const rest = restOf(space, order, asked, start, part.end, rows)
  const revision = await revisionOf(space, row.document, rest === undefined && start === 0 && previews.size === 0)
  const visible = await visibleFields(space, [...rows.values(), ...[...previews.values()].flat()])
  const values = await readValues(space, [...rows.values()])

  const inOrder = () => part.nodes.map((node) => rowAt(rows, node))
  const seen = reading.images ? await look(space, inOrder()) : NOTHING_SEEN

  if (reading.format === 'markdown') {
    const readings = await readingsOf(space, [...rows.values()])
    const tree = await inTurns(markdownTree(part, rows, visible, values, previews, readings))
    const note = [...(rest ? [rest.message] : []), `Revision ${revision}.`, seen.note ?? ''].join(' ').trimEnd()
    return {
      mediaType: 'text/markdown',
      body: await inTurns(writing([tree])),
      ...seen,
      note,
      blocks: part.nodes.length,
    }
  }
  const metadata = reading.fetchMetadata ? await readMetadata(space, [...rows.values()]) : undefined
  const describe = describer(visible, values, metadata)
  const describeNode = (node: Node): BlockAnswer => {
    const answer = describe(rowAt(rows, node))
    if (part.continued.has(node)) answer.continued = true
    const preview = previews.get(node)
    if (preview !== undefined) answer[previewKey(answer.type)] = previewText(preview, visible)
    if (node === part.root) Object.assign(answer, { revision }, rest && { pagination: rest })
    return answer
  }
  return {
    mediaType: 'application/json',
    body: await inTurns(nestedJson(part.nodes, describeNode)),
    ...seen,
    blocks: part.nodes.length,
  }
}

/** Nodes after which a look at the clock is due. */
const NODES = 100

const NOTHING_SEEN: Seen = {}

async function startOf(space: Space, order: readonly Node[], asked: unknown, cursor?: string): Promise<number> {
  if (cursor === undefined) return 0
  const id = openCursor(space.info.secret, asked, cursor)
  const [last] = await space.reachable([id])
  const index = order.findIndex((node) => node.n === last?.n)
  if (index < 0) throw invalidCursor()
  return index + 1
}

/** A part of a tree: some nodes in reading order, and the parents around them that earlier answers have shown. */
interface Part {
  root: Node
  nodes: Node[]
  /** The parents that are repeated around the first block of a continued answer. */
  continued: ReadonlySet<Node>
  /** Index in the whole order of the first node that is left. */
  end: number
}

//   page A            first answer: A, b1, C, c1
//     b1
//     page C          cursor stands after c1, so the second answer is
//       c1            A (continued) > C (continued) > c2, then b2
//       c2
//     b2
function cut(order: readonly Node[], start: number, count: number): Part {
  const first = order[start]
  if (first === undefined) throw invalidCursor()
  const around: Node[] = []
  for (let above = first.parent; above && around.length < CONTINUED_LEVELS; above = above.parent) around.unshift(above)
  const root = around[0] ?? first
  let end = start
  // Below the root means deeper than it; the first node that is not ends the part.
  while (end < order.length && end - start < count && (end === start || (order[end]?.depth ?? 0) > root.depth)) end++
  return { root, nodes: [...around, ...order.slice(start, end)], continued: new Set(around), end }
}

function restOf(
  space: Space,
  order: readonly Node[],
  asked: unknown,
  start: number,
  end: number,
  rows: ReadonlyMap<number, BlockRow>,
): Rest | undefined {
  const last = order[end - 1]
  if (end === order.length || last === undefined) return undefined
  const remaining = order.length - end
  const cursor = sealCursor(space.info.secret, asked, rowAt(rows, last).id)
  const message = `Blocks ${start + 1} to ${end} of ${order.length}; ${remaining} are left: call blocks_get again with the same arguments and cursor "${cursor}".`
  return { cursor, remaining, message }
}

function* markdownTree(
  part: Part,
  rows: ReadonlyMap<number, BlockRow>,
  visible: (row: BlockRow) => BlockFields,
  values: ItemValues,
  previews: ReadonlyMap<Node, BlockRow[]>,
  readings: ReadonlyMap<number, string>,
): Parts<Block> {
  const blocks = new Map<Node, Block>()
  for (const node of part.nodes) {
    const row = rowAt(rows, node)
    const block: Block = { ...visible(row), id: row.id }
    if (row.type === 'collection') block.propertyKeys = values.schemaOf(row).map(({ key }) => key)
    if (row.type === 'collectionItem') block.propertyTexts = values.textsOf(row)
    const reading = readings.get(node.n)
    if (reading !== undefined) block.reading = reading
    const preview = previews.get(node)
    if (preview !== undefined) block.contentPreview = previewText(preview, visible)
    blocks.set(node, block)
    if (blocks.size % NODES === 0) yield
    const above = node.parent && blocks.get(node.parent)
    if (above === undefined) continue
    above.content ??= []
    above.content.push(block)
  }
  const root = blocks.get(part.root)
  if (root === undefined) throw new Error('Expected the root of an answer among its blocks.')
  return root
}
