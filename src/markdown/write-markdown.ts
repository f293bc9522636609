import { runToCompletion, type Steps } from '../base/work-steps.ts'
import { type Block, type BlockFields, MAX_INDENTATION } from './block.ts'
import { withPrefixes } from './block-prefixes.ts'
import { hasTitle } from './block-traits.ts'
import { escapeLines } from './blocks/block-escapes.ts'
import { calloutStart } from './blocks/callout-tag.ts'
import { writeCodeBlock } from './blocks/code-block.ts'
import { escapePlainText, writeCollectionTags } from './blocks/collection-tags.ts'
import { EMPTY_BLOCK } from './blocks/empty-block.ts'
import { headingMark, headingText } from './blocks/heading.ts'
import { writeLine } from './blocks/line-block.ts'
import { escapeMediaText, writeMedia } from './blocks/media.ts'
import { ANY_LEVEL } from './blocks/nesting.ts'
import { formatAttribute, writePageStart } from './blocks/page.ts'
import { hideTags } from './blocks/tag-attributes.ts'
import { areInOtherCallouts, calloutLevels, sharedCallouts, withCallout } from './callout-levels.ts'
import { plainTitle } from './inline-title.ts'
import { NumberWriter } from './written-numbers.ts'

/** Writes a tree as Markdown. Parsing it gives the same blocks, as far as Markdown can express their fields. */
export const writeMarkdown = (blocks: readonly Block[]): string => runToCompletion(writeMarkdownSteps(blocks))

/** The same in chunks, for many blocks. */
export function* writeMarkdownSteps(blocks: readonly Block[]): Steps<string> {
  let text = ''
  const open: OpenHolder[] = [{ blocks, index: 0, end: '', numbers: new NumberWriter(isHolder) }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.blocks[top.index]
    const previous = top.blocks[top.index - 1]
    const skipsLevel = previous !== undefined && next !== undefined && levelOf(next) > levelOf(previous) + 1
    const { isMarked, number } = top.numbers.next(top.blocks, top.index++, skipsLevel)
    if (next === undefined) {
      open.pop()
      text += '\n</callout>'.repeat(calloutLevels(previous).length) + top.end
      continue
    }
    yield
    const numbered = next.listStyle === 'numbered' ? withNumber(next, number) : next
    const levels = calloutLevels(next)
    // The tags of callouts stand around their blocks.
    const block = levels.length > 0 ? withCallout(numbered, undefined) : numbered
    // The line break after the tag of what holds the block.
    const begin = top.end === '' ? '' : '\n'
    if (areInOtherCallouts(previous, next)) {
      text += changeCallouts(previous, next, begin)
      if (isMarked || levelOf(block) > 0) text += `${ANY_LEVEL}\n\n`
    } else if (previous !== undefined) text += separator(previous, block, isMarked)
    else text += begin + (isMarked || levelOf(block) > MAX_INDENTATION ? `${ANY_LEVEL}\n\n` : '')
    if (!isHolder(block)) {
      text += blockMarkdown(block) || EMPTY_BLOCK
      continue
    }
    const { start, end } = holderTags(block)
    text += start + previewTag(block)
    if (block.contentPreview !== undefined || block.content === undefined || block.content.length === 0) text += end
    else {
      text += '\n<content>'
      open.push({ blocks: block.content, index: 0, end: `\n</content>${end}`, numbers: new NumberWriter(isHolder) })
    }
  }
  return text
}

/** Ends the callouts of the previous block that the next one is not in, and begins its other ones. */
function changeCallouts(previous: Block | undefined, next: Block, begin: string): string {
  const shared = sharedCallouts(previous, next)
  const ends = '\n</callout>'.repeat(calloutLevels(previous).length - shared)
  const starts = calloutLevels(next).slice(shared)
  return ends + (previous === undefined ? begin : '\n\n') + starts.map((level) => `${calloutStart(level)}\n`).join('')
}

function previewTag({ type, contentPreview }: Block): string {
  if (contentPreview === undefined) return ''
  return type === 'collection'
    ? `\n<itemsPreview>${escapePlainText(contentPreview)}</itemsPreview>`
    : `\n<contentPreview>${contentPreview}</contentPreview>`
}

/** The blocks of the text or of a page that is being written. */
interface OpenHolder {
  blocks: readonly Block[]
  index: number
  end: string
  numbers: NumberWriter
}

const withNumber = ({ number: _, ...block }: Block, number: number | undefined): Block =>
  number === undefined ? block : { ...block, number }

/** One block as it appears in a document, without its children: with its line prefix and indentation. */
export function blockMarkdown(block: BlockFields & Pick<Block, 'id' | 'reading'>): string {
  const { type, text } = block
  if (hasTitle(type)) return plainTitle(text)
  return withPrefixes(block, type === 'text' ? writeText(block) : writeOther(block))
}

function writeText(block: BlockFields): string {
  const { text, textStyle, listStyle, cardLayout } = block
  if (textStyle === undefined || textStyle === 'caption')
    return escapeLines(hideTags(escapeMediaText(text, listStyle !== undefined)))
  if (textStyle === 'card' || textStyle === 'page') {
    const body = escapeLines(hideTags(escapeMediaText(text, false))) || EMPTY_BLOCK
    return `<${textStyle}${formatAttribute('cardLayout', cardLayout)}>${body}</${textStyle}>`
  }
  return headingMark(textStyle) + headingText(hideTags(text))
}

function writeOther(block: BlockFields & Pick<Block, 'id' | 'reading'>): string {
  switch (block.type) {
    case 'code':
      return writeCodeBlock(block)
    case 'line':
      return writeLine(block)
    case 'table':
      return block.text
    case 'whiteboard':
      return writeWhiteboard(block)
    case 'drawing':
      return block.url === undefined ? '<drawing/>' : writeMedia(block)
    case 'image':
    case 'video':
    case 'file':
    case 'richUrl':
      return writeMedia(block)
    case 'text':
    case 'page':
    case 'collectionItem':
    case 'collection':
      return writeText(block)
  }
}

// Text between the tags is ignored when it is read: the whiteboard itself has all of it.
function writeWhiteboard({ id, url, reading }: Pick<Block, 'id' | 'url' | 'reading'>): string {
  const tag = `<whiteboard${formatAttribute('id', id)}${formatAttribute('url', url)}`
  return reading ? `${tag}>\n${escapePlainText(reading)}\n</whiteboard>` : `${tag}/>`
}

const isHolder = ({ type, content }: Block): boolean => hasTitle(type) || content !== undefined

function holderTags(block: Block): { start: string; end: string } {
  if (block.type === 'collection' || block.type === 'collectionItem') return writeCollectionTags(block)
  return { start: writePageStart(block), end: '\n</page>' }
}

// Items follow each other line by line, all others with a blank line. A block more than one level deeper than the one
// before it would be read as one level deeper, or as code.
function separator(previous: Block, block: Block, isMarked: boolean): string {
  const [level, before] = [levelOf(block), levelOf(previous)]
  if (isMarked || level > before + 1) return `\n\n${ANY_LEVEL}\n\n`
  // Right below a line of text, any number but 1 is a part of that text.
  const couldBeText = level > before && (block.number ?? 1) !== 1
  return isItem(previous) && isItem(block) && !couldBeText ? '\n' : '\n\n'
}

const levelOf = (block: Block): number => (isHolder(block) ? 0 : (block.indentationLevel ?? 0))

const isItem = ({ type, listStyle, decorations }: Block): boolean =>
  type === 'text' && listStyle !== undefined && decorations?.quote === undefined
