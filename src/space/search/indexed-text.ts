/** The indexed text of a block: what people read in it, and the texts that belong to it. */

import type { BlockRow } from '../../../storage/schema.ts'
import type { IndexedText } from '../../../storage/word-index.ts'
import { runCooperatively, timeSliceExpired } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { hasTitle, isCodeText, isTableText } from '../../markdown/block-traits.ts'
import { calloutLevels } from '../../markdown/callout-levels.ts'
import { CHUNK_LENGTH, plainText, plainTextChunks, splitChunks, TAGS } from '../../markdown/inline-text.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { mapTableCells } from '../../markdown/table-cells.ts'
import { addressTexts } from './address-texts.ts'
import { blockTags, mayHaveTags } from './indexed-tags.ts'
import { linkTargets, mayLinkToBlocks } from './link-targets.ts'
import { segmentText } from './word-segmentation.ts'

const NO_TEXTS: readonly string[] = []

/**
 * Returns the text of a block for the index, the targets of its links, and its tags. Titles of documents, pages, items and
 * collections are separate. Runs synchronously if the block is short and the current time slice is not used up.
 *
 * @param extras  values of an item, and comments
 */
export function indexedText(row: BlockRow, extras: readonly string[]): IndexedText | Promise<IndexedText> {
  const [hasLinks, hasTags] = [mayLinkToBlocks(row), mayHaveTags(row)]
  return hasLinks || hasTags ? indexWithLinks(row, extras, hasLinks, hasTags) : indexWords(row, extras)
}

async function indexWithLinks(
  row: BlockRow,
  extras: readonly string[],
  hasLinks: boolean,
  hasTags: boolean,
): Promise<IndexedText> {
  return {
    ...(await indexWords(row, extras)),
    ...(hasLinks && { targets: await linkTargets(row) }),
    ...(hasTags && { tags: await blockTags(row) }),
  }
}

function indexWords(row: BlockRow, extras: readonly string[]): IndexedText | Promise<IndexedText> {
  const isShort = row.text.length <= CHUNK_LENGTH && extras.length < MANY_EXTRAS
  return isShort && !timeSliceExpired() ? indexShortBlock(row, extras) : runCooperatively(indexLongBlock(row, extras))
}

/** A block with at least this many values and comments is indexed in chunks. */
const MANY_EXTRAS = 20

/** A fast path, since most blocks are short. */
function indexShortBlock(row: BlockRow, extras: readonly string[]): IndexedText {
  const own = segmentText(row.type === 'text' ? indexableText(row.text) : blockText(row))
  const others = otherTexts(row)
  const hasMore = others.length > 0 || extras.length > 0
  return toIndexedText(row, own, hasMore ? segmentText([...others, ...extras].join(SEPARATOR)) : undefined)
}

function* indexLongBlock(row: BlockRow, extras: readonly string[]): Steps<IndexedText> {
  yield
  const own = yield* segmentChunks(row.type === 'text' ? wordChunks(row.text) : blockTextChunks(row))
  const others = [...otherTexts(row), ...extras]
  return toIndexedText(row, own, others.length > 0 ? yield* segmentChunks(chunkTexts(others)) : undefined)
}

/** Put between two texts. The index ignores it. */
const SEPARATOR = ' \n '

function toIndexedText({ type }: BlockRow, own: string, others: string | undefined): IndexedText {
  if (hasTitle(type)) return { title: own, text: others ?? '' }
  return { title: '', text: others === undefined ? own : `${own}${SEPARATOR}${others}` }
}

function* segmentChunks(parts: Iterable<string>): Steps<string> {
  const all: string[] = []
  for (const part of parts) {
    all.push(segmentText(part))
    yield
  }
  return all.join(SEPARATOR)
}

/**
 * The same text as people read it, in chunks: the block's own words first. Long texts have several chunks. Each is read
 * only when it is requested.
 */
export function* readableTexts(row: BlockRow, extras: readonly string[]): Generator<string> {
  for (const text of blockTextChunks(row)) if (text !== '') yield text
  yield* chunkTexts([...otherTexts(row), ...extras])
}

function* chunkTexts(texts: readonly string[]): Generator<string> {
  for (const text of texts) yield* splitChunks(text)
}

