/** Reads a block with its content. Answers have a limited size, and a cursor continues where the last one ended. */
import type { BlockRow } from '../../../storage/schema.ts'
import { formatCount, formatNumber } from '../../base/format-number.ts'
import type { JsonText } from '../../base/json-text.ts'
import { COMMENTS_BESIDE_MARKDOWN, CONTINUATION_LEVELS, LINKS_BESIDE_MARKDOWN } from '../../base/limits.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'
import type { Block, BlockFields } from '../../markdown/block.ts'
import { writeIdLines } from '../../markdown/write-id-lines.ts'
import { writeMarkdownSteps } from '../../markdown/write-markdown.ts'
import { type BlockNode, readNodeRows, readNodesAndRows, rowOfNode } from '../blocks/block-tree.ts'
import { type ItemValues, readItemValues } from '../collections/schema/item-values.ts'
import { type CommentAnswer, getComments } from '../comments/block-comments.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { decodeCursor, encodeCursor, invalidCursor, type Pagination } from '../model/cursors.ts'
import { getDailyNote } from '../model/daily-notes.ts'
import type { AnyId } from '../model/ids.ts'
import type { JsonBlock } from '../model/json-block.ts'
import { readRevision, spellRevision } from '../model/revisions.ts'
import type { Space } from '../model/space.ts'
import { describeWhiteboards } from '../whiteboards/describe-whiteboard-batch.ts'
import { getBacklinks } from './backlinks.ts'
import { type BlockAnswer, createBlockDescriber, getBlockMetadata } from './block-answer.ts'
import { blockTreeJson } from './block-json.ts'
import { previewKey, previewText, readPreviews } from './content-previews.ts'
import { readPagePath } from './page-path.ts'
import { finishPreviewImages, type PreviewImage, readPreviewImages, type UnfinishedImages } from './preview-images.ts'
import { type SectionSize, selectOutline, selectSection } from './sections.ts'

export interface GetBlockInput {
  /** A block, or the date of a daily note. If neither is given, today's. */
  id?: AnyId | undefined
  date?: string | undefined
  /** Levels below the block: -1 for all, 0 for the block alone. */
  maxDepth: number
  /** True for the headings alone, with the sizes of their sections. */
  outline?: boolean | undefined
  /** The words or the ID of a heading: only its section is read. */
  section?: string | undefined
  fetchMetadata: boolean
  format: 'json' | 'markdown'
  /** True to name each block by its ID in Markdown. Such a text cannot be written back. */
  ids?: boolean | undefined
  /** True to also return images of whiteboards and image blocks. */
  images?: boolean | undefined
  /** The maximum number of blocks in this answer. A cursor leads to the rest. */
  maxBlocks: number
  cursor?: string | undefined
}

/** A block with its content as text, and notes that the text cannot carry. */
interface RenderedBlock {
  mediaType: 'application/json' | 'text/markdown'
  body: JsonText<JsonBlock> | string
  note?: string
  /** The part of the note that says how to get the rest. */
  rest?: string
  images?: PreviewImage[]
  /** The number of blocks in the text. */
  blocks: number
}

/** The same before its whiteboards are rendered. */
export interface UnfinishedBlock extends Omit<RenderedBlock, 'images'> {
  unfinished?: UnfinishedImages
}

/** Renders the whiteboards of an answer. Call it outside of transactions. */
export async function finishBlock({ unfinished, ...answer }: UnfinishedBlock): Promise<RenderedBlock> {
  if (unfinished === undefined) return answer
  const { images = [], note } = await finishPreviewImages(unfinished)
  return { ...answer, images, ...(note !== undefined && { note: withSentences(answer.note, note) }) }
}

/** Lines about single blocks follow the sentences of a note. */
function withSentences(note: string | undefined, more: string): string {
  if (note === undefined) return more
  const [sentences, ...lines] = note.split('\n')
  return [`${sentences} ${more}`, ...lines].join('\n')
}

