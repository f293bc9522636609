/** Converts a Notion page from an HTML export to blocks. */

import { deeper, type HtmlContext, htmlBlocks } from '../../html/html-blocks.ts'
import {
  attributeOf,
  findAll,
  findFirst,
  type HtmlElement,
  type HtmlNode,
  hasClass,
  isElement,
  named,
  textOf,
} from '../../html/html-tree.ts'
import type { Block, CalloutLevel, HighlightColor, TaskInfo } from '../../markdown/block.ts'
import { withCallout } from '../../markdown/callout-levels.ts'
import type { InlineNode } from '../../markdown/inline/inline-node.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { parseHtml } from '../html/parse-html.ts'
import { parseDate } from '../tables/parse-dates.ts'

export interface NotionHtmlContext {
  /** Returns the address of the document, block or file of the export that a link leads to, or the original address. */
  addressOf(href: string): string
  /** Returns the block for a file of the export, or for an address on the web. */
  media(source: string, altText: string): Block
  /** Returns the address of the database that a table on the page shows. */
  databaseAddress(table: HtmlElement): string | undefined
  report(message: string): void
}

export interface NotionHtmlPage {
  title: string
  /** Properties of an item: the name, Notion's type, and the table cell with the value. */
  properties: { name: string; type: string; cell: HtmlElement }[]
  blocks: Block[]
}

export function readNotionPage(html: string, context: NotionHtmlContext): NotionHtmlPage {
  const root = parseHtml(html)
  const article = findFirst(root, named('article')) ?? root
  const title = findFirst(article, (one) => hasClass(one, 'page-title'))
  const body = findFirst(article, (one) => hasClass(one, 'page-body')) ?? article
  const about = findFirst(article, (one) => hasClass(one, 'page-description'))
  const reader = createContext(context)
  const described = about === undefined ? [] : htmlBlocks(about.children, reader)
  return {
    title: textOf(title ?? '').trim(),
    properties: readProperties(article),
    blocks: [...described, ...htmlBlocks(body.children, reader)],
  }
}

/** Reads the rows of the property table. */
export function readProperties(article: HtmlElement): NotionHtmlPage['properties'] {
  const table = findFirst(article, (one) => one.name === 'table' && hasClass(one, 'properties'))
  const rows = table === undefined ? [] : findAll(table, named('tr'))
  return rows.flatMap((row) => {
    const [, type = ''] = /property-row-(\w+)/.exec(attributeOf(row, 'class')) ?? []
    const [name, cell] = [findFirst(row, named('th')), findFirst(row, named('td'))]
    return name === undefined || cell === undefined ? [] : [{ name: textOf(name).trim(), type, cell }]
  })
}

/** Returns the value of a property as text. Selected options are separated by commas. */
export function propertyText(cell: HtmlElement): string {
  const options = findAll(cell, (one) => hasClass(one, 'selected-value') || hasClass(one, 'status-value'))
  if (options.length > 0) return options.map((option) => textOf(option).trim()).join(', ')
  const box = findFirst(cell, (one) => hasClass(one, 'checkbox'))
  if (box !== undefined) return hasClass(box, 'checkbox-on') ? 'Yes' : 'No'
  return textOf(cell).replace(/\s+/g, ' ').trim()
}

const COLORS: ReadonlyMap<string, HighlightColor> = new Map(
  Object.entries({
    ...{ yellow: 'yellow', green: 'green', teal: 'mint', blue: 'blue', purple: 'purple', pink: 'pink', red: 'red' },
    ...{ gray: 'gray', brown: 'gradient-brown', orange: 'gradient-yellow' },
  }),
)

function createContext(context: NotionHtmlContext): HtmlContext {
  return {
    addressOf: (href) => context.addressOf(href),
    formulaOf: (element) => (hasClass(element, 'katex') ? texOf(element) : undefined),
    highlightOf: (element) => {
      const [, color = ''] = /\bhighlight-(\w+?)_background\b/.exec(attributeOf(element, 'class')) ?? []
      return element.name === 'mark' ? COLORS.get(color) : undefined
    },
    spansOf: (element) => (element.name === 'time' ? timeSpans(element) : undefined),
    media: (source, altText) => {
      if (source !== '') return context.media(source, altText)
      context.report('A picture without an address is left out.')
      return altText === '' ? undefined : { type: 'text', text: titleFromPlain(altText) }
    },
    taskOf,
    special: (element, convert) => special(element, convert, context),
  }
}

