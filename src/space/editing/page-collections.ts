/**
 * Collections, and the item whose page it is, in the edited text of a page. Their items and values have tools of their
 * own, so in the text they stand for themselves: as they were read, or as an empty tag.
 */
import { invalid } from '../../base/errors.ts'
import { BLOCKS_PER_CALL } from '../../base/limits.ts'
import type { Block } from '../../markdown/block.ts'
import { splitItem } from '../../markdown/blocks/collection-tags.ts'
import { readMarkdownInWorker } from '../../markdown/markdown-in-worker.ts'
import { flattenTree, type TreeMatches } from '../blocks/match-trees.ts'
import type { Space } from '../model/space.ts'
import { getBlock } from '../reading/get-block.ts'
import type { OldTree } from './page-trees.ts'

/** The edited text of a page, parsed. */
export interface PageText {
  parsed: readonly Block[]
  /** The tags before the content, if the text is that of an item of a collection. */
  itemHead?: string
}

/** @throws VALIDATION_ERROR for Markdown that cannot be parsed */
export async function readPageText(text: string): Promise<PageText> {
  const item = splitItem(text)
  const parsed = await readMarkdownInWorker(item?.content ?? text, { keepsCollections: true })
  return item === undefined ? { parsed } : { parsed, itemHead: item.head }
}

/**
 * Gives the collections of a text the fields that they have.
 *
 * @param current  the present text of the page, if it is known
 * @throws VALIDATION_ERROR for a collection that the page does not hold, and for one that the text changed, or the
 *   title or properties of an item
 */
export async function keepCollections(
  space: Space,
  page: OldTree,
  { parsed, itemHead }: PageText,
  ids: ReadonlyMap<string, number>,
  current?: string,
): Promise<void> {
  const named = collectionsIn(parsed)
  const olds = new Map(flattenTree(page).map((one) => [one.id, one as OldTree]))
  const written = named.filter(({ asRead = '' }) => !EMPTY.test(asRead))
  const text = written.length + (itemHead === undefined ? 0 : 1) > 0 ? (current ?? (await textOf(space, page))) : ''
  if (itemHead !== undefined && splitItem(text)?.head.trim() !== itemHead.trim()) {
    throw invalid(
      `Expected the title and properties of item ${space.spellId(page.row.id)} as blocks_get returns them, found others; change them with items_update, or send the content alone.`,
    )
  }
  for (const block of named) {
    const id = ids.get(block.id ?? '')
    const old = olds.get(String(id))
    if (old?.type !== 'collection') {
      throw invalid(
        `Expected a <collection> of this page with its id, found ${block.id ?? 'one without an id'}; make a collection with collections_add, or move one here with blocks_move.`,
      )
    }
    const shown = space.spellId(old.row.id)
    if (written.includes(block) && !text.startsWith(block.asRead ?? '', text.indexOf(`<collection id="${shown}"`))) {
      throw invalid(
        `Expected <collection id="${shown}"> as it was read, found it changed; write <collection id="${shown}"/> in its place, and change its items with items_update, items_add or items_delete, and its columns with schema_update.`,
      )
    }
    const { decorations } = block
    Object.assign(block, old.fields, { id: block.id })
    if (decorations === undefined) delete block.decorations
    else block.decorations = decorations
    delete block.asRead
  }
}

/** @throws VALIDATION_ERROR for a text that leaves a collection out, which would delete all its items */
export function assertCollectionsKept(space: Space, page: OldTree, matches: TreeMatches): void {
  const kept = new Set(matches.values())
  const lost = flattenTree(page).find((one) => one.type === 'collection' && !kept.has(one))
  if (lost === undefined) return
  const id = space.spellId(Number(lost.id))
  throw invalid(
    `Expected a text with all collections of the page, found the collection ${id} left out; put <collection id="${id}"/> where it was, or delete it with blocks_delete first.`,
  )
}

const EMPTY = /^<collection\b[^<>]*(?:\/>|(?<!\/)>\s*<\/collection>)$/

function collectionsIn(blocks: readonly Block[]): Block[] {
  const found: Block[] = []
  const waiting = [...blocks]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (block.type === 'collection') found.push(block)
    for (const inner of block.content ?? []) waiting.push(inner)
  }
  return found
}

async function textOf(space: Space, { row }: OldTree): Promise<string> {
  const whole = { id: row.id, maxDepth: -1, fetchMetadata: false, maxBlocks: BLOCKS_PER_CALL } as const
  return (await getBlock(space, { ...whole, format: 'markdown' })).body
}