function* blockTextChunks(row: BlockRow): Generator<string> {
  const { type, text } = row
  if (isCodeText(type)) yield* splitChunks(text)
  else if (type === 'text') yield* plainTextChunks(text)
  // Long tables are not split into cells.
  else if (isTableText(type) && text.length > CHUNK_LENGTH) yield* plainTextChunks(text.replaceAll('|', ' '))
  else yield blockText(row)
}

/**
 * The words of a text. In a long text no words are lost because marks hide or split them: everything that looks like a
 * tag is skipped, and words with marks in them are indexed both in parts and as a whole.
 */
function* wordChunks(text: string): Generator<string> {
  const words = text.length <= CHUNK_LENGTH ? indexableText(text) : stripSimpleMarks(text)
  yield* splitChunks(words ?? text.replace(TAGS, ' '))
  if (words !== undefined) return
  const broken = (text.replace(TAGS, '').match(MARKED_WORDS) ?? []).filter((word) => JOINED_BY_MARKS.test(word))
  yield* splitChunks(broken.map((word) => word.replace(MARKS, '')).join(' '))
}

function blockText({ type, text }: BlockRow): string {
  if (text === '' || isCodeText(type)) return text
  if (isTableText(type)) return mapTableCells(text, (cell) => plainText(cell.replaceAll('\\|', '|')))
  return plainTitle(text)
}

/** What belongs to a block beside its text: its {@link attributeTexts}, and the addresses that it leads to. */
function otherTexts(row: BlockRow): readonly string[] {
  const [texts, addresses] = [attributeTexts(row), addressTexts(row)]
  return addresses.length === 0 ? texts : [...texts, ...addresses]
}

/**
 * Names, captions and descriptions of images, files and links, and the titles of the callouts that begin at the block.
 * For a link without a title, its address.
 */
function attributeTexts(row: BlockRow): readonly string[] {
  if (!hasAttributeTexts(row) || row.attributes === null) return NO_TEXTS
  return attributeTextsOf({ ...(JSON.parse(row.attributes) as Partial<BlockFields>), type: row.type })
}

/** False if a look at the row shows that {@link attributeTextsOf} are none. */
export const hasAttributeTexts = ({ type, attributes }: BlockRow): boolean =>
  attributes !== null && (type !== 'text' || TEXT_ATTRIBUTES.test(attributes))

/** The texts of {@link attributeTexts}, of a block as it was read. */
export function attributeTextsOf(fields: Omit<Partial<BlockFields>, 'type'> & { type: string }): readonly string[] {
  const { type, altText, fileName, title, description, url } = fields
  const callouts = calloutLevels(fields).map((callout) => callout.title)
  const texts = [...callouts, altText, fileName, title, description, type === 'richUrl' && !title ? url : '']
  return texts.filter((text): text is string => typeof text === 'string' && text !== '')
}

const TEXT_ATTRIBUTES = /"(?:altText|fileName|title|description)":/

const LINK = /\[([^[\]]*)\]\([^()\s<>\\]+\)/g
const JOINED_BY_MARKS = /[\p{L}\p{N}\p{M}][*~=`$\\[\]]+[\p{L}\p{N}\p{M}]/u
const MARKS = /[*~=`$\\[\]]+/g
/** Words, including marks in them and next to them. */
const MARKED_WORDS = /[\p{L}\p{N}\p{M}*~=`$\\[\]]+/gu

/**
 * Returns a text with the same words, in the same order, as the plain text of the input. Parsing marks takes longer
 * than indexing, and most marks are between words, where they do not matter: only what people do not read must go.
 */
export const indexableText = (text: string): string => stripSimpleMarks(text) ?? plainText(text)

/** Returns undefined if the marks must be parsed. */
function stripSimpleMarks(text: string): string | undefined {
  if (text.includes('<') || text.includes('&')) return undefined
  const hasLink = text.includes('](')
  if (hasLink && (text.includes('`') || text.includes('\\') || text.includes('$'))) return undefined
  const bare = hasLink ? text.replaceAll('![', '[').replace(LINK, '[$1]') : text
  // A mark between two letters joins both parts to one word.
  if ((hasLink && bare.includes('](')) || JOINED_BY_MARKS.test(bare)) return undefined
  return bare
}
