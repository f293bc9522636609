/** Converts what was pasted. It runs in browsers, on the tree that their parser gives. */
import { isUnsafeAddress } from '../../markdown/addresses.ts'
import type { Block } from '../../markdown/block.ts'
import { writeMarkdown } from '../../markdown/write-markdown.ts'
import { applyClassStyles } from '../class-styles.ts'
import { type HtmlContext, htmlBlocks } from '../html-blocks.ts'
import type { HtmlElement } from '../html-tree.ts'
import { type HtmlLoss, pageContext, type ReportLoss, remoteMedia, reportPictureLink } from '../page-elements.ts'
import { cleanPasted } from './clean-pasted.ts'

/** People need not know why a picture is missing. */
export type PastedLoss = Exclude<HtmlLoss, 'embeddedPicture'>

export interface PastedBlocks {
  blocks: Block[]
  /** The same as Markdown. */
  markdown: string
  /** How often something could not be kept. */
  notKept: ReadonlyMap<PastedLoss, number>
}

export interface PastedPage {
  /** It is changed. */
  root: HtmlElement
  /** The text of its style sheets. */
  css: string
  /** The language of code that an editor copied; empty if it is not known. */
  language?: string
}

/** @throws Error if a table has too many cells */
export function convertPasted({ root, css, language = '' }: PastedPage): PastedBlocks {
  const counts = new Map<PastedLoss, number>()
  const report: ReportLoss = (found) => {
    const loss = found === 'embeddedPicture' ? 'missingPicture' : found
    counts.set(loss, (counts.get(loss) ?? 0) + 1)
  }
  const context: HtmlContext = {
    ...pageContext(report),
    addressOf: (href) => linkAddress(href, report),
    media: (source, altText, link) => {
      reportPictureLink(link, source, report)
      return remoteMedia(source, altText, report)
    },
  }
  applyClassStyles(root, css)
  cleanPasted(root, language)
  const blocks = htmlBlocks(root.children, context)
  return { blocks, markdown: writeMarkdown(blocks), notKept: counts }
}

/** Addresses that only the program that copied them can open. */
const OWN = /^(?:file|blob|about|cid|chrome|edge|moz-extension|chrome-extension|webkit-fake-url|x-apple):/i

function linkAddress(href: string, report: ReportLoss): string | undefined {
  // To a place in the same page.
  if (href.startsWith('#')) return undefined
  if (isUnsafeAddress(href)) {
    report('unsafeAddress')
    return undefined
  }
  if (href.startsWith('//')) return `https:${href}`
  if (/^[a-z][a-z\d+.-]*:/i.test(href) && !OWN.test(href)) return href
  report('deadAddress')
  return undefined
}
