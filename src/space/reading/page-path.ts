/** The pages that contain a block. */
import { ancestorNumbers, blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { CONTINUATION_LEVELS } from '../../base/limits.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { visibleTexts } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

/** A page: its ID and its title as plain text. */
export interface PathEntry {
  id: string
  content: string
}

/** Levels of pages above the blocks of a list. */
const PATHS_LEVELS = 16

/** Reads the rows of the pages that contain a block, the document first. */
export async function readAncestors({ tx }: Space, block: BlockRow): Promise<BlockRow[]> {
  const rows = await blocksByNumbers(tx, (await ancestorNumbers(tx, block)).slice(1))
  // The rows are not sorted, but each is the parent of the next one.
  const byNumber = new Map(rows.map((row) => [row.n, row]))
  const ancestors: BlockRow[] = []
  for (let n = block.parent; n !== null; ) {
    const row = byNumber.get(n)
    if (row === undefined) break
    ancestors.push(row)
    n = row.parent
  }
  return ancestors.reverse()
}

/**
 * The pages that contain a block, the document first. If there are very many, only the document and the nearest ones.
 * Empty for a document.
 */
export async function readPagePath(space: Space, block: BlockRow): Promise<PathEntry[]> {
  const all = await readAncestors(space, block)
  const ancestors =
    all.length <= CONTINUATION_LEVELS ? all : [...all.slice(0, 1), ...all.slice(1 - CONTINUATION_LEVELS)]
  const visible = await visibleTexts(space, ancestors)
  return ancestors.map((row) => ({ id: space.spellId(row.id), content: plainTitle(visible(row)) }))
}

/**
 * The pages that contain each of these blocks, the document first, by the IDs of the blocks. Reads one level at a time,
 * for all of them at once. Blocks out of reach are left out, and so are those in more than {@link PATHS_LEVELS} pages.
 *
 * @param ids  as any connection spells them
 */
export async function readPagePaths(space: Space, ids: readonly string[]): Promise<Map<string, PathEntry[]>> {
  const numbers = await space.readIds(ids)
  const blocks = new Map((await space.findReachableBlocks([...numbers.values()])).map((row) => [row.id, row]))
  const known = new Map<number, BlockRow>()
  let rows = [...blocks.values()]
  for (let level = 0; level < PATHS_LEVELS && rows.length > 0; level++) {
    const above = new Set(rows.flatMap(({ parent }) => (parent === null || known.has(parent) ? [] : parent)))
    rows = above.size === 0 ? [] : await blocksByNumbers(space.tx, [...above])
    for (const row of rows) known.set(row.n, row)
  }
  const visible = await visibleTexts(space, [...known.values()])
  const pathOf = ({ parent }: BlockRow): PathEntry[] | undefined => {
    if (parent === null) return []
    const row = known.get(parent)
    const outer = row && pathOf(row)
    return row && outer && [...outer, { id: space.spellId(row.id), content: plainTitle(visible(row)) }]
  }
  const paths = new Map<string, PathEntry[]>()
  for (const [text, id] of numbers) {
    const block = blocks.get(id)
    const path = block && pathOf(block)
    if (path !== undefined) paths.set(text, path)
  }
  return paths
}
