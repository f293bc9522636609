/** Parts of a long page: its headings with their sizes, or the section below one of them. */
import { headingsOf, textLengths } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { foldText } from '../../base/fold-text.ts'
import { HEADINGS_IN_ERROR } from '../../base/limits.ts'
import { shorten } from '../../base/shorten.ts'
import { truncateTitle } from '../../markdown/inline-title.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import type { BlockNode } from '../blocks/block-tree.ts'
import { visibleTexts } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

/** How much a section holds, its heading included. Characters are those of Markdown without prefixes. */
export interface SectionSize {
  blocks: number
  characters: number
}

/** The blocks of a part, in reading order below the page that holds them. */
export interface PagePart {
  order: BlockNode[]
  /** Of each heading of an outline, by its number. */
  sizes: ReadonlyMap<number, SectionSize>
}

interface Heading {
  node: BlockNode
  row: BlockRow
  level: number
}

/** The headings of a page and of the pages in it, as if the page held nothing else. */
export async function selectOutline(space: Space, root: BlockRow, order: readonly BlockNode[]): Promise<PagePart> {
  const headings = await readHeadings(space, root, order)
  const lengths = await textLengths(space.tx, root.document)
  const index = new Map(order.map((node, at) => [node, at]))
  const top: BlockNode = { n: root.n, depth: 0, parent: undefined, children: [] }
  const sizes = new Map<number, SectionSize>()
  // The sums of the texts before each block, so that a section inside others is not counted again and again.
  const sums = [0]
  for (const { n } of order) sums.push((sums.at(-1) ?? 0) + (lengths.get(n) ?? 0))
  const ends = sectionEnds(headings, order)
  for (const { node } of headings) {
    const [from, to] = [index.get(node) ?? 0, ends.get(node) ?? order.length]
    sizes.set(node.n, { blocks: to - from, characters: (sums[to] ?? 0) - (sums[from] ?? 0) })
    top.children.push({ n: node.n, depth: 1, parent: top, children: [] })
  }
  return { order: [top, ...top.children], sizes }
}

/**
 * The section below a heading, up to the next one of its level or above.
 *
 * @param wanted  the words of the heading, whatever their case and accents, or its ID
 * @throws VALIDATION_ERROR for words that no heading has, or several have, with the headings to choose from
 */
export async function selectSection(
  space: Space,
  root: BlockRow,
  order: readonly BlockNode[],
  wanted: string,
): Promise<PagePart> {
  const headings = await readHeadings(space, root, order)
  const visible = await visibleTexts(
    space,
    headings.map(({ row }) => row),
  )
  const titleOf = ({ row }: Heading) => truncateTitle(visible(row)).trim()
  const given = wanted.replace(/^#+ +/, '').trim()
  const matching = headings.filter(
    (heading) => foldText(titleOf(heading)) === foldText(given) || space.spellId(heading.row.id) === given,
  )
  const [found] = matching
  if (found === undefined || matching.length > 1) {
    const offered = matching.length > 1 ? matching : headings
    const named = offered
      .slice(0, HEADINGS_IN_ERROR)
      .map((heading) => `"${shorten(titleOf(heading))}" (${space.spellId(heading.row.id)})`)
    const more = offered.length > named.length ? ` and ${offered.length - named.length} more` : ''
    if (matching.length > 1) {
      throw invalid(
        `Expected one heading as section, found ${matching.length} with these words: ${named.join(', ')}${more}; give the ID of one.`,
      )
    }
    const has = named.length === 0 ? 'it has no headings' : `its headings are ${named.join(', ')}${more}`
    throw invalid(`Expected a heading of the page as section, found "${shorten(given)}"; ${has}.`)
  }
  const end = sectionEnds(headings, order).get(found.node) ?? order.length
  return { order: partOf(order, order.indexOf(found.node), end), sizes: NO_SIZES }
}

const NO_SIZES: PagePart['sizes'] = new Map()

async function readHeadings(space: Space, root: BlockRow, order: readonly BlockNode[]): Promise<Heading[]> {
  const rows = new Map((await headingsOf(space.tx, [root.document])).map((row) => [row.n, row]))
  return order.flatMap((node): Heading[] => {
    const row = node.parent === undefined ? undefined : rows.get(node.n)
    const style = row && fieldsFromRow(row).textStyle
    return row === undefined || style === undefined || !/^h\d$/.test(style)
      ? []
      : [{ node, row, level: Number(style.slice(1)) }]
  })
}

/**
 * For each heading the index after the last block of its section: where the next heading of its level or above begins, or
 * its page ends. Each block is looked at once.
 */
function sectionEnds(headings: readonly Heading[], order: readonly BlockNode[]): Map<BlockNode, number> {
  const levels = new Map(headings.map(({ node, level }) => [node, level]))
  const ends = new Map<BlockNode, number>()
  const open: BlockNode[] = []
  for (const [at, node] of order.entries()) {
    const level = levels.get(node)
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const isInside = node.depth > last.depth || (node.depth === last.depth && !isAtLeast(level, levels.get(last)))
      if (isInside) break
      ends.set(last, at)
      open.pop()
    }
    if (level !== undefined) open.push(node)
  }
  for (const node of open) ends.set(node, order.length)
  return ends
}

/** True if a heading of one level ends the section of another. */
const isAtLeast = (level = Number.POSITIVE_INFINITY, other = 0): boolean => level <= other

/** Copies a range of nodes below a copy of the page that holds the first of them. */
function partOf(order: readonly BlockNode[], from: number, to: number): BlockNode[] {
  const page = order[from]?.parent
  if (page === undefined) return []
  const top: BlockNode = { n: page.n, depth: page.depth, parent: undefined, children: [] }
  const copies = new Map<BlockNode, BlockNode>([[page, top]])
  for (const node of order.slice(from, to)) {
    const parent = node.parent && copies.get(node.parent)
    if (parent === undefined) continue
    const copy: BlockNode = { n: node.n, depth: node.depth, parent, children: [] }
    parent.children.push(copy)
    copies.set(node, copy)
  }
  return [...copies.values()]
}
