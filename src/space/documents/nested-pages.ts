/** The pages that are nested in a document, as a tree. */
import { hasMoreBlocks, nestedPageRows } from '../../../storage/blocks.ts'
import { BLOCKS_WITH_PAGES, NESTED_PAGES } from '../../base/limits.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

export interface NestedPage {
  id: string
  /** Plain text. */
  title: string
  pages: NestedPage[]
}

export interface NestedPages {
  pages: NestedPage[]
  /** True if the document has more blocks or pages than were looked at. */
  isCut: boolean
}

/**
 * Lists the pages that are nested in a document, in order. A page is in the page that contains it. Pages within the items
 * of collections are left out.
 *
 * @param documentId  of a document, or of any block in it
 * @throws NOT_FOUND_ERROR if there is no such block within reach
 */
export async function nestedPages(space: Space, documentId: AnyId): Promise<NestedPages> {
  const { document } = await space.getBlock(documentId)
  const rows = await nestedPageRows(space.tx, document, BLOCKS_WITH_PAGES, NESTED_PAGES + 1)
  const isCut = rows.length > NESTED_PAGES || (await hasMoreBlocks(space.tx, document, BLOCKS_WITH_PAGES))
  const shown = rows.slice(0, NESTED_PAGES)
  const titleOf = await visibleTitles(
    space,
    shown.map(({ text }) => text),
  )
  const known = new Map<number, NestedPage[]>([[document, []]])
  for (const { n } of shown) known.set(n, [])
  for (const { n, id, parent, text } of shown) {
    known.get(parent)?.push({ id: space.spellId(id), title: titleOf(text), pages: known.get(n) ?? [] })
  }
  return { pages: known.get(document) ?? [], isCut }
}
