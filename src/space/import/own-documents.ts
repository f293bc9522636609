/** Reads what of an export of this space is here. */
import { blockById, blocksByIds } from '../../../storage/blocks.ts'
import { type DocumentRecord, documentsByIds } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { chunks, iterateCooperatively } from '../../base/scheduling.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { readBlockTree, rowOfNode } from '../blocks/block-tree.ts'
import type { Space } from '../model/space.ts'

/** How many IDs one query looks up. */
const IDS_PER_QUERY = 1_000

/** Documents by their ID, and the IDs of other blocks. */
export interface OwnIdsHere {
  documents: Map<number, DocumentRecord>
  blocks: Set<number>
}

export async function readOwnDocuments({ tx }: Space, ids: readonly number[]): Promise<OwnIdsHere> {
  const found: OwnIdsHere = { documents: new Map(), blocks: new Set() }
  for await (const part of chunks(ids, IDS_PER_QUERY)) {
    for (const row of await documentsByIds(tx, part)) found.documents.set(row.id, row)
    for (const { id } of await blocksByIds(tx, part)) if (!found.documents.has(id)) found.blocks.add(id)
  }
  return found
}

const TEXT_HEADING = /^h[1-6]$/

/**
 * Returns the IDs that anchors have in a document: `^id` and `#heading` of its own text, `/path` of a part, and
 * `/path^id` and `/path#heading` in a part. Anchors without a block are left out.
 *
 * @param parts  the IDs of items and collections by the path of their files
 * @param headingKey  what anchors have in place of a heading
 */
export async function readOwnAnchors(
  space: Space,
  document: number,
  anchors: readonly string[],
  parts: ReadonlyMap<string, number | null>,
  headingKey: (text: string) => string,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  if (anchors.length === 0) return ids
  const root = await blockById(space.tx, document)
  if (root === undefined) return ids
  const { order, rows } = await readBlockTree(space, root)
  const present = new Set<number>()
  const headings = new Map<string, number>()
  const items = new Map<number, number>()
  for await (const node of iterateCooperatively(order)) {
    const row = rowOfNode(rows, node)
    present.add(row.id)
    const item = row.type === 'collectionItem' ? row.id : (items.get(node.parent?.n ?? 0) ?? document)
    items.set(node.n, item)
    const key = headingOf(row, headingKey)
    const name = `${item}#${key}`
    if (key !== undefined && !headings.has(name)) headings.set(name, row.id)
  }
  for (const anchor of anchors) {
    const [, part, end = ''] = /^(?:\/(.*?))?((?:\^\d{1,15}|#[^/#^]*)?)$/s.exec(anchor) ?? []
    const within = part === undefined ? document : (parts.get(part) ?? undefined)
    const id =
      end === '' ? within : end.startsWith('^') ? Number(end.slice(1)) : headings.get(`${within ?? document}${end}`)
    if (id !== undefined && id !== document && present.has(id)) ids.set(anchor, id)
  }
  return ids
}

function headingOf(row: BlockRow, headingKey: (text: string) => string): string | undefined {
  if (row.type !== 'text') return undefined
  const { textStyle = '' } = fieldsFromRow(row)
  return TEXT_HEADING.test(textStyle) ? headingKey(plainTitle(row.text)) : undefined
}
