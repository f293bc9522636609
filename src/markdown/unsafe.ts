/** Addresses that run something are refused wherever they are written, whichever field or text they stand in. */
import { invalid } from '../base/errors.ts'
import { isUnsafe, unsafeAddress } from './addresses.ts'
import type { Block, BlockFields } from './block.ts'
import { type Address, addressesIn, mayRun, plainAddresses } from './links.ts'
import { readMarkdown } from './read.ts'

/** Types whose address is shown as a picture or film, and not only opened. */
export const SHOWN: ReadonlySet<string> = new Set(['image', 'video'])
/** Fields in plain words. */
export const WORDS = ['altText', 'fileName', 'title', 'description', 'separatorStyle'] as const

/** The blocks of a Markdown text. @throws VALIDATION_ERROR as {@link readMarkdown} does, and for an address that runs something */
export function readSafeMarkdown(text: string): Block[] {
  const blocks = readMarkdown(text)
  const waiting = [...blocks]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    refuseUnsafe(block)
    if (block.content !== undefined) waiting.push(...block.content)
  }
  return blocks
}

/**
 * @param known  what needs no look: it is kept already, or was looked at
 * @throws VALIDATION_ERROR that names an address that runs something
 */
export function refuseUnsafe(fields: BlockFields, known: Partial<BlockFields> = {}): void {
  const { type, text, url, styling } = fields
  if (url !== undefined && url !== known.url && isUnsafe(url, SHOWN.has(type))) throw invalid(unsafeAddress(url))
  if (type !== 'code' && text !== known.text && mayRun(text)) refuseAny(addressesIn(text, type === 'table'))
  for (const key of WORDS) {
    const words = fields[key]
    if (words !== undefined && words !== known[key]) refuseUnsafeText(words)
  }
  if (styling === undefined || JSON.stringify(styling) === JSON.stringify(known.styling)) return
  refuseAny(stringsIn(styling).map((one) => ({ url: one, isPicture: true })))
}

/** The same of a plain text. */
export function refuseUnsafeText(text: string): void {
  refuseAny(plainAddresses(text))
}

function refuseAny(addresses: readonly Pick<Address, 'url' | 'isPicture'>[]): void {
  const found = addresses.find(({ url, isPicture }) => isUnsafe(url, isPicture))
  if (found !== undefined) throw invalid(unsafeAddress(found.url))
}

/** The texts of a JSON value, but for its keys. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
