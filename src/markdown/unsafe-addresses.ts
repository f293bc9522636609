/** Rejects addresses that run code, in all fields and texts. */

import { invalid } from '../base/errors.ts'
import { describeUnsafeAddress, isUnsafeAddress } from './addresses.ts'
import type { Block, BlockFields } from './block.ts'
import { isCodeText, isTableText, traitsOf } from './block-traits.ts'
import type { ReadOptions } from './blocks/parser-state.ts'
import { plainTextsOf } from './plain-texts.ts'
import { readMarkdown } from './read-markdown.ts'
import { findAddresses, findPlainAddresses, mayContainUnsafe, type TextAddress } from './text-addresses.ts'

/**
 * Parses Markdown into blocks.
 *
 * @throws VALIDATION_ERROR as {@link readMarkdown}, and for an address that runs code
 */
export function readSafeMarkdown(text: string, options: ReadOptions = {}): Block[] {
  const blocks = readMarkdown(text, options)
  assertSafeBlocks(blocks)
  return blocks
}

/** @throws VALIDATION_ERROR for an address that runs code, in the blocks or in those that they hold */
export function assertSafeBlocks(blocks: readonly Block[]): void {
  const waiting = [...blocks]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    assertSafeFields(block)
    if (block.content !== undefined) waiting.push(...block.content)
  }
}

/**
 * @param known  fields that need no check: they are stored already, or were checked before
 * @throws VALIDATION_ERROR that contains the unsafe address
 */
export function assertSafeFields(fields: BlockFields, known: Partial<BlockFields> = {}): void {
  const { type, text, url, styling } = fields
  if (url !== undefined && url !== known.url && isUnsafeAddress(url, traitsOf(type).url === 'shown'))
    throw invalid(describeUnsafeAddress(url))
  if (!isCodeText(type) && text !== known.text && mayContainUnsafe(text))
    refuseAny(findAddresses(text, isTableText(type)))
  const before = new Set(plainTextsOf(known))
  for (const text of plainTextsOf(fields)) if (!before.has(text)) assertSafeText(text)
  if (styling === undefined || JSON.stringify(styling) === JSON.stringify(known.styling)) return
  refuseAny(collectStrings(styling).map((one) => ({ url: one, isPicture: true })))
}

/** The same for a plain text. */
export function assertSafeText(text: string): void {
  refuseAny(findPlainAddresses(text))
}

function refuseAny(addresses: readonly Pick<TextAddress, 'url' | 'isPicture'>[]): void {
  const found = addresses.find(({ url, isPicture }) => isUnsafeAddress(url, isPicture))
  if (found !== undefined) throw invalid(describeUnsafeAddress(found.url))
}

/** All strings in a JSON value, except keys. */
export function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectStrings) : []
}