/** Returns the TeX source of a formula, which is stored next to its rendered form. */
const texOf = (element: HtmlElement): string | undefined => {
  const source = findFirst(element, (one) => one.name === 'annotation')
  return source === undefined ? undefined : textOf(source)
}

function taskOf(item: HtmlElement): TaskInfo | undefined {
  const box = item.children.find((child) => isElement(child) && hasClass(child, 'checkbox'))
  if (box === undefined || !isElement(box)) return undefined
  return { state: hasClass(box, 'checkbox-on') ? 'done' : 'todo' }
}

type Convert = (nodes: readonly HtmlNode[]) => Block[]

function special(element: HtmlElement, convert: Convert, context: NotionHtmlContext): Block[] | undefined {
  const { name, children } = element
  if (name === 'nav' || (name === 'div' && hasClass(element, 'checkbox'))) return []
  if (name === 'figure') return figure(element, convert, context)
  if (name === 'div' && hasClass(element, 'column-list')) {
    context.report('Columns stand one below the other.')
    return convert(children)
  }
  if (name === 'div' && hasClass(element, 'indented')) return deeper(convert(children))
  if (name === 'table' && hasClass(element, 'collection-content')) {
    const address = context.databaseAddress(element)
    if (address === undefined) return undefined
    const title = findFirst(element, (one) => hasClass(one, 'collection-title'))
    return convert([
      { name: 'a', attributes: new Map([['href', address]]), children: [textOf(title ?? '') || 'Database'] },
    ])
  }
  return undefined
}

/** A date mention becomes a link to its daily note. */
function timeSpans(element: HtmlElement): InlineNode[] {
  const shown = textOf(element).trim().replace(/^@/, '')
  const day = parseDate(shown)
  const text: InlineNode = { kind: 'text', text: shown, marks: 0 }
  if (shown === '') return []
  if (day === undefined || day.includes('/')) return [text]
  return [{ kind: 'link', url: `date://${day}`, title: '', spans: [text], marks: 0 }]
}

function figure(element: HtmlElement, convert: Convert, context: NotionHtmlContext): Block[] | undefined {
  if (hasClass(element, 'callout')) return callout(element, convert)
  const caption = findFirst(element, named('figcaption'))
  const captions = caption === undefined ? [] : convert(caption.children).map(asCaption)
  const tex = texOf(element)
  if (tex !== undefined) return [{ type: 'code', text: tex.trim(), language: 'math_formula' }, ...captions]
  const bookmark = findFirst(element, (one) => one.name === 'a' && hasClass(one, 'bookmark'))
  if (bookmark !== undefined) return [linkCard(bookmark), ...captions]
  const image = findFirst(element, named('img'))
  if (image !== undefined) {
    return [context.media(attributeOf(image, 'src'), caption === undefined ? '' : textOf(caption).trim())]
  }
  const source = findFirst(element, (one) => hasClass(one, 'source'))
  const link = source === undefined ? undefined : (findFirst(source, named('a')) ?? source)
  const href = link === undefined ? '' : attributeOf(link, 'href')
  return href === '' ? undefined : [context.media(href, textOf(link ?? '').trim()), ...captions]
}

const asCaption = (block: Block): Block => (block.type === 'text' ? { ...block, textStyle: 'caption' } : block)

/** If the icon of a callout is a character, it is put before the text. */
function callout(element: HtmlElement, convert: Convert): Block[] {
  const [icon, ...content] = element.children.filter(isElement)
  const blocks = convert(content.length === 0 ? element.children : content.flatMap(({ children }) => children))
  const sign = icon === undefined || content.length === 0 ? '' : textOf(icon).trim()
  const [first] = blocks
  if (sign !== '' && first?.type === 'text') first.text = `${sign} ${first.text}`
  if (blocks.length < 2) return blocks.map((block) => withCallout(block, true))
  return blocks.map((block, index) => {
    const inner = block.decorations?.callout
    const starts: CalloutLevel = index === 0 ? { starts: true } : {}
    return withCallout(block, [starts, ...(inner === true ? [{ starts: true as const }] : (inner ?? []))])
  })
}

function linkCard(bookmark: HtmlElement): Block {
  const url = attributeOf(bookmark, 'href')
  const textOfClass = (name: string) => textOf(findFirst(bookmark, (one) => hasClass(one, name)) ?? '').trim()
  const [title, description] = [textOfClass('bookmark-title'), textOfClass('bookmark-description')]
  return {
    ...{ type: 'richUrl', text: '', url },
    ...(title !== '' && title !== url && { title }),
    ...(description !== '' && { description }),
  }
}
