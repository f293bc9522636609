/** Links from block to block: what a connection may see of them. */
import type { BlockRow } from '../../storage/schema.ts'
import { breathe } from '../breathe.ts'
import { BLOCK_LINK, type BlockLink, blockLinks, OUT_OF_SCOPE, withDestinations } from '../markdown/links.ts'
import { blockLinksAside } from '../markdown/read-aside.ts'
import type { Space } from './space.ts'

/**
 * The texts of these blocks with each link to a block outside of the connection's reach as
 * `[text](invalid:out_of_scope)`. On a full connection every text is as it is stored.
 */
export async function visibleTexts(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => string> {
  if (space.kind === 'full') return (row) => row.text
  const known = new Map<BlockRow, { text: string; links: readonly BlockLink[] }>()
  const targets = new Set<string>()
  for (const row of rows) {
    if (!mayLink(row)) continue
    const { text } = row
    const links = await blockLinksAside(text, row.type === 'table')
    known.set(row, { text, links })
    for (const { id } of links) targets.add(canonical(id))
    await breathe()
  }
  const within = new Set((await space.reachable([...targets])).map((row) => row.id))
  const hide = (id: string) => (within.has(canonical(id)) ? `${BLOCK_LINK}${id}` : OUT_OF_SCOPE)
  return (row) => {
    const { text } = row
    if (!mayLink(row)) return text
    const before = known.get(row)
    // A row may say something else by now: what it links to was not asked for then, and is hidden.
    return withDestinations(text, before?.text === text ? before.links : linksOf(row), hide)
  }
}

const mayLink = ({ type, text }: BlockRow): boolean => type !== 'code' && text.includes(BLOCK_LINK)

/** The links of a block to others, in order. */
export const linksOf = ({ type, text }: Pick<BlockRow, 'type' | 'text'>): BlockLink[] =>
  blockLinks(text, type === 'table')

/** IDs are found however clients spell their letters. */
const canonical = (id: string) => id.toLowerCase()
