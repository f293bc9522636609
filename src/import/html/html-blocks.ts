/** Converts HTML to blocks: block elements become blocks, and lists become list items. */
import { formatNumber } from '../../base/format-number.ts'
import { IMPORT_TABLE_CELLS } from '../../base/limits.ts'
import { type Block, LIST_LEVELS, type TaskInfo } from '../../markdown/block.ts'
import { codeFields } from '../../markdown/blocks/code-block.ts'
import { listNumber } from '../../markdown/blocks/html-block.ts'
import { writeTable } from '../../markdown/blocks/write-table.ts'
import { writeInline } from '../../markdown/inline/write-inline.ts'
import { normalizeCell } from '../../markdown/inline-text.ts'
import { withOwnNumbers } from '../../markdown/written-numbers.ts'
import { type InlineContext, inlineText } from './html-inline.ts'
import {
  attributeOf,
  findAll,
  findFirst,
  type HtmlElement,
  type HtmlNode,
  isElement,
  named,
  textOf,
} from './html-tree.ts'

export interface HtmlContext extends InlineContext {
  /** Converts an element that has a special meaning in the source. Returns undefined for other elements. */
  special(element: HtmlElement, convert: (nodes: readonly HtmlNode[]) => Block[]): Block[] | undefined
  /** Returns the block for an image, video or file. */
  media(address: string, altText: string): Block | undefined
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
    'q',
    's',
    'samp',
    'small',
    'span',
    'strike',
    'strong',
    'sub',
    'sup',
    'time',
    'tt',
    'u',
    'var',
    'wbr',
  ],
])

export const htmlBlocks = (nodes: readonly HtmlNode[], context: HtmlContext): Block[] =>
  withOwnNumbers(new HtmlReader(context).read(nodes))

class HtmlReader {
  readonly #context: HtmlContext

  constructor(context: HtmlContext) {
    this.#context = context
  }

  read(nodes: readonly HtmlNode[]): Block[] {
    const blocks: Block[] = []
    let line: HtmlNode[] = []
    const flush = () => {
      const text = inlineText(line, this.#context)
      line = []
      if (text !== '') blocks.push({ type: 'text', text })
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
    if (this.#context.formulaOf(node) !== undefined) return true
    if (!INLINE.has(node.name)) return false
    if (this.#context.special(node, () => []) !== undefined) return false
    return node.children.every((child) => this.#isInline(child))
  }

  #element(element: HtmlElement): Block[] {
    const special = this.#context.special(element, (nodes) => this.read(nodes))
    if (special !== undefined) return special
    const { name, children } = element
    const heading = HEADINGS.get(name)
    if (heading !== undefined) {
      const text = inlineText(children, this.#context).replace(/\\?\n/g, ' ')
      return text === '' ? [] : [{ type: 'text', text, textStyle: heading }]
    }
    if (name === 'hr') return [{ type: 'line', text: '' }]
    if (name === 'pre') return [this.#code(element)]
    if (name === 'table') return this.#table(element)
    if (name === 'ul' || name === 'ol') return this.#list(element, name === 'ol')
    if (name === 'blockquote') return quoted(this.read(children))
    if (name === 'details') return this.#details(element)
    if (name === 'img' || name === 'video' || name === 'audio' || name === 'source') return this.#media(element)
    return this.read(children)
  }

  #media(element: HtmlElement): Block[] {
    const source = attributeOf(element, 'src') || attributeOf(findFirst(element, named('source')) ?? element, 'src')
    const block = source === '' ? undefined : this.#context.media(source, attributeOf(element, 'alt'))
    return block === undefined ? [] : [block]
  }

  #code(element: HtmlElement): Block {
    const inner = findFirst(element, named('code')) ?? element
    const [, name = ''] = /\b(?:language|lang)-([\w+#-]+)/.exec(attributeOf(inner, 'class')) ?? []
    const text = textOf(element).replace(/^\n|\n$/g, '')
    return { type: 'code', text, ...codeFields(name) }
  }

  #list(list: HtmlElement, isNumbered: boolean): Block[] {
    const blocks: Block[] = []
    let number = isNumbered ? (listNumber(attributeOf(list, 'start')) ?? 1) : undefined
    for (const child of list.children) {
      if (!isElement(child)) continue
      if (child.name === 'li') {
        if (number !== undefined) number = listNumber(attributeOf(child, 'value')) ?? number
        blocks.push(...this.#item(child, number))
        if (number !== undefined) number++
      }
      // Nested lists may also be siblings of list items, not only children.
      else blocks.push(...deeper(this.#element(child)))
    }
    return blocks
  }

  #item(item: HtmlElement, number: number | undefined): Block[] {
    const [first, ...others] = this.read(item.children)
    const task = this.#context.taskOf(item)
    // The item consists of a toggle and has no text of its own.
    if (task === undefined && first?.listStyle === 'toggle' && first.indentationLevel === undefined) {
      return [first, ...others]
    }
    const style: Pick<Block, 'listStyle' | 'number' | 'taskInfo'> =
      task !== undefined
        ? { listStyle: 'task', taskInfo: task }
        : number === undefined
          ? { listStyle: 'bullet' }
          : { listStyle: 'numbered', number }
    const isOwn = first !== undefined && first.listStyle === undefined && first.indentationLevel === undefined
    const head: Block = isOwn ? { ...first, ...style } : { type: 'text', text: '', ...style }
    return [head, ...deeper(isOwn || first === undefined ? others : [first, ...others])]
  }

  #details(details: HtmlElement): Block[] {
    const summary = findFirst(details, named('summary'))
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
    const others: Block[] = []
    const rows = findAll(table, named('tr')).map((row) => {
      const cells = row.children.filter(isElement).filter(named('td', 'th'))
      return cells.map((cell) => normalizeCell(this.#cell(cell, others)))
    })
    const columns = rows.reduce((most, { length }) => Math.max(most, length), 0)
    if (columns === 0) return []
    if (rows.length * columns > IMPORT_TABLE_CELLS) throw tableTooLarge(rows.length, columns)
    const filled = rows.map((row) => [...row, ...Array.from({ length: columns - row.length }, () => '')])
    return [
      {
        type: 'table',
        text: writeTable(
          filled,
          Array.from({ length: columns }, () => ''),
        ),
      },
      ...others,
    ]
  }

  /**
   * The text of a cell. Its paragraphs are lines of it.
   *
   * @param others  receives what a cell cannot hold, such as images, to stand after the table
   */
  #cell(cell: HtmlElement, others: Block[]): string {
    const lines: string[] = []
    for (const block of this.read(cell.children)) {
      if (block.type === 'code')
        lines.push(writeInline([{ kind: 'code', text: block.text.replaceAll('\n', ' '), marks: 0 }]))
      else if (block.type === 'text' || block.type === 'page') lines.push(block.text)
      else others.push(block)
    }
    return lines.filter((text) => text !== '').join('\n')
  }
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

const tableTooLarge = (rows: number, columns: number): Error =>
  new Error(
    `Expected tables of at most ${formatNumber(IMPORT_TABLE_CELLS)} cells, found one of ${rows} rows and ${columns} columns; make several tables of it.`,
  )
