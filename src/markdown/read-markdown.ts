import type { Token } from 'markdown-it'
import { invalid } from '../base/errors.ts'
import type { CalloutLevel } from './block.ts'
import { type Block, LIST_LEVELS } from './block.ts'
import { type BlockHolder, emptyHolder, type Mark } from './block-holder.ts'
import { traitsOf } from './block-traits.ts'
import { parseBlocks } from './blocks/block-grammar.ts'
import type { BlockTag } from './blocks/block-tags.ts'
import { calloutFields } from './blocks/callout-tag.ts'
import { codeFields } from './blocks/code-block.ts'
import { formatPlace } from './blocks/format-place.ts'
import { headingStyle } from './blocks/heading.ts'
import { htmlPieces } from './blocks/html-block.ts'
import { parseLineStyle } from './blocks/line-block.ts'
import type { ItemMeta } from './blocks/list-item.ts'
import { mediaType, parseLoneMedia } from './blocks/media.ts'
import { INDENTED_CODE } from './blocks/nesting.ts'
import { pageFields, parseAttributes } from './blocks/page.ts'
import type { ReadOptions } from './blocks/parser-state.ts'
import { readTable } from './blocks/read-table.ts'
import { withLocation } from './blocks/syntax-errors.ts'
import { CALLOUT_LEVELS, calloutLevels } from './callout-levels.ts'
import { definitionKey, normalizeText, plainText } from './inline-text.ts'
import { assertTitle } from './inline-title.ts'
import { readPlainLine } from './plain-line.ts'
import type { WrittenNumber } from './written-numbers.ts'

/**
 * Parses Markdown into blocks. The text of each block is normalized and has no line prefix. An empty text has no
 * blocks.
 *
 * @throws VALIDATION_ERROR with line and column for tags that are unclosed, misplaced or output only, for unsupported
 *   values
 */
export const readMarkdown = (text: string, options: ReadOptions = {}): Block[] =>
  readMarkdownLines(text, options).blocks

/**
 * Like {@link readMarkdown}.
 *
 * @returns the blocks, and for each the index of the line that it begins on, with the containers that begin with it
 */
export function readMarkdownLines(text: string, options: ReadOptions = {}): { blocks: Block[]; lines: number[] } {
  const line = readPlainLine(text, options)
  if (line !== undefined) return { blocks: [line], lines: [0] }
  const source = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
  const { tokens, references } = parseBlocks(source, options)
  const definitions = new Map<string, { url: string; title?: string }>()
  for (const [label, { href, title }] of Object.entries(references)) {
    definitions.set(definitionKey(label), title === '' ? { url: href } : { url: href, title })
  }
  const reader = new Reader(definitions, source)
  const blocks = reader.read(tokens)
  return { blocks, lines: blocks.map((block) => reader.lines.get(block) ?? 0) }
}

/**
 * Walks over the tokens of a text, in which containers are pairs of opening and closing tokens, and creates its blocks.
 */
class Reader {
  readonly #definitions: ReadonlyMap<string, { url: string; title?: string }>
  readonly #holders: BlockHolder[] = [emptyHolder()]
  readonly #levels: number[] = [0]
  /** The mark of an item whose first block is still missing. */
  #mark: Mark | undefined
  /** True until the first block of a level that standard Markdown reads as code. */
  #isIndentedCode = false

  readonly #source: string
  /** For each block, the index of the line that it begins on. */
  readonly lines = new Map<Block, number>()
  /** The line of the token that is being read, and of the first container that has no block yet. */
  #tokenLine = 0
  #outerLine: number | undefined

  constructor(definitions: ReadonlyMap<string, { url: string; title?: string }>, source: string) {
    this.#definitions = definitions
    this.#source = source
  }

