/** What a block says to a search: the words that people read of it, and what is said beside it. */

import type { BlockRow } from '../../../storage/schema.ts'
import type { IndexedText } from '../../../storage/search.ts'
import { inTurns, isOver, type Parts } from '../../breathe.ts'
import { mapCells } from '../../markdown/cells.ts'
import { inParts, plainParts, plainText, READ_AT_ONCE, TAGS } from '../../markdown/inline.ts'
import { plainTitle } from '../../markdown/title.ts'
import { spaced } from './words.ts'

const NOTHING: readonly string[] = []
const HAS_TITLE: ReadonlySet<string> = new Set(['page', 'collection', 'collectionItem'])

/**
 * A block's words for the index. Titles of documents, pages, items and collections stand apart. At once, while this
 * thread has not been at work for long and the block says little.
 *
 * @param beside  values of an item, and comments
 */
export function indexedText(row: BlockRow, beside: readonly string[]): IndexedText | Promise<IndexedText> {
  const isShort = row.text.length <= READ_AT_ONCE && beside.length < MANY
  return isShort && !isOver() ? ofShort(row, beside) : inTurns(ofLong(row, beside))
}

/** Values and comments from which on a block is indexed in parts. */
const MANY = 20

/** Most blocks are short: none of the parts is made for them. */
function ofShort(row: BlockRow, beside: readonly string[]): IndexedText {
  const own = spaced(row.type === 'text' ? quickWords(row.text) : ownText(row))
  const others = row.attributes === null ? NOTHING : attributeTexts(row)
  const hasMore = others.length > 0 || beside.length > 0
  return indexed(row, own, hasMore ? spaced([...others, ...beside].join(BETWEEN)) : undefined)
}

function* ofLong(row: BlockRow, beside: readonly string[]): Parts<IndexedText> {
  yield
  const own = yield* spacedParts(row.type === 'text' ? wordParts(row.text) : ownParts(row))
  const others = [...attributeTexts(row), ...beside]
  return indexed(row, own, others.length > 0 ? yield* spacedParts(cut(others)) : undefined)
}

/** Stands between two texts; the index passes over it. */
const BETWEEN = ' \n '

function indexed({ type }: BlockRow, own: string, others: string | undefined): IndexedText {
  if (HAS_TITLE.has(type)) return { title: own, text: others ?? '' }
  return { title: '', text: others === undefined ? own : `${own}${BETWEEN}${others}` }
}

function* spacedParts(parts: Iterable<string>): Parts<string> {
  const all: string[] = []
  for (const part of parts) {
    all.push(spaced(part))
    yield
  }
  return all.join(BETWEEN)
}

/**
 * The same as people read it, part by part: its own words first. Long texts come in several parts, and none is read
 * before it is asked for.
 */
export function* readableTexts(row: BlockRow, beside: readonly string[]): Generator<string> {
  for (const text of ownParts(row)) if (text !== '') yield text
  yield* cut([...attributeTexts(row), ...beside])
}

function* cut(texts: readonly string[]): Generator<string> {
  for (const text of texts) yield* inParts(text)
}

function* ownParts(row: BlockRow): Generator<string> {
  const { type, text } = row
  if (type === 'code') yield* inParts(text)
  else if (type === 'text') yield* plainParts(text)
  // Of a long table no cell is looked for.
  else if (type === 'table' && text.length > READ_AT_ONCE) yield* plainParts(text.replaceAll('|', ' '))
  else yield ownText(row)
}

/**
 * The words of a text. Of a long one no word is lost that marks may hide or break: what looks like a mark is passed
 * over, and words with marks in them are indexed both ways, in parts and as one.
 */
function* wordParts(text: string): Generator<string> {
  const words = text.length <= READ_AT_ONCE ? quickWords(text) : bareWords(text)
  yield* inParts(words ?? text.replace(TAGS, ' '))
  if (words !== undefined) return
  const broken = (text.replace(TAGS, '').match(MARKED_WORDS) ?? []).filter((word) => JOINED.test(word))
  yield* inParts(broken.map((word) => word.replace(MARKS, '')).join(' '))
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
const MARKS = /[*~=`$\\[\]]+/g
/** Words with the marks in them and beside them. */
const MARKED_WORDS = /[\p{L}\p{N}\p{M}*~=`$\\[\]]+/gu

/**
 * A text with the same words, in the same order, as its plain text. Reading marks takes longer than indexing, and most
 * marks stand between words, where they are no part of any: only what is not read at all must be taken away.
 */
export const quickWords = (text: string): string => bareWords(text) ?? plainText(text)

/** None where marks have to be read. */
function bareWords(text: string): string | undefined {
  if (text.includes('<') || text.includes('&')) return undefined
  const hasLink = text.includes('](')
  if (hasLink && (text.includes('`') || text.includes('\\') || text.includes('$'))) return undefined
  const bare = hasLink ? text.replaceAll('![', '[').replace(LINK, '[$1]') : text
  // Where a mark stands between two letters both belong to one word.
  if ((hasLink && bare.includes('](')) || JOINED.test(bare)) return undefined
  return bare
}
