/**
 * Finds the targets of a block's links, for the table of links that `blocks_get` reads as `linkedFrom`, and which says
 * who is mentioned where.
 */

import type { BlockRow } from '../../../storage/schema.ts'
import { isPersonAddress, parseAddress } from '../../markdown/addresses.ts'
import { hasTitle, isCodeText, isTableText } from '../../markdown/block-traits.ts'
import { findAddressesInWorker } from '../../markdown/markdown-in-worker.ts'
import { findTitleAddresses, mayContainAddress } from '../../markdown/text-addresses.ts'
import { assigneeOf } from '../model/assignees.ts'
import { readSpelledId } from '../model/ids.ts'

/** True for blocks that may contain a link to a block or a member. Most contain none and need not be parsed. */
export const mayLinkToBlocks = ({ type, text, attributes }: BlockRow): boolean =>
  !isCodeText(type) && (mayContainAddress(text) || (attributes !== null && mayLink(attributes)))

const mayLink = (attributes: string): boolean => mayContainAddress(attributes) || attributes.includes('"assignee":')

/**
 * Returns the target IDs of the block's links, each once. They are short IDs, or UUIDs from the time before IDs were
 * numbers. Nothing needs to exist with the ID.
 */
export async function linkTargets({ type, text, attributes }: BlockRow): Promise<string[]> {
  const urls: string[] = []
  if (mayContainAddress(text)) {
    const isTitle = hasTitle(type)
    const addresses = isTitle ? findTitleAddresses(text) : await findAddressesInWorker(text, isTableText(type))
    urls.push(...addresses.map(({ url }) => url))
  }
  // The address of a bookmark is no mention.
  if (attributes !== null && mayContainAddress(attributes)) {
    const { url } = JSON.parse(attributes)
    if (typeof url === 'string' && !isPersonAddress(url)) urls.push(url)
  }
  const targets = new Set<string>()
  // A connection that sees a task may know who does it.
  const assignee = assigneeOf({ attributes })
  if (assignee !== undefined) targets.add(assignee)
  for (const url of urls) {
    for (const id of parseAddress(url)?.ids ?? []) {
      const spelled = readSpelledId(id)
      if (spelled.kind === 'number') targets.add(String(spelled.number))
      if (spelled.kind === 'former') targets.add(spelled.uuid)
    }
  }
  return [...targets]
}
