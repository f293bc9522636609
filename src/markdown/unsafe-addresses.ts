/** Addresses that run something are refused wherever they are written, whichever field or text they stand in. */
import { invalid } from '../base/errors.ts'
import { describeUnsafeAddress, isUnsafeAddress } from './addresses.ts'
import type { Block, BlockFields } from './block.ts'
import { readMarkdown } from './read-markdown.ts'
import { findAddresses, findPlainAddresses, mayContainUnsafe, type TextAddress } from './text-addresses.ts'

/** Types whose address is shown as a picture or film, and not only opened. */
export const DISPLAYED_TYPES: ReadonlySet<string> = new Set(['image', 'video'])
/** Fields in plain words. */
export const TEXT_FIELDS = ['altText', 'fileName', 'title', 'description', 'separatorStyle'] as const

/** The blocks of a Markdown text. @throws VALIDATION_ERROR as {@link readMarkdown} does, and for an address that runs something */
export function readSafeMarkdown(text: string): Block[] {
  const blocks = readMarkdown(text)
  const waiting = [...blocks]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    assertSafeFields(block)
    if (block.content !== undefined) waiting.push(...block.content)
  }
  return blocks
}

/**
 * @param known  what needs no look: it is kept already, or was looked at
 * @throws VALIDATION_ERROR that names an address that runs something
 */
export function assertSafeFields(fields: BlockFields, known: Partial<BlockFields> = {}): void {
  const { type, text, url, styling } = fields
  if (url !== undefined && url !== known.url && isUnsafeAddress(url, DISPLAYED_TYPES.has(type)))
    throw invalid(describeUnsafeAddress(url))
  if (type !== 'code' && text !== known.text && mayContainUnsafe(text)) refuseAny(findAddresses(text, type === 'table'))
  for (const key of TEXT_FIELDS) {
    const words = fields[key]
    if (words !== undefined && words !== known[key]) assertSafeText(words)
  }
  if (styling === undefined || JSON.stringify(styling) === JSON.stringify(known.styling)) return
  refuseAny(collectStrings(styling).map((one) => ({ url: one, isPicture: true })))
}

/** The same of a plain text. */
export function assertSafeText(text: string): void {
  refuseAny(findPlainAddresses(text))
}

function refuseAny(addresses: readonly Pick<TextAddress, 'url' | 'isPicture'>[]): void {
  const found = addresses.find(({ url, isPicture }) => isUnsafeAddress(url, isPicture))
  if (found !== undefined) throw invalid(describeUnsafeAddress(found.url))
}

/** The texts of a JSON value, but for its keys. */
export function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectStrings) : []
}