  read(tokens: readonly Token[]): Block[] {
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]
      if (token === undefined) continue
      try {
        index = this.#token(token, tokens, index)
      } catch (error) {
        throw withLocation(error, this.#source, token)
      }
    }
    return this.#holder.blocks
  }

  get #holder(): BlockHolder {
    return this.#holders.at(-1) ?? emptyHolder()
  }

  /** @returns the index of the last token that was consumed */
  #token(token: Token, tokens: readonly Token[], index: number): number {
    const { type, meta, map } = token
    if (map !== null) this.#tokenLine = map[0]
    if (map !== null && CONTAINERS.has(type)) this.#outerLine ??= map[0]
    switch (type) {
      case 'paragraph_open':
        this.#paragraph(tokens[index + 1]?.content ?? '')
        return index + 1
      case 'heading_open':
        this.#add({
          type: 'text',
          text: this.#line(tokens[index + 1]?.content ?? ''),
          textStyle: headingStyle(token.tag),
        })
        return index + 1
      case 'fence':
        this.#code(token.info, token.content)
        return index
      case 'hr': {
        const lineStyle = parseLineStyle(token.content)
        this.#add(lineStyle === undefined ? { type: 'line', text: '' } : { type: 'line', text: '', lineStyle })
        return index
      }
      case 'html_block':
        this.#html(token.content)
        return index
      case 'collection':
        this.#collection(token)
        return index
      case 'empty':
        this.#add({ type: 'text', text: '' })
        return index
      case 'table_open':
        return this.#table(tokens, index)
      case 'item_open':
        this.#openItem(meta as ItemMeta)
        return index
      case 'item_close':
        if (this.#mark !== undefined) this.#add({ type: 'text', text: '' })
        this.#levels.pop()
        return index
      case 'nest_open':
        this.#levels.push((meta as unknown as Mark).level)
        return index
      case INDENTED_CODE:
        this.#isIndentedCode = true
        return index
      case 'nest_close':
        this.#levels.pop()
        return index
      default:
        this.#box(type, token)
        return index
    }
  }

  #openItem({ level, listStyle, taskInfo, written, isItem, isIndentedCode = false }: ItemMeta): void {
    if (isIndentedCode) this.#isIndentedCode = true
    this.#levels.push(Math.min(level + 1, LIST_LEVELS))
    if (isItem || written === undefined) {
      // 5. - a       The number of an item is kept even if there is nothing beside it but another list.
      // ^
      if (this.#mark?.text !== undefined || this.#mark?.written !== undefined) this.#add({ type: 'text', text: '' })
      this.#mark = { level, listStyle, taskInfo, written }
      return
    }
    // - 24. Dezember       The text of the item around it.
    //   ^
    const around = this.#mark ?? { level, ...(listStyle === 'task' && { listStyle, taskInfo }) }
    const text = [around.text, written.mark].filter((one) => one !== undefined).join(' ')
    this.#mark = { ...around, written: around.listStyle === 'numbered' ? around.written : written, text }
  }

  #box(type: string, token: Token): void {
    const { tag } = (token.meta ?? {}) as { tag?: BlockTag }
    if (type === 'quote_open' || type === 'caption_open') this.#holder.boxes[nameOf(type)]++
    else if (type === 'quote_close' || type === 'caption_close') this.#holder.boxes[nameOf(type)]--
    else if (tag !== undefined && type === 'callout_open') this.#openCallout(tag)
    else if (type === 'callout_close') this.#closeCallout()
    else if (tag !== undefined && (type === 'page_open' || type === 'card_open')) this.#openPage(tag)
    else if (type === 'page_close' || type === 'card_close') this.#closePage()
    else if (type === 'pageTitle_open') this.#title(token.content)
    else if (type === 'content_open') this.#holder.isWhole = true
    else if (tag !== undefined && (type === 'empty_tag' || type === 'whiteboard_open' || type === 'drawing_open')) {
      this.#empty(tag)
    }
  }

  #openCallout(tag: BlockTag): void {
    const { callouts, numbers } = this.#holder
    if (callouts.length >= CALLOUT_LEVELS) throw tooManyCallouts(tag)
    const isInItem = this.#mark !== undefined
    if (!isInItem) numbers.beginPart()
    callouts.push({ fields: calloutFields(tag), blocks: [], isInItem })
  }

  #closeCallout(): void {
    const { callouts, numbers } = this.#holder
    const last = callouts.at(-1)
    if (last?.blocks.length === 0 && Object.keys(last.fields).length > 0) this.#add({ type: 'text', text: '' })
    const { blocks, fields, isInItem } = callouts.pop() ?? { blocks: [], fields: {}, isInItem: false }
    if (!isInItem) numbers.beginPart()
    const [only, ...more] = blocks
    const isPlain = more.length === 0 && callouts.length === 0 && Object.keys(fields).length === 0
    if (only !== undefined && isPlain && calloutLevels(only).length === 1) {
      only.decorations = { ...only.decorations, callout: true }
    }
  }

  #openPage(tag: BlockTag): void {
    const fields = pageFields(tag)
    const written = fields.number === undefined ? undefined : { number: fields.number, mark: '', isMarked: true }
    const page = this.#add({ type: 'page', text: '', ...fields }, { written })
    this.#holders.push(emptyHolder(page))
    this.#levels.push(0)
  }

  #closePage(): void {
    const { blocks, page, isWhole } = this.#holders.pop() ?? this.#holder
    this.#levels.pop()
    if (page === undefined) return
    const [only, ...more] = blocks
    if (!isWhole && only !== undefined && more.length === 0 && isPlain(only)) {
      // <card>text</card>: a text that looks like a card, since it has no content yet.
      Object.assign(page, { type: 'text', text: only.text, textStyle: page.textStyle ?? 'page' })
    } else if (blocks.length > 0) page.content = blocks
  }

  #title(content: string): void {
    const { page } = this.#holder
    if (page !== undefined) page.text = assertTitle(this.#line(content))
    this.#holder.isWhole = true
  }

  #empty(tag: BlockTag): void {
    const values = parseAttributes(tag)
    const block: Block = { type: tag.name === 'drawing' ? 'drawing' : 'whiteboard', text: '' }
    const id = values.get('id')
    const url = values.get('url')
    if (id !== undefined) block.id = id
    if (url !== undefined) block.url = url
    this.#add(block)
  }

  #collection({ content, meta }: Token): void {
    const { tag } = meta as unknown as { tag: BlockTag }
    const block: Block = { type: 'collection', text: '', asRead: content }
    const id = parseAttributes(tag).get('id')
    if (id !== undefined) block.id = id
    this.#add(block)
  }

  #code(info: string, content: string): void {
    this.#add({ type: 'code', text: content.replace(/\n$/, ''), ...codeFields(info) })
  }

  #paragraph(raw: string): void {
    if (this.#mark?.text !== undefined) {
      this.#text(`${this.#mark.text} ${raw}`)
      return
    }
    if (LONE_PLAYER.test(raw)) {
      this.#html(raw)
      return
    }
    const lone = parseLoneMedia(raw)
    const type = lone && mediaType(lone, this.#mark !== undefined)
    if (lone === undefined || type === undefined) {
      this.#text(raw)
      return
    }
    const { url, label } = lone
    const text = plainText(label)
    const block: Block = { type, text: '', url }
    const { label: field } = traitsOf(type)
    const isAddress = field === 'title' && text === url
    if (text !== '' && field !== undefined && !isAddress) block[field] = text
    this.#add(block)
  }

  #text(raw: string): void {
    const text = normalizeText(raw.replace(/\n[ \t]+/g, '\n'), this.#definitions)
    if (text !== '') this.#add({ type: 'text', text }, { hasNumber: true })
  }

  #html(html: string): void {
    const pieces = htmlPieces(html)
    // A tag that shows nothing is shown where standard Markdown has code.
    if (pieces.length === 0 && this.#isIndentedCode) this.#code('', html)
    const around = this.#mark?.level ?? this.#levels.at(-1) ?? 0
    for (const { kind, text, language, written, level } of pieces) {
      if (level > 0) this.#levels.push(Math.min(around + level, LIST_LEVELS))
      if (kind === 'text' && text === '<br>') this.#add({ type: 'text', text: '' })
      else if (kind === 'text') this.#paragraph(text)
      else if (kind === 'code') this.#code(language ?? '', text)
      else if (kind === 'line') this.#add({ type: 'line', text: '' })
      else if (kind === 'bullet' || kind === 'numbered') {
        this.#add({ type: 'text', text: this.#line(text), listStyle: kind }, { written })
      } else this.#add({ type: 'text', text: this.#line(text), textStyle: kind })
      if (level > 0) this.#levels.pop()
    }
  }

  #line(raw: string): string {
    return normalizeText(raw.replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, ' '), this.#definitions)
  }

  #table(tokens: readonly Token[], start: number): number {
    const { block, end } = readTable(tokens, start, this.#definitions)
    this.#add(block)
    return end
  }

  /**
   * @param hasNumber  true if the text begins with the numbers of its mark that are text
   * @param written  the number of an item that has no mark
   */
  #add(
    block: Block,
    { hasNumber = false, written }: { hasNumber?: boolean; written?: WrittenNumber | undefined } = {},
  ): Block {
    const mark = this.#mark
    const number = mark?.text
    if (number !== undefined && !hasNumber) {
      // Numbers above what is no text are a text of their own.
      if (block.type !== 'text' || block.text !== '') {
        this.#add({ type: 'text', text: number }, { hasNumber: true })
        return this.#add(block, { written })
      }
      block.text = number
    }
    this.#mark = undefined
    const level = mark?.level ?? this.#levels.at(-1) ?? 0
    if (level > 0) block.indentationLevel ??= level
    if (mark !== undefined) applyMark(block, mark)
    this.#holder.numbers.read(block, mark?.written ?? written)
    applyBoxes(block, this.#holder)
    if (this.#isIndentedCode) block.isIndentedCode = true
    this.#isIndentedCode = false
    this.#holder.blocks.push(block)
    this.lines.set(block, this.#outerLine ?? this.#tokenLine)
    this.#outerLine = undefined
    return block
  }
}

/** Gives a block the style of the mark before it. */
function applyMark(block: Block, { listStyle, taskInfo, written, text }: Mark): void {
  if (listStyle !== undefined) block.listStyle ??= listStyle
  if (taskInfo !== undefined) block.taskInfo ??= taskInfo
  if (written !== undefined && text === written.mark && block.listStyle === undefined) {
    block.leadingNumber = written.number
  }
}

/** Gives a block the quote, caption and callouts around it. */
function applyBoxes(block: Block, { boxes: { quote, caption }, callouts }: BlockHolder): void {
  if (caption > 0 && block.type === 'text') block.textStyle ??= 'caption'
  if (quote === 0 && callouts.length === 0) return
  const levels = callouts.map(
    ({ fields, blocks }): CalloutLevel => (blocks.length === 0 ? { starts: true, ...fields } : {}),
  )
  for (const { blocks } of callouts) blocks.push(block)
  block.decorations = {
    ...block.decorations,
    ...(levels.length > 0 && { callout: levels }),
    ...(quote > 0 && { quote: true }),
  }
}

/** Tokens that open a container whose first block begins with it. */
const CONTAINERS: ReadonlySet<string> = new Set(
  ['item', 'nest', 'quote', 'caption', 'callout'].map((name) => `${name}_open`),
)

/** A player alone on its line, which becomes a link card as a frame does. */
const LONE_PLAYER = /^<(video|audio)\b[^<>]*\bsrc\b[^<>]*>[^<>]*<\/\1\s*>$/i

const nameOf = (type: `${'quote' | 'caption'}_${string}`) => type.slice(0, type.indexOf('_')) as 'quote' | 'caption'

const tooManyCallouts = ({ line, column }: BlockTag) =>
  invalid(
    `Expected at most ${CALLOUT_LEVELS} callouts in each other, found more at ${formatPlace(line, column)}; end one before.`,
  )

const isPlain = (block: Block): boolean =>
  Object.keys(block).every((key) => key === 'type' || key === 'text' || key === 'leadingNumber') &&
  block.type === 'text'
