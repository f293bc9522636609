/** Collections and their items. These tags are output only, so there is no parser for them. */
import type { Block } from '../block.ts'
import { plainTitle } from '../inline-title.ts'
import { formatAttribute } from './page.ts'

/**
 * The tags around what a collection or an item holds. What people wrote stands in them as plain words, in which
 * nothing reads as a tag.
 *
 *     <collectionItem id="…">
 *     <title>a &lt;b></title>
 *     <property name="status">Open</property>
 */
export function writeCollectionTags(block: Block): { start: string; end: string } {
  const lines = [`<${block.type}${formatAttribute('id', block.id)}>`]
  if (block.text !== '') lines.push(`<title>${escapePlainText(plainTitle(block.text))}</title>`)
  if (block.propertyKeys !== undefined) lines.push(`<properties>${block.propertyKeys.join(', ')}</properties>`)
  for (const [key, text] of block.propertyTexts ?? []) {
    lines.push(`<property${formatAttribute('name', key)}>${escapePlainText(text)}</property>`)
  }
  return { start: lines.join('\n'), end: `\n</${block.type}>` }
}

/** Escapes plain text between tags. */
export const escapePlainText = (text: string): string =>
  text.includes('<') || text.includes('&') ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text

/** The plain text that was escaped. */
export const unescapePlainText = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')