/** @throws NOT_FOUND_ERROR; CURSOR_INVALID if the cursor belongs to another request, or its block is gone */
export async function getBlock(space: Space, input: GetBlockInput): Promise<UnfinishedBlock> {
  const row = input.id === undefined ? await getDailyNote(space, input.date ?? 'today') : await space.getBlock(input.id)
  const most = Math.min(input.maxBlocks, space.mostBlocks)
  const isPart = input.outline === true || input.section !== undefined
  const maxBlocks = input.cursor === undefined && !isPart ? most : 0
  // In parallel, since each await is a round trip to the database.
  const [revisionNumber, { order: whole, rows: all }] = await Promise.all([
    readRevision(space, row.document),
    readNodesAndRows(space, row, isPart ? -1 : input.maxDepth, maxBlocks),
  ])
  const { order, sizes } = await selectPart(space, row, whole, input)
  const query = ['blocks_get', row.id, input.maxDepth, ...(isPart ? [input.section ?? 'outline'] : [])]
  const start = await resolveStart(space, order, query, input.cursor)
  const slice = sliceTree(order, start, most)
  const rows = all ?? (await readNodeRows(space, slice.nodes, row))
  const cutOff = isPart ? [] : slice.nodes.filter((node) => node.depth === input.maxDepth)
  const previews = await readPreviews(space, cutOff, rows)
  const pagination = createBlockPagination(space, order, query, start, slice.end, rows)
  const isWhole = pagination === undefined && start === 0 && previews.size === 0 && !isPart
  const revision = spellRevision(space, revisionNumber, isWhole)
  const visible = await visibleFields(space, [...rows.values(), ...[...previews.values()].flat()])
  if (!space.isPast) space.seenRows.show(Array.from(rows.values(), ({ id }) => id))
  const values = await readItemValues(space, [...rows.values()])

  const inOrder = () => slice.nodes.map((node) => rowOfNode(rows, node))
  const images = input.images && { unfinished: await readPreviewImages(space, inOrder()) }

  if (input.format === 'markdown') {
    const descriptions = await describeWhiteboards(space, [...rows.values()])
    const tree = await runCooperatively(
      buildMarkdownTree(slice, rows, visible, values, previews, descriptions, sizes, (id) => space.spellId(id)),
    )
    const hasIds = input.ids || input.outline
    const source = hasIds ? FOR_READING : isPart ? OF_A_SECTION : `Revision ${revision}.`
    const sentences = [pagination?.message, source].filter((one) => one !== undefined)
    const lines = input.fetchMetadata ? await metadataLines(space, inOrder()) : []
    const note = [sentences.join(' '), ...lines].join('\n')
    return {
      mediaType: 'text/markdown',
      body: await runCooperatively(hasIds ? writeIdLines(tree) : writeMarkdownSteps([tree])),
      ...images,
      note,
      ...(pagination && { rest: pagination.message }),
      blocks: slice.nodes.length,
    }
  }
  const metadata = input.fetchMetadata ? await getBlockMetadata(space, [...rows.values()]) : undefined
  const path = input.fetchMetadata && row.parent !== null ? await readPagePath(space, row) : undefined
  const describe = createBlockDescriber(space, visible, values, metadata)
  const describeNode = (node: BlockNode): BlockAnswer => {
    const answer = describe(rowOfNode(rows, node))
    if (slice.continued.has(node)) answer.continued = true
    const size = sizes.get(node.n)
    if (size !== undefined) answer.sectionSize = size
    const preview = previews.get(node)
    if (preview !== undefined) answer[previewKey(answer.type)] = previewText(preview, visible)
    if (node === slice.root) {
      Object.assign(answer, { revision }, path && { pageBlockPath: path }, pagination && { pagination })
    }
    return answer
  }
  return {
    mediaType: 'application/json',
    body: await runCooperatively(blockTreeJson(slice.nodes, describeNode)),
    ...images,
    blocks: slice.nodes.length,
  }
}

/** The blocks to read: all of a page, its headings, or a section. */
async function selectPart(
  space: Space,
  row: BlockRow,
  order: readonly BlockNode[],
  { outline, section }: GetBlockInput,
): Promise<{ order: readonly BlockNode[]; sizes: ReadonlyMap<number, SectionSize> }> {
  if (section !== undefined) return selectSection(space, row, order, section)
  return outline ? selectOutline(space, row, order) : { order, sizes: new Map() }
}

const OF_A_SECTION = 'This is one section: change its words with replace, or blocks by their IDs (ids: true).'
const FOR_READING = 'Change blocks by these IDs; without ids the text can be edited as a whole.'

/** One line for each comment on these blocks and for each link to one of them, in reading order. */
async function metadataLines(space: Space, rows: readonly BlockRow[]): Promise<string[]> {
  return [...(await commentLines(space, rows)), ...(await backlinkLines(space, rows))]
}

async function backlinkLines(space: Space, rows: readonly BlockRow[]): Promise<readonly string[]> {
  const backlinksOf = await getBacklinks(space, rows)
  const lines = rows.flatMap((row) => {
    const { linkedFrom = [], hasMoreLinks } = backlinksOf(row)
    const target = `block://${space.spellId(row.id)}`
    const named = linkedFrom.map(
      ({ blockId, title }) => `Link to ${target} from block://${blockId} in ${JSON.stringify(title)}`,
    )
    return hasMoreLinks ? [...named, `And more links to ${target}.`] : named
  })
  return limitLines(lines, LINKS_BESIDE_MARKDOWN, 'links')
}

async function commentLines(space: Space, rows: readonly BlockRow[]): Promise<readonly string[]> {
  const commentsOf = await getComments(space, rows)
  const lines = rows.flatMap((row) =>
    commentsOf(row).map((comment) => commentLine(`block://${space.spellId(row.id)}`, comment)),
  )
  return limitLines(lines, COMMENTS_BESIDE_MARKDOWN, 'comments')
}

