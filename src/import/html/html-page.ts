/** Converts a page of HTML: one that a person saved or wrote, or that another format was converted to. */
import { createHash } from 'node:crypto'
import { applyClassStyles } from '../../html/class-styles.ts'
import { type HtmlContext, htmlBlocks } from '../../html/html-blocks.ts'
import { attributeOf, findFirst, isElement, named, textOf } from '../../html/html-tree.ts'
import {
  type HtmlLoss,
  pageContext,
  type ReportLoss,
  remoteMedia,
  reportPictureLink,
} from '../../html/page-elements.ts'
import { isUnsafeAddress } from '../../markdown/addresses.ts'
import type { Block } from '../../markdown/block.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { type ImportContent, type ImportFile, plainContent } from '../../space/import/imported-content.ts'
import { readChecked } from '../spaces/read-checked.ts'
import { parseHtml, parseStyledHtml } from './parse-html.ts'

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
  const report: ReportLoss = (loss, detail) => context.report(SENTENCES[loss], detail)
  const reader: HtmlContext = {
    ...pageContext(report),
    addressOf: (href) => {
      const target = context.targetOf(href, false)
      if (target === undefined) return linkAddress(href, report)
      return 'address' in target ? target.address : `block://${idOfLinked(target.file)}`
    },
    media: (source, altText, link) => {
      reportPictureLink(link, source, report)
      const target = source === '' ? undefined : context.targetOf(source, true)
      const described = altText === '' ? {} : { altText }
      const embedded = target === undefined ? embeddedFile(source, files.size + 1) : undefined
      if (embedded !== undefined) return fileBlock(embedded, described)
      if (target === undefined) return remoteMedia(source, altText, report)
      if ('address' in target) return linkBlock(target.address, altText || source)
      return fileBlock(target.file, described)
    },
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
  const { root, css } = parseStyledHtml(html)
  applyClassStyles(root, css)
  const blocks = htmlBlocks(root.children, reader)
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

const SENTENCES: Readonly<Record<HtmlLoss, string>> = {
  unsafeAddress: 'The address of a link that would run as a program is left out.',
  deadAddress: 'The address of a link that leads nowhere is left out.',
  embeddedPicture: 'An image that stands in the page itself, and cannot be read, is left out.',
  missingPicture: 'An image or film that is not there is left out.',
  pictureLink: 'The link around a picture is left out.',
  drawing: 'A drawing in the page is left out.',
  frame: 'An embedded page became a link to it.',
  missingFrame: 'An embedded page that is not there is left out.',
  letter: 'An item of a list that counts by letters has a number.',
  heading: 'A heading below the fourth level is one of the fourth.',
}

function linkAddress(href: string, report: ReportLoss): string | undefined {
  if (!isUnsafeAddress(href)) return href
  report('unsafeAddress')
  return undefined
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
