/** What elements of a page mean, whatever program it comes from: frames, drawings, formulas, and boxes of tasks. */
import type { Block, TaskInfo } from '../markdown/block.ts'
import { titleFromPlain } from '../markdown/inline-title.ts'
import type { HtmlContext } from './html-blocks.ts'
import {
  attributeOf,
  findFirst,
  type HtmlElement,
  type HtmlNode,
  hasClass,
  isBlank,
  isElement,
  textOf,
} from './html-tree.ts'

/**
 * What a page holds that blocks cannot:
 *
 * - `unsafeAddress`: a link that would run a program. `deadAddress`: one that leads nowhere from outside of the page.
 * - `embeddedPicture`: a picture whose bytes stand in the page, and cannot be read. `missingPicture`: one at an address
 *   that only the source could open.
 * - `pictureLink`: a link whose text is a picture.
 * - `drawing`: an SVG or a canvas.
 * - `frame`: another page that is shown in this one. A link to it is kept.
 * - `heading`: one below the fourth level, which is one of the fourth.
 */
export type HtmlLoss =
  | 'unsafeAddress'
  | 'deadAddress'
  | 'embeddedPicture'
  | 'missingPicture'
  | 'pictureLink'
  | 'drawing'
  | 'frame'
  | 'heading'

/** @param detail  what it was, such as an address */
export type ReportLoss = (loss: HtmlLoss, detail?: string) => void

/** How many characters of an address are repeated in a report. */
const SHOWN_LENGTH = 100

/** The parts of a context that are the same for all pages. */
export const pageContext = (
  report: ReportLoss,
): Pick<HtmlContext, 'formulaOf' | 'highlightOf' | 'taskOf' | 'special'> => ({
  formulaOf,
  highlightOf: ({ name }) => (name === 'mark' ? 'yellow' : undefined),
  taskOf,
  special: (element, convert) => special(element, convert, report),
})

const FILM = /\.(?:mp4|mov|m4v|webm)(?:[?#]|$)/i

/** The block for a picture or film on the web. Of others, the description is kept as text. */
export function remoteMedia(url: string, altText: string, report: ReportLoss): Block | undefined {
  const described = altText === '' ? {} : { altText }
  if (/^(?:https?:|\/\/)/i.test(url)) {
    return FILM.test(url) ? { type: 'video', text: '', url } : { type: 'image', text: '', url, ...described }
  }
  if (/^data:/i.test(url)) report('embeddedPicture')
  else report('missingPicture', url.slice(0, SHOWN_LENGTH))
  return altText === '' ? undefined : { type: 'text', text: titleFromPlain(altText) }
}

/** Reports the link that a picture is in. Many lead to the picture itself, which loses nothing. */
export function reportPictureLink(link: string, source: string, report: ReportLoss): void {
  if (link !== '' && link !== source && !link.startsWith('#')) report('pictureLink', link.slice(0, SHOWN_LENGTH))
}

/** Elements that are no text of the page. */
const LEFT_OUT: ReadonlySet<string> = new Set(['head', 'title', 'option', 'datalist'])
const FRAMES: ReadonlySet<string> = new Set(['iframe', 'embed', 'object', 'frame'])
/** Elements that may begin with the box of a task, outside of lists. */
const LINES: ReadonlySet<string> = new Set(['p', 'div', 'label'])
/** Pixels of a drawing that is a sign beside text. */
const ICON_PIXELS = 48

function special(
  element: HtmlElement,
  convert: (nodes: readonly HtmlNode[]) => Block[],
  report: ReportLoss,
): Block[] | undefined {
  const { name, children } = element
  if (LEFT_OUT.has(name)) return []
  if (name === 'svg' || name === 'canvas') {
    if (!isIcon(element)) report('drawing')
    return convert(children)
  }
  if (FRAMES.has(name)) {
    const address = attributeOf(element, 'src') || attributeOf(element, 'data')
    report('frame', address.slice(0, SHOWN_LENGTH))
    const isAddress = /^https?:\/\//i.test(address)
    return isAddress ? [{ type: 'richUrl', text: '', url: address }] : convert(children)
  }
  if (name === 'h5' || name === 'h6') report('heading')
  if (LINES.has(name) && boxIn(element) !== undefined) {
    const [first, ...others] = convert(children)
    const taskInfo = taskOf(element)
    if (first?.type === 'text' && taskInfo !== undefined) return [{ ...first, listStyle: 'task', taskInfo }, ...others]
  }
  return undefined
}

const isIcon = (element: HtmlElement): boolean => {
  const width = Number.parseFloat(attributeOf(element, 'width'))
  const height = Number.parseFloat(attributeOf(element, 'height'))
  return attributeOf(element, 'aria-hidden') === 'true' || Math.min(width, height) <= ICON_PIXELS
}

/** Returns the TeX of a formula as KaTeX, MathJax and MathML keep it. */
function formulaOf(element: HtmlElement): string | undefined {
  if (element.name === 'script') return textOf(element)
  if (element.name !== 'math' && !hasClass(element, 'katex')) return undefined
  const source = findFirst(element, (one) => one.name === 'annotation' && /tex/i.test(attributeOf(one, 'encoding')))
  return source === undefined ? undefined : textOf(source)
}

/** A list item or line that begins with a box. */
function taskOf(item: HtmlElement): TaskInfo | undefined {
  const box = boxIn(item)
  return box === undefined ? undefined : { state: box.attributes.has('checked') ? 'done' : 'todo' }
}

function boxIn(element: HtmlElement): HtmlElement | undefined {
  for (const child of element.children) {
    if (!isElement(child)) {
      if (isBlank(child)) continue
      return undefined
    }
    if (child.name === 'input') return /^checkbox$/i.test(attributeOf(child, 'type')) ? child : undefined
    return LINES.has(child.name) || child.name === 'span' ? boxIn(child) : undefined
  }
  return undefined
}