function commentLine(place: string, comment: CommentAnswer): string {
  const { id, author, createdAt, content, resolvedAt, resolvedBy, words, areWordsGone } = comment
  const about = words === undefined ? '' : `, about ${JSON.stringify(words)}${areWordsGone ? ', which is gone' : ''}`
  const resolved = resolvedAt === undefined ? '' : `, resolved by ${resolvedBy}, ${resolvedAt}`
  return `Comment ${id} on ${place} by ${author}, ${createdAt}${about}${resolved}: ${JSON.stringify(content)}`
}

function limitLines(lines: readonly string[], limit: number, noun: string): readonly string[] {
  const more = lines.length - limit
  return more > 0 ? [...lines.slice(0, limit), `And ${more} more ${noun}: read as JSON.`] : lines
}

/** Nodes that are processed before the clock is checked. */
const NODES_PER_STEP = 100

async function resolveStart(
  space: Space,
  order: readonly BlockNode[],
  query: unknown,
  cursor?: string,
): Promise<number> {
  if (cursor === undefined) return 0
  const id = Number(decodeCursor(space.info.secret, query, cursor))
  const [last] = await space.findReachableBlocks([id])
  const index = order.findIndex((node) => node.n === last?.n)
  if (index < 0) throw invalidCursor()
  return index + 1
}

/** A part of a tree: some nodes in reading order, and their ancestors that earlier answers have shown. */
interface TreeSlice {
  root: BlockNode
  nodes: BlockNode[]
  /** The ancestors that are repeated around the first block of a continued answer. */
  continued: ReadonlySet<BlockNode>
  /** The index, in the whole order, of the first node that is left. */
  end: number
}

//   page A            first answer: A, b1, C, c1
//     b1
//     page C          cursor stands after c1, so the second answer is
//       c1            A (continued) > C (continued) > c2, then b2
//       c2
//     b2
function sliceTree(order: readonly BlockNode[], start: number, count: number): TreeSlice {
  const first = order[start]
  if (first === undefined) throw invalidCursor()
  const ancestors: BlockNode[] = []
  for (let above = first.parent; above && ancestors.length < CONTINUATION_LEVELS; above = above.parent)
    ancestors.unshift(above)
  const root = ancestors[0] ?? first
  let end = start
  // All following nodes that are deeper than the root are below it. The first one that is not ends the slice.
  while (end < order.length && end - start < count && (end === start || (order[end]?.depth ?? 0) > root.depth)) end++
  return { root, nodes: [...ancestors, ...order.slice(start, end)], continued: new Set(ancestors), end }
}

function createBlockPagination(
  space: Space,
  order: readonly BlockNode[],
  query: unknown,
  start: number,
  end: number,
  rows: ReadonlyMap<number, BlockRow>,
): Pagination | undefined {
  const last = order[end - 1]
  if (end === order.length || last === undefined) return undefined
  const remaining = order.length - end
  const cursor = encodeCursor(space.info.secret, query, String(rowOfNode(rows, last).id))
  const message = `Blocks ${start + 1} to ${end} of ${order.length}; ${remaining} are left: repeat the call with cursor "${cursor}".`
  return { cursor, remaining, message }
}

const sizeText = ({ blocks, characters }: SectionSize): string =>
  `${formatCount(blocks, 'block')}, ${formatNumber(characters)} characters`

function* buildMarkdownTree(
  slice: TreeSlice,
  rows: ReadonlyMap<number, BlockRow>,
  visible: (row: BlockRow) => BlockFields,
  values: ItemValues,
  previews: ReadonlyMap<BlockNode, BlockRow[]>,
  descriptions: ReadonlyMap<number, string>,
  sizes: ReadonlyMap<number, SectionSize>,
  spell: (id: number) => string,
): Steps<Block> {
  const blocks = new Map<BlockNode, Block>()
  for (const node of slice.nodes) {
    const row = rowOfNode(rows, node)
    const block: Block = { ...visible(row), id: spell(row.id) }
    if (row.type === 'collection') block.propertyKeys = values.schemaOf(row).map(({ key }) => key)
    if (row.type === 'collectionItem') block.propertyTexts = values.textsOf(row)
    const description = descriptions.get(node.n)
    if (description !== undefined) block.reading = description
    const size = sizes.get(node.n)
    if (size !== undefined) block.text += ` (${sizeText(size)})`
    const preview = previews.get(node)
    if (preview !== undefined) block.contentPreview = previewText(preview, visible)
    blocks.set(node, block)
    if (blocks.size % NODES_PER_STEP === 0) yield
    const parentBlock = node.parent && blocks.get(node.parent)
    if (parentBlock === undefined) continue
    parentBlock.content ??= []
    parentBlock.content.push(block)
  }
  const root = blocks.get(slice.root)
  if (root === undefined) throw new Error('Expected the root of an answer among its blocks.')
  return root
}
