/** The members that texts name. What is written in code is no mention. */
import { isPersonAddress, parseAddress } from '../../markdown/addresses.ts'
import { hasTitle, isCodeText, isTableText } from '../../markdown/block-traits.ts'
import { findAddressesInWorker } from '../../markdown/markdown-in-worker.ts'
import { findPlainAddresses, findTitleAddresses, mayContainAddress } from '../../markdown/text-addresses.ts'
import { readSpelledId } from '../model/ids.ts'

/** False if a text certainly names no member. */
export const mayNameMember = (text: unknown): text is string => typeof text === 'string' && /person:/i.test(text)

/**
 * The IDs of the members that a text names, as digits.
 *
 * @param type  of the block whose text it is; absent for a comment or a value, which are plain text
 */
export async function namedMembers(text: string, type?: string): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { url } of await addressesIn(text, type)) {
    if (!isPersonAddress(url)) continue
    const spelled = readSpelledId(parseAddress(url)?.ids[0] ?? '')
    if (spelled.kind === 'number') ids.add(String(spelled.number))
  }
  return ids
}

async function addressesIn(text: string, type: string | undefined): Promise<readonly { url: string }[]> {
  if (!mayNameMember(text) || !mayContainAddress(text)) return []
  if (type === undefined) return findPlainAddresses(text)
  if (isCodeText(type)) return []
  return hasTitle(type) ? findTitleAddresses(text) : findAddressesInWorker(text, isTableText(type))
}
