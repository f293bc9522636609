/** Converts a page of HTML: one that a person saved or wrote, or that another format was converted to. */
import { createHash } from 'node:crypto'
import { isUnsafeAddress } from '../../markdown/addresses.ts'
import type { Block, TaskInfo } from '../../markdown/block.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { type ImportContent, type ImportFile, plainContent } from '../../space/import/imported-content.ts'
import { readChecked } from '../spaces/read-checked.ts'
import { type HtmlContext, htmlBlocks } from './html-blocks.ts'
import { attributeOf, findFirst, type HtmlElement, hasClass, isElement, named, parseHtml, textOf } from './html-tree.ts'

/** The target of an address in a page. */
export type PageTarget = { address: string } | { file: ImportFile } | undefined

export interface PageContext {
  /**
   * @param isShown  true for an image, video or sound
   * @returns undefined for an address that leads out of the source, and stays as it is
   */
  targetOf(address: string, isShown: boolean): PageTarget
  /** Returns an ID for a block that only this page links to. */
  newId(): number
  /** @param detail  what it was, such as an address */
  report(message: string, detail?: string): void
}

/** @throws Error if the page has too many elements or too large tables */
export function convertPage(html: string, context: PageContext): ImportContent {
  const files = new Map<Block, ImportFile>()
  const ids = new Map<Block, number>()
  const linked = new Map<ImportFile, Block>()
  const reader: HtmlContext = {
    addressOf: (href) => {
      const target = context.targetOf(href, false)
      if (target === undefined) return linkAddress(href, context)
      return 'address' in target ? target.address : `block://${idOfLinked(target.file)}`
    },
    media: (source, altText) => {
      const target = context.targetOf(source, true)
      const described = altText === '' ? {} : { altText }
      const embedded = target === undefined ? embeddedFile(source, files.size + 1) : undefined
      if (embedded !== undefined) return fileBlock(embedded, described)
      if (target === undefined) return remoteMedia(source, described, context)
      if ('address' in target) return linkBlock(target.address, altText || source)
      return fileBlock(target.file, described)
    },
    formulaOf,
    highlightOf: ({ name }) => (name === 'mark' ? 'yellow' : undefined),
    taskOf,
    special: (element, convert) => special(element, convert, context),
  }
  function fileBlock(file: ImportFile, described: { altText?: string }): Block {
    const block: Block = { type: 'image', text: '', ...described }
    files.set(block, file)
    return block
  }
  /** Returns the ID of the block for a file that the text links to. The block is added at the end. */
  function idOfLinked(file: ImportFile): number {
    const known = linked.get(file)
    const block: Block = known ?? { type: 'file', text: '' }
    if (known === undefined) {
      linked.set(file, block)
      files.set(block, file)
      ids.set(block, context.newId())
    }
    return ids.get(block) ?? 0
  }
  const blocks = htmlBlocks(parseHtml(html).children, reader)
  return { ...plainContent([...blocks, ...linked.values()]), files, ids }
}

/** The title of a page, and what it links to and shows. */
export function readPageHead(html: string): { title: string; links: { address: string; isShown: boolean }[] } {
  const root = parseHtml(html)
  const links: { address: string; isShown: boolean }[] = []
  const waiting = [root]
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const [source, href] = [attributeOf(element, 'src'), attributeOf(element, 'href')]
    if (source !== '') links.push({ address: source, isShown: true })
    if (href !== '' && element.name === 'a') links.push({ address: href, isShown: false })
    waiting.push(...element.children.filter(isElement).reverse())
  }
  const title = findFirst(root, named('title'))
  return { title: title === undefined ? '' : textOf(title).replace(/\s+/g, ' ').trim(), links }
}

function linkAddress(href: string, { report }: PageContext): string | undefined {
  if (!isUnsafeAddress(href)) return href
  report('The address of a link that would run as a program is left out.')
  return undefined
}

