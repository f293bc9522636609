/**
 * Keeps a narrow connection from mentioning members whom it does not know. A mention within its reach makes a member
 * known to it, so that an ID from elsewhere would tell it who that is.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { isPersonAddress, OUT_OF_SCOPE_ADDRESS } from '../../markdown/addresses.ts'
import { hasTitle, isCodeText, isTableText } from '../../markdown/block-traits.ts'
import { findAddressesInWorker } from '../../markdown/markdown-in-worker.ts'
import {
  findTitleAddresses,
  mayContainAddress,
  replaceAddresses,
  type TextAddress,
} from '../../markdown/text-addresses.ts'
import { addressesOutOfScope } from './block-links.ts'
import type { Space } from './space.ts'

/**
 * Stores the addresses of unknown members as the connection will see them, unless they stand in the block already: those
 * were written by others.
 *
 * @param rows  which will be written; their texts are changed
 */
export async function hideUnknownMentions(space: Space, rows: readonly BlockRow[]): Promise<void> {
  if (space.kind === 'full') return
  const mentions = new Map<BlockRow, TextAddress[]>()
  for (const row of rows) {
    const found = await mentionsIn(row)
    if (found.length > 0) mentions.set(row, found)
  }
  if (mentions.size === 0) return
  const unknown = await addressesOutOfScope(
    space,
    [...mentions.values()].flat().map(({ url }) => url),
  )
  if (unknown.size === 0) return
  const stored = new Map(
    (
      await blocksByNumbers(
        space.tx,
        [...mentions.keys()].map(({ n }) => n),
      )
    ).map((row) => [row.n, row]),
  )
  for (const [row, found] of mentions) {
    const before = stored.get(row.n)
    const known = new Set(before === undefined ? [] : (await mentionsIn(before)).map(({ url }) => url))
    row.text = replaceAddresses(row.text, found, ({ url }) =>
      unknown.has(url) && !known.has(url) ? OUT_OF_SCOPE_ADDRESS : url,
    )
  }
}

async function mentionsIn({ type, text }: BlockRow): Promise<TextAddress[]> {
  if (isCodeText(type) || !mayContainAddress(text)) return []
  const addresses = hasTitle(type) ? findTitleAddresses(text) : await findAddressesInWorker(text, isTableText(type))
  return addresses.filter(({ url }) => isPersonAddress(url))
}
