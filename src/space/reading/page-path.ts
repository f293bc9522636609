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
