/** Finds the blocks that link to a block. An extension of the interface: `linkedFrom` in the metadata of blocks. */
import { linksTo } from '../../../storage/block-links.ts'
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { LINKED_FROM_PER_BLOCK } from '../../base/limits.ts'
import { chunks } from '../../base/scheduling.ts'
import { visibleTitles } from '../model/block-links.ts'
import { isSystemDocument, reachOf, type Space } from '../model/space.ts'

export interface Backlink {
  blockId: string
  /** Absent in the inbox and the logbook, which callers do not see as documents. */
  documentId?: string
  /** The title of the document. */
  title: string
}

export interface Backlinks {
  linkedFrom?: Backlink[]
  /** Present if more blocks link to it than are listed. */
  hasMoreLinks?: true
}

const TARGETS_PER_QUERY = 1_000

/** Returns the blocks within reach that link to each of these blocks, the newest first. */
export async function getBacklinks(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => Backlinks> {
  const found = []
  for await (const part of chunks(rows, TARGETS_PER_QUERY)) {
    const ids = part.map(({ id }) => id)
    found.push(...(await linksTo(space.tx, reachOf(space.link), ids, LINKED_FROM_PER_BLOCK + 1)))
  }
  const numbers = [...new Set(found.map(({ document }) => document))]
  const roots = new Map((await blocksByNumbers(space.tx, numbers)).map((root) => [root.n, root]))
  const titleOf = await visibleTitles(
    space,
    [...roots.values()].map(({ text }) => text),
  )
  const documents = await space.documentRows(numbers)
  const byTarget = Map.groupBy(found, ({ target }) => target)
  return ({ id }) => {
    const links = byTarget.get(id)
    if (links === undefined) return {}
    const linkedFrom = links.slice(0, LINKED_FROM_PER_BLOCK).map(({ id, document }): Backlink => {
      const [root, row] = [roots.get(document), documents.get(document)]
      const isDocument = root !== undefined && row !== undefined && !isSystemDocument(row)
      return {
        blockId: space.spellId(id),
        ...(isDocument && { documentId: space.spellId(root.id) }),
        title: titleOf(root?.text ?? ''),
      }
    })
    return { linkedFrom, ...(links.length > LINKED_FROM_PER_BLOCK && { hasMoreLinks: true }) }
  }
}