const FILM = /\.(?:mp4|mov|m4v|webm)(?:[?#]|$)/i

function remoteMedia(url: string, described: { altText?: string }, { report }: PageContext): Block | undefined {
  if (/^(?:https?:|\/\/)/i.test(url)) {
    return FILM.test(url) ? { type: 'video', text: '', url } : { type: 'image', text: '', url, ...described }
  }
  if (/^data:/i.test(url)) report('An image that stands in the page itself, and cannot be read, is left out.')
  else report('An image or film that is not there is left out.', url.slice(0, SHOWN_LENGTH))
  return described.altText === undefined ? undefined : { type: 'text', text: titleFromPlain(described.altText) }
}

/** A file whose bytes stand in its address. */
function embeddedFile(url: string, number: number): ImportFile | undefined {
  const [head, type] = /^data:((?:image|video|audio)\/[a-z0-9.+-]+);base64,/i.exec(url) ?? []
  if (head === undefined || type === undefined) return undefined
  const bytes = Buffer.from(url.slice(head.length), 'base64')
  const extension = type.split('/')[1]?.replace(/\W.*$/, '').toLowerCase() ?? 'bin'
  const name = `image ${number}.${extension}`
  const file = { path: name, name, size: bytes.byteLength, stamp: createHash('sha256').update(bytes).digest('base64') }
  async function* open() {
    yield bytes
  }
  return { ...file, open: () => readChecked({ path: name, open }) }
}

const linkBlock = (address: string, label: string): Block => ({
  type: 'text',
  text: `[${titleFromPlain(label)}](${address})`,
})

/** How many characters of an address are repeated in a report. */
const SHOWN_LENGTH = 100

/** Elements that are no text of the page. */
const LEFT_OUT: ReadonlySet<string> = new Set(['head', 'title', 'option', 'datalist'])
const FRAMES: ReadonlySet<string> = new Set(['iframe', 'embed', 'object', 'frame'])

function special(
  element: HtmlElement,
  convert: (nodes: HtmlElement['children']) => Block[],
  { report }: PageContext,
): Block[] | undefined {
  const { name, children } = element
  if (LEFT_OUT.has(name)) return []
  // The parser treats the content of these as text.
  if (name === 'noscript') return convert(parseHtml(children.map(textOf).join('')).children)
  if (name === 'svg' || name === 'canvas') {
    report('A drawing in the page is left out.')
    return convert(children)
  }
  if (FRAMES.has(name)) {
    const address = attributeOf(element, 'src') || attributeOf(element, 'data')
    report('An embedded page became a link to it.', address.slice(0, SHOWN_LENGTH))
    const isAddress = /^https?:\/\//i.test(address)
    return isAddress ? [{ type: 'richUrl', text: '', url: address }] : convert(children)
  }
  if (name === 'h5' || name === 'h6') report('A heading below the fourth level is one of the fourth.')
  return undefined
}

/** Returns the TeX of a formula as KaTeX, MathJax and MathML keep it. */
function formulaOf(element: HtmlElement): string | undefined {
  if (element.name === 'script') return textOf(element)
  if (element.name !== 'math' && !hasClass(element, 'katex')) return undefined
  const source = findFirst(element, (one) => one.name === 'annotation' && /tex/i.test(attributeOf(one, 'encoding')))
  return source === undefined ? undefined : textOf(source)
}

/** A list item that begins with a box. */
function taskOf(item: HtmlElement): TaskInfo | undefined {
  const box = boxIn(item)
  return box === undefined ? undefined : { state: box.attributes.has('checked') ? 'done' : 'todo' }
}

function boxIn(element: HtmlElement): HtmlElement | undefined {
  for (const child of element.children) {
    if (!isElement(child)) {
      if (child.trim() !== '') return undefined
      continue
    }
    if (child.name === 'input') return /^checkbox$/i.test(attributeOf(child, 'type')) ? child : undefined
    return child.name === 'label' || child.name === 'p' || child.name === 'span' ? boxIn(child) : undefined
  }
  return undefined
}
