/** Converts HTML to blocks: block elements become blocks, and lists become list items. */
import { type Block, LIST_LEVELS, type TaskInfo } from '../markdown/block.ts'
import { codeFields } from '../markdown/blocks/code-block.ts'
import { listNumber } from '../markdown/blocks/html-block.ts'
import { writeTable } from '../markdown/blocks/write-table.ts'
import { writeInline } from '../markdown/inline/write-inline.ts'
import { normalizeCell } from '../markdown/inline-text.ts'
import { withOwnNumbers } from '../markdown/written-numbers.ts'
import { codeLanguage, codeText, passLanguage } from './html-code.ts'
import { type InlineContext, inlineTexts, isFormatting, isInlineCode } from './html-inline.ts'
import { tableGrid } from './html-table.ts'
import {
  attributeOf,
  findFirst,
  type HtmlElement,
  type HtmlNode,
  hasClass,
  isBlank,
  isElement,
  named,
} from './html-tree.ts'
import { changesText } from './style-marks.ts'
import { substituteText } from './substitute-text.ts'
import { type WordItem, wordItem } from './word-lists.ts'

export interface HtmlContext extends InlineContext {
  /** Converts an element that has a special meaning in the source. Returns undefined for other elements. */
  special(element: HtmlElement, convert: (nodes: readonly HtmlNode[]) => Block[]): Block[] | undefined
  /** Returns the block for an image, video or file. @param link  the address of the link that it is in, or '' */
  media(address: string, altText: string, link: string): Block | undefined
  /** Returns the task state of a list item, or undefined if it is not a task. */
  taskOf(item: HtmlElement): TaskInfo | undefined
}

const HEADINGS: ReadonlyMap<string, NonNullable<Block['textStyle']>> = new Map(
  Object.entries({
    ...{ h1: 'h1', h2: 'h2', h3: 'h3', h4: 'h4', h5: 'h4', h6: 'h4' },
  }),
)
const INLINE: ReadonlySet<string> = new Set([
  ...[
    'a',
    'abbr',
    'b',
    'bdi',
    'bdo',
    'big',
    'br',
    'cite',
    'code',
    'data',
    'del',
    'dfn',
    'em',
    'font',
    'i',
    'ins',
    'kbd',
  ],
  ...[
    'label',
    'mark',
    'meter',
    'progress',
    'q',
    's',
    'samp',
    'small',
    'span',
    'strike',
    'strong',
    'sub',
    'sup',
    'textarea',
    'time',
    'tt',
    'u',
    'var',
    'wbr',
    'acronym',
    'blink',
    'button',
    'input',
    'nobr',
    'output',
    'ruby',
    'rb',
    'rp',
    'rt',
    'rtc',
  ],
])

/** `o:p` of Word, `g-emoji` of web pages: unknown elements are inline for browsers. Those of Evernote have meanings. */
const isForeign = (name: string): boolean => /[:-]/.test(name) && !name.startsWith('en-')

export const htmlBlocks = (nodes: readonly HtmlNode[], context: HtmlContext): Block[] =>
  withOwnNumbers(new HtmlReader(context).read(nodes))

class HtmlReader {
  readonly #context: HtmlContext
  /** The elements around the current one that change how text in it is written, from the outermost. */
  #around: HtmlElement[] = []
  /** True where all text is shown bold. */
  #isBold = false
  /** How many lists are around the current element. */
  #lists = 0

  constructor(context: HtmlContext) {
    this.#context = context
  }

