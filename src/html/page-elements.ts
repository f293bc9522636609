/** What elements of a page mean, whatever program it comes from: frames, drawings, formulas, and boxes of tasks. */
import { type Block, HIGHLIGHT_COLORS, type HighlightColor, type TaskInfo } from '../markdown/block.ts'
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
  styleOf,
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
 * - `frame`: another page that is shown in this one. A link to it is kept. `missingFrame`: one without an address that
 *   opens anywhere else.
 * - `heading`: one below the fourth level, which is one of the fourth.
 * - `letter`: an item of a list that counts by letters or Roman numerals. It has its number.
 */
export type HtmlLoss =
  | 'unsafeAddress'
  | 'deadAddress'
  | 'embeddedPicture'
  | 'missingPicture'
  | 'pictureLink'
  | 'drawing'
  | 'frame'
  | 'missingFrame'
  | 'heading'
  | 'letter'

/** @param detail  what it was, such as an address */
export type ReportLoss = (loss: HtmlLoss, detail?: string) => void

/** How many characters of an address are repeated in a report. */
const SHOWN_LENGTH = 100

/** The parts of a context that are the same for all pages. */
export const pageContext = (
  report: ReportLoss,
): Pick<HtmlContext, 'formulaOf' | 'highlightOf' | 'taskOf' | 'special'> => ({
  formulaOf,
  highlightOf,
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
    // The page stands in the attribute, and is the content of the element here.
    if (element.attributes.has('srcdoc')) return convert(children)
    const address = attributeOf(element, 'src') || attributeOf(element, 'data')
    if (/^https?:\/\//i.test(address)) {
      report('frame', address.slice(0, SHOWN_LENGTH))
      return [{ type: 'richUrl', text: '', url: address }]
    }
    if (address !== '' && !address.startsWith('about:')) report('missingFrame', address.slice(0, SHOWN_LENGTH))
    // What an `iframe` holds is for browsers that do not know it.
    return name === 'iframe' ? [] : convert(children)
  }
  if (name === 'ol' && countsByLetters(element))
    for (const item of children) if (isElement(item) && item.name === 'li') report('letter')
  if (name === 'h5' || name === 'h6') report('heading')
  if (LINES.has(name) && boxIn(element) !== undefined) {
    const [first, ...others] = convert(children)
    const taskInfo = taskOf(element)
    if (first?.type === 'text' && taskInfo !== undefined) return [{ ...first, listStyle: 'task', taskInfo }, ...others]
  }
  return undefined
}

/** True for a list whose marks are letters or Roman numerals. */
const countsByLetters = (list: HtmlElement): boolean =>
  /^[ai]$/i.test(attributeOf(list, 'type').trim()) ||
  /(?:alpha|latin|roman|greek)$/.test(styleOf(list, 'list-style-type'))

const isIcon = (element: HtmlElement): boolean => {
  const width = Number.parseFloat(attributeOf(element, 'width'))
  const height = Number.parseFloat(attributeOf(element, 'height'))
  return attributeOf(element, 'aria-hidden') === 'true' || Math.min(width, height) <= ICON_PIXELS
}

/** Returns the TeX of a formula as KaTeX, MathJax, MathML, and pictures of formulas keep it. */
function formulaOf(element: HtmlElement): string | undefined {
  const { name } = element
  if (name === 'script') return textOf(element)
  if (name === 'img')
    return FORMULA_PICTURE.test(attributeOf(element, 'class')) ? plainTex(attributeOf(element, 'alt')) : undefined
  if (name !== 'math' && !hasClass(element, 'katex')) return undefined
  const source = findFirst(element, (one) => one.name === 'annotation' && /tex/i.test(attributeOf(one, 'encoding')))
  if (source !== undefined) return plainTex(textOf(source))
  // Programs that make MathML of TeX keep it there. Others describe the formula in words.
  const alternative = attributeOf(element, 'alttext')
  return /[\\^_{]/.test(alternative) ? plainTex(alternative) : undefined
}

/** Classes of pictures whose description is TeX: Wikipedia, and blogs of WordPress. */
const FORMULA_PICTURE = /(?:^|\s)(?:mwe-math-fallback-image-\w+|tex|latex)(?:\s|$)/

/** Without the braces that Wikipedia writes around each formula. */
function plainTex(source: string): string | undefined {
  const [, inside] = /^\s*\{\\displaystyle\s([\s\S]*)\}\s*$/.exec(source) ?? []
  return (inside ?? source).trim() || undefined
}

/** The color of a mark. Our own pages name it. */
function highlightOf({ name, attributes }: HtmlElement): HighlightColor | undefined {
  if (name !== 'mark') return undefined
  const [, own] = /(?:^|\s)hl-([\w-]+)(?:\s|$)/.exec(attributes.get('class') ?? '') ?? []
  return HIGHLIGHT_COLORS.find((color) => color === own) ?? 'yellow'
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
