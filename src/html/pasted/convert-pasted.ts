/** Converts what was pasted. It runs in browsers, on the tree that their parser gives. */
import { isUnsafeAddress } from '../../markdown/addresses.ts'
import type { Block } from '../../markdown/block.ts'
import { writeMarkdown } from '../../markdown/write-markdown.ts'
import { applyClassStyles } from '../class-styles.ts'
import { type HtmlContext, htmlBlocks } from '../html-blocks.ts'
import type { HtmlElement } from '../html-tree.ts'
import { type HtmlLoss, pageContext, type ReportLoss, remoteMedia, reportPictureLink } from '../page-elements.ts'
import { cleanPasted } from './clean-pasted.ts'

export interface PastedBlocks {
  blocks: Block[]
  /** The same as Markdown. */
  markdown: string
  /** What could not be kept, as sentences for people. */
  notKept: string[]
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
  const notKept = [...counts].map(([loss, count]) => NOT_KEPT[loss](count))
  return { blocks, markdown: writeMarkdown(blocks), notKept }
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

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** People need not know why a picture is missing. */
type PastedLoss = Exclude<HtmlLoss, 'embeddedPicture'>

const NOT_KEPT: Readonly<Record<PastedLoss, (count: number) => string>> = {
  unsafeAddress: (count) =>
    `${counted(count, 'link')} that would run a program ${count === 1 ? 'is' : 'are'} only text now.`,
  deadAddress: (count) =>
    `${counted(count, 'link')} to a file or a part of another site ${count === 1 ? 'is' : 'are'} only text now.`,
  missingPicture: (count) =>
    `${counted(count, 'picture')} could not be pasted. Copy each one by itself, or add it as a file.`,
  pictureLink: (count) => `${counted(count, 'link')} around a picture could not be pasted.`,
  drawing: (count) => `${counted(count, 'drawing')} could not be pasted.`,
  frame: (count) => `${counted(count, 'embedded page')} ${count === 1 ? 'is a link' : 'are links'} now.`,
  missingFrame: (count) => `${counted(count, 'embedded page')} could not be pasted.`,
  letter: (count) =>
    `${counted(count, 'item')} of lists ${count === 1 ? 'has a number' : 'have numbers'} instead of ${count === 1 ? 'a letter' : 'letters'} now.`,
  heading: (count) =>
    `${counted(count, 'heading')} below the fourth level ${count === 1 ? 'is' : 'are'} of the fourth now.`,
}
