/** The pages within documents, as the tree of the pages lists them. */
import { type PageRow, pagesAround, pagesByIds, pagesIn } from '../../../storage/nested-pages.ts'
import { CONTINUATION_LEVELS, NESTED_PAGES } from '../../base/limits.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

export interface NestedPage {
  id: string
  /** Plain text. */
  title: string
}

/** The pages directly within a document or page. */
export interface PagesIn {
  /** How many there are. */
  count: number
  isOpen: boolean
  /** Those that are listed, in order; none if it is closed. */
  pages: readonly NestedPage[]
}

export interface NestedPagesInput {
  /** The IDs of documents, as the connection spells them. Those that it does not reach have no pages here. */
  documents: readonly string[]
  /** What somebody opened and closed: IDs of documents and pages, and of anything else. */
  folds: ReadonlyMap<string, boolean>
  /** The document that is shown, and the page within it. They are open unless somebody closed them. */
  documentId?: string | undefined
  nestedId?: string | undefined
}

/**
 * Lists the pages of the documents and pages that are open, by the ID of what contains them. Pages within the items of
 * collections are left out, since nothing that is listed contains them.
 */
export async function nestedPages(
  space: Space,
  { documents, folds, documentId, nestedId }: NestedPagesInput,
): Promise<ReadonlyMap<string, PagesIn>> {
  if (documents.length === 0) return new Map()
  const opened = [...folds].filter(([, isOpen]) => isOpen).map(([id]) => id)
  const shown = [documentId, nestedId].filter((id) => id !== undefined)
  const numbers = await space.readIds([...documents, ...opened, ...shown])
  const numbersOf = (ids: readonly string[]) => ids.flatMap((id) => numbers.get(id) ?? [])
  const [nested] = numbersOf(nestedId === undefined ? [] : [nestedId])
  const path = nested === undefined ? [] : await pagesAround(space.tx, nested, CONTINUATION_LEVELS)
  const onPath = new Set([...path.map(({ id }) => id), ...numbersOf(shown)])
  const isOpen = (id: number) => folds.get(space.spellId(id)) ?? onPath.has(id)
  const wanted = new Set(numbersOf(documents))
  const known = await pagesByIds(space.tx, [...new Set([...wanted, ...numbersOf(opened), ...onPath])])
  const listedRoots = known.filter(({ id, parent }) => parent === null && wanted.has(id))
  // A document that was deleted is listed for a link that exposes it, and its pages are out of reach.
  const reached = await space.reachableDocuments(listedRoots.map(({ n }) => n))
  const roots = listedRoots.filter(({ n }) => reached.has(n))
  const open = known.filter(({ id, document, pages }) => reached.has(document) && pages > 0 && isOpen(id))
  const nestedRows =
    open.length === 0
      ? []
      : await pagesIn(
          space.tx,
          open.map(({ n }) => n),
          NESTED_PAGES,
        )
  const byNumber = new Map([...roots, ...nestedRows].map((row) => [row.n, row]))
  // Also one that stands behind those that are listed. The document comes first; what no listed one contains is out of reach.
  for (const row of path.toReversed()) {
    const around = row.parent === null ? undefined : byNumber.get(row.parent)
    if (around !== undefined && isOpen(around.id) && !byNumber.has(row.n)) byNumber.set(row.n, row)
  }
  return listed(space, [...byNumber.values()], isOpen)
}

async function listed(
  space: Space,
  rows: readonly PageRow[],
  isOpen: (id: number) => boolean,
): Promise<Map<string, PagesIn>> {
  const nested = rows.filter(({ parent }) => parent !== null)
  const titleOf = await visibleTitles(
    space,
    nested.map(({ text }) => text),
  )
  const pagesOf = Map.groupBy(nested, ({ parent }) => parent)
  return new Map(
    rows.map(({ n, id, pages: count }) => [
      space.spellId(id),
      {
        count,
        isOpen: isOpen(id),
        pages: (pagesOf.get(n) ?? []).map(({ id, text }) => ({ id: space.spellId(id), title: titleOf(text) })),
      },
    ]),
  )
}
