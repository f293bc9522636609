/** What a block says to a search: the words that people read of it, and what is said beside it. */

import type { BlockRow } from '../../../storage/schema.ts'
import type { IndexedText } from '../../../storage/search.ts'
import { mapCells } from '../../markdown/cells.ts'
import { plainText } from '../../markdown/inline.ts'
import { plainTitle } from '../../markdown/title.ts'
import { spaced } from './words.ts'

const NOTHING: readonly string[] = []
const HAS_TITLE: ReadonlySet<string> = new Set(['page', 'collection', 'collectionItem'])

/**
 * A block's words for the index. Titles of documents, pages, items and collections stand apart.
 *
 * @param beside  values of an item, and comments
 */
export function indexedText(row: BlockRow, beside: readonly string[]): IndexedText {
  const others = row.attributes === null ? NOTHING : attributeTexts(row)
  const own = row.type === 'text' ? quickWords(row.text) : ownText(row)
  const isTitle = HAS_TITLE.has(row.type)
  const title = isTitle ? own : ''
  if (others.length === 0 && beside.length === 0) {
    const text = isTitle ? '' : own
    return { title: spaced(title), text: spaced(text) }
  }
  return { title: spaced(title), text: spaced([...(isTitle ? NOTHING : [own]), ...others, ...beside].join(' \n ')) }
}

/** The same as people read it, part by part: its own words first. */
export function readableTexts(row: BlockRow, beside: readonly string[]): string[] {
  const own = row.type === 'text' ? plainText(row.text) : ownText(row)
  return [own, ...attributeTexts(row), ...beside].filter((text) => text !== '')
}

function ownText({ type, text }: BlockRow): string {
  if (text === '' || type === 'code') return text
  if (type === 'table') return mapCells(text, (cell) => plainText(cell.replaceAll('\\|', '|')))
  return plainTitle(text)
}

/** Names, captions and descriptions of pictures, files and links; of a link without a title its address. */
function attributeTexts({ type, attributes }: BlockRow): readonly string[] {
  if (attributes === null || (type === 'text' && !SPEAKING.test(attributes))) return NOTHING
  const { altText, fileName, title, description, url } = JSON.parse(attributes) as Record<string, unknown>
  const texts = [altText, fileName, title, description, type === 'richUrl' && !title ? url : '']
  return texts.filter((text): text is string => typeof text === 'string' && text !== '')
}

const SPEAKING = /"(?:altText|fileName|title|description)":/

const LINK = /\[([^[\]]*)\]\([^()\s<>\\]+\)/g
const JOINED = /[\p{L}\p{N}\p{M}][*~=`$\\[\]]+[\p{L}\p{N}\p{M}]/u

/**
 * A text with the same words, in the same order, as its plain text. Reading marks takes longer than indexing, and most
 * marks stand between words, where they are no part of any: only what is not read at all must be taken away.
 */
export function quickWords(text: string): string {
  if (text.includes('<') || text.includes('&')) return plainText(text)
  const hasLink = text.includes('](')
  if (hasLink && (text.includes('`') || text.includes('\\') || text.includes('$'))) return plainText(text)
  const bare = hasLink ? text.replaceAll('![', '[').replace(LINK, '[$1]') : text
  // Where a mark stands between two letters both belong to one word.
  if ((hasLink && bare.includes('](')) || JOINED.test(bare)) return plainText(text)
  return bare
}
