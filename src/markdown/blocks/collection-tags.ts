/** Collections and their items. These tags are output only: where an edited text has them, they stand for themselves. */
import type { Block } from '../block.ts'
import { plainTitle } from '../inline-title.ts'
import { formatAttribute } from './page.ts'

/**
 * The tags around what a collection or an item holds. What people wrote stands in them as plain text, in which
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

/** The text of an item, in two: its tag, title and properties, and its content. Undefined for any other text. */
export function splitItem(text: string): { head: string; content: string } | undefined {
  const item = text.replace(/\r\n?/g, '\n').trim()
  if (!/^<collectionItem[\s>]/.test(item) || !item.endsWith(ITEM_END)) return undefined
  const inner = item.slice(0, -ITEM_END.length)
  // What people wrote above the content has no tags, since `<` is escaped there.
  const start = inner.indexOf('<content>')
  if (start < 0) return { head: inner, content: '' }
  const end = inner.lastIndexOf('</content>')
  if (end < start || inner.slice(end + '</content>'.length).trim() !== '') return undefined
  return { head: inner.slice(0, start), content: inner.slice(start + '<content>'.length, end) }
}

const ITEM_END = '</collectionItem>'

/** Escapes plain text between tags. */
export const escapePlainText = (text: string): string =>
  text.includes('<') || text.includes('&') ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text

/** The plain text that was escaped. */
export const unescapePlainText = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')