  read(nodes: readonly HtmlNode[]): Block[] {
    const blocks: Block[] = []
    let line: HtmlNode[] = []
    const flush = () => {
      if (line.length === 0) return
      const wrapped = this.#around.reduceRight<HtmlNode[]>((inner, one) => [{ ...one, children: inner }], line)
      line = []
      for (const text of inlineTexts(wrapped, this.#context, this.#isBold)) blocks.push({ type: 'text', text })
    }
    for (const node of nodes) {
      if (this.#isInline(node)) line.push(node)
      else {
        flush()
        blocks.push(...this.#element(node as HtmlElement))
      }
    }
    flush()
    return blocks
  }

  /** True for text, and for elements that contain no block elements. */
  #isInline(node: HtmlNode): boolean {
    if (!isElement(node)) return true
    if (this.#context.formulaOf(node) !== undefined || substituteText(node) !== undefined) return true
    if (!isForeign(node.name)) {
      if (!INLINE.has(node.name)) return false
      if (this.#context.special(node, () => []) !== undefined) return false
    }
    return node.children.every((child) => this.#isInline(child))
  }

  /** Reads what stands in an element, with its formatting for all texts in it. */
  #inside(element: HtmlElement, nodes: readonly HtmlNode[] = element.children, isBold = this.#isBold): Block[] {
    const [around, wasBold] = [this.#around, this.#isBold]
    if (this.#formats(element)) this.#around = [...around, element]
    this.#isBold = isBold
    const blocks = this.read(nodes)
    this.#around = around
    this.#isBold = wasBold
    return blocks
  }

  /** True for formatting that an element around does not give already, as marks that were never closed repeat it. */
  #formats(element: HtmlElement): boolean {
    if (changesText(element)) return true
    if (!isFormatting(element, this.#context)) return false
    return !this.#around.some(({ name, attributes }) => name === element.name && !attributes.has('style'))
  }

  #element(element: HtmlElement): Block[] {
    const special = this.#context.special(element, (nodes) => this.#inside(element, nodes))
    if (special !== undefined) return special
    const { name } = element
    const heading = headingOf(element)
    if (heading !== undefined) return this.#heading(element, heading)
    const item = wordItem(element)
    if (item !== undefined) return this.#wordItem(element, item)
    if (name === 'hr') return [{ type: 'line', text: '' }]
    if (name === 'pre' || isInlineCode(element)) return this.#code(element)
    if (name === 'table') return this.#table(element)
    if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') return this.#list(element, name === 'ol')
    if (name === 'blockquote') return quoted(this.#inside(element))
    if (name === 'details') return this.#details(element)
    if (name === 'img' || name === 'video' || name === 'audio' || name === 'source') return this.#media(element)
    passLanguage(element)
    return this.#inside(element)
  }

  /** What cannot be part of a heading, such as an image, follows it. */
  #heading(element: HtmlElement, textStyle: NonNullable<Block['textStyle']>): Block[] {
    const item = wordItem(element)
    const nodes = item === undefined || item.mark === '' ? element.children : [`${item.mark} `, ...item.content]
    const blocks = this.#inside(element, nodes, true)
    const isWords = ({ type, listStyle }: Block) => type === 'text' && listStyle === undefined
    const text = blocks
      .filter(isWords)
      .map((block) => block.text.replace(/\\?\n/g, ' '))
      .join(' ')
    const others = blocks.filter((block) => !isWords(block))
    return text === '' ? others : [{ type: 'text', text, textStyle }, ...others]
  }

  #media(element: HtmlElement): Block[] {
    const source = attributeOf(element, 'src') || attributeOf(findFirst(element, named('source')) ?? element, 'src')
    // A picture without an address that can be read is missing, and its description stays. A source alone shows nothing.
    const isShown = source !== '' || element.name !== 'source'
    const around = this.#around.findLast(({ name }) => name === 'a')
    const link = around === undefined ? '' : attributeOf(around, 'href').trim()
    const block = isShown ? this.#context.media(source, attributeOf(element, 'alt'), link) : undefined
    return block === undefined ? [] : [block]
  }

  #code(element: HtmlElement): Block[] {
    const text = codeText(element)
    if (text.trim() === '' && element.name !== 'pre') return []
    return [{ type: 'code', text, ...codeFields(codeLanguage(element)) }]
  }

  #list(list: HtmlElement, isNumbered: boolean): Block[] {
    const blocks: Block[] = []
    const step = isNumbered && list.attributes.has('reversed') ? -1 : 1
    let number = isNumbered ? (listNumber(attributeOf(list, 'start')) ?? firstNumber(list)) : undefined
    this.#lists++
    for (const child of list.children) {
      if (isElement(child) && child.name === 'li') {
        if (number !== undefined) number = listNumber(attributeOf(child, 'value')) ?? number
        const items = this.#item(child, number)
        blocks.push(
          ...Array.from({ length: this.#missingLevels(child) }).reduce<Block[]>((given) => deeper(given), items),
        )
        if (number !== undefined) number = Math.max(0, number + step)
      }
      // Nested lists, and texts, may also be siblings of list items, not only children.
      else if (!isBlank(child) || isElement(child)) {
        const beside = this.read([child])
        blocks.push(...(blocks.length === 0 && !isElement(child) ? beside : deeper(beside)))
      }
    }
    this.#lists--
    return blocks
  }

  /** Word on the web writes each item as a list of its own, whose level stands in an attribute. */
  #missingLevels(item: HtmlElement): number {
    const level = Number(attributeOf(item, 'data-aria-level') || 1)
    return Number.isInteger(level) ? Math.min(LIST_LEVELS, Math.max(0, level - this.#lists)) : 0
  }

  #item(item: HtmlElement, number: number | undefined): Block[] {
    const [first, ...others] = this.#inside(item)
    const task = this.#context.taskOf(item)
    // The item consists of a toggle and has no text of its own.
    if (task === undefined && first?.listStyle === 'toggle' && first.indentationLevel === undefined) {
      return [first, ...others]
    }
    // Its first line has the box already.
    if (task !== undefined && first?.listStyle === 'task' && first.indentationLevel === undefined) {
      return [first, ...deeper(others)]
    }
    const style: WordItem['style'] =
      task !== undefined
        ? { listStyle: 'task', taskInfo: task }
        : number === undefined
          ? { listStyle: 'bullet' }
          : { listStyle: 'numbered', number }
    return listed(first, others, style)
  }

  #wordItem(element: HtmlElement, { level, style, content }: WordItem): Block[] {
    const [first, ...others] = this.#inside(element, content)
    return Array.from({ length: level }).reduce<Block[]>((given) => deeper(given), listed(first, others, style))
  }

  #details(details: HtmlElement): Block[] {
    // The first one below it, not one of details in it.
    const summary = details.children.filter(isElement).find(named('summary'))
    const inner = details.children.filter((child) => child !== summary)
    const [first, ...others] = summary === undefined ? [] : this.read(summary.children)
    const textStyle = summary === undefined ? undefined : headingOfSize(summary)
    const head: Block = {
      ...(first ?? { type: 'text', text: '' }),
      listStyle: 'toggle',
      ...(textStyle !== undefined && { textStyle }),
    }
    return [head, ...deeper([...others, ...this.read(inner)])]
  }

  #table(table: HtmlElement): Block[] {
    const grid = tableGrid(table)
    // Not those of tables in it.
    const captions = table.children.filter(isElement).filter(named('caption'))
    const before = captions.flatMap((caption) => this.#inside(caption))
    const columns = grid[0]?.length ?? 0
    if (columns === 0) return before
    const [[single] = []] = grid
    // A single cell is a box around its content.
    if (grid.length === 1 && columns === 1 && single !== undefined) return [...before, ...this.#inside(single)]
    const others: Block[] = []
    const rows = grid.map((row, index) =>
      row.map((cell) => (cell === undefined ? '' : normalizeCell(this.#cell(cell, index === 0, others)))),
    )
    const aligns = Array.from({ length: columns }, () => '')
    return [...before, { type: 'table', text: writeTable(rows, aligns) }, ...others]
  }

  /**
   * The text of a cell. Its paragraphs are lines of it.
   *
   * @param isHead  true in the first row, which is shown bold
   * @param others  receives what a cell cannot hold, such as images, to stand after the table
   */
  #cell(cell: HtmlElement, isHead: boolean, others: Block[]): string {
    const lines: string[] = []
    for (const block of this.#inside(cell, cell.children, isHead || cell.name === 'th')) {
      if (block.type === 'code') lines.push(...block.text.split('\n').map(cellCode))
      else if (block.type === 'text' || block.type === 'page') lines.push(`${cellMark(block)}${block.text}`)
      else others.push(block)
    }
    return lines.filter((text) => text !== '').join('\n')
  }
}

/** A reversed list counts its items down to 1. */
const firstNumber = (list: HtmlElement): number =>
  list.attributes.has('reversed') ? list.children.filter(isElement).filter(named('li')).length : 1

const cellCode = (line: string): string =>
  line.trim() === '' ? '' : writeInline([{ kind: 'code', text: line, marks: 0 }])

/** What a line of a cell shows before its text, since a cell holds no items: the box of a task, or its number. */
function cellMark({ listStyle, taskInfo, number }: Block): string {
  if (listStyle === 'task') return taskInfo?.state === 'done' ? '☑ ' : '☐ '
  return listStyle === 'numbered' && number !== undefined ? `${number}. ` : ''
}

/** The first block of an item gets its mark, unless it is an item itself. */
function listed(first: Block | undefined, others: readonly Block[], style: WordItem['style']): Block[] {
  const isOwn = first !== undefined && first.listStyle === undefined && first.indentationLevel === undefined
  const head: Block = isOwn ? { ...first, ...style } : { type: 'text', text: '', ...style }
  return [head, ...deeper(isOwn || first === undefined ? others : [first, ...others])]
}

/** The style of a heading, also of one that only says that it is one. */
function headingOf(element: HtmlElement): Block['textStyle'] {
  const own = HEADINGS.get(element.name)
  if (own !== undefined) return own
  if (hasClass(element, 'MsoTitle')) return 'h1'
  if (attributeOf(element, 'role') !== 'heading') return undefined
  return HEADINGS.get(`h${attributeOf(element, 'aria-level') || 2}`) ?? 'h4'
}

const HEADING_SIZES: readonly [size: number, style: NonNullable<Block['textStyle']>][] = [
  [1.8, 'h1'],
  [1.4, 'h2'],
  [1.2, 'h3'],
]

/** Returns the heading level that matches the font size in the style of an element, if it has one. */
function headingOfSize(element: HtmlElement): Block['textStyle'] {
  const [, size = '0'] = /font-size:\s*([\d.]+)em/.exec(attributeOf(element, 'style')) ?? []
  return HEADING_SIZES.find(([least]) => Number(size) >= least)?.[1]
}

/** Indents blocks by one more level. */
export const deeper = (blocks: readonly Block[]): Block[] =>
  blocks.map((block) => ({ ...block, indentationLevel: Math.min(LIST_LEVELS, (block.indentationLevel ?? 0) + 1) }))

export const quoted = (blocks: readonly Block[]): Block[] =>
  blocks.map((block) => ({ ...block, decorations: { ...block.decorations, quote: true } }))
