/** Formatting that an element has by its style instead of its name, as word processors write it. */
import { BOLD, ITALIC, STRIKE } from '../markdown/inline/inline-node.ts'
import { type HtmlElement, styleOf } from './html-tree.ts'

export interface StyleMarks {
  /** Bits of marks that begin at the element, and of those that end there. */
  on: number
  off: number
  /** Elements that Markdown keeps, and whose look the element has. */
  tags: readonly ('u' | 'sub' | 'sup')[]
  /** Whether line ends in the text are shown; undefined if the element does not say. */
  keepsLines: boolean | undefined
}

const NONE: StyleMarks = { on: 0, off: 0, tags: [], keepsLines: undefined }

export function styleMarks(element: HtmlElement): StyleMarks {
  if (!element.attributes.has('style')) return NONE
  let on = 0
  let off = 0
  const weight = styleOf(element, 'font-weight')
  if (/^(?:bold|bolder|[6-9]\d\d)\b/.test(weight)) on |= BOLD
  else if (/^(?:normal|lighter|[1-5]\d\d)\b/.test(weight)) off |= BOLD
  const slant = styleOf(element, 'font-style')
  if (/^(?:italic|oblique)\b/.test(slant)) on |= ITALIC
  else if (slant.startsWith('normal')) off |= ITALIC
  const lines = `${styleOf(element, 'text-decoration')} ${styleOf(element, 'text-decoration-line')}`
  if (lines.includes('line-through')) on |= STRIKE
  const height = styleOf(element, 'vertical-align')
  const tags = [
    ...(lines.includes('underline') ? (['u'] as const) : []),
    ...(height === 'super' ? (['sup'] as const) : height === 'sub' ? (['sub'] as const) : []),
  ]
  const space = `${styleOf(element, 'white-space')} ${styleOf(element, 'white-space-collapse')}`.trim()
  const keepsLines = space === '' ? undefined : /^(?:pre|break-spaces)/.test(space)
  return { on, off, tags, keepsLines }
}

/** True if the style of an element changes how its text is written. */
export function changesText(element: HtmlElement): boolean {
  const { on, off, tags, keepsLines } = styleMarks(element)
  return on !== 0 || off !== 0 || tags.length > 0 || keepsLines !== undefined
}

/** Browsers hide the element with all that stands in it, or word processors do. */
export const isHidden = (element: HtmlElement): boolean =>
  element.attributes.has('hidden') || styleOf(element, 'display') === 'none' || styleOf(element, 'mso-hide') === 'all'

/** Whether an element shows its own text; undefined if it does as the one around it. An element in it may say another. */
export function visibilityOf(element: HtmlElement): boolean | undefined {
  const visibility = styleOf(element, 'visibility')
  if (visibility === 'visible') return true
  return visibility === 'hidden' || visibility === 'collapse' ? false : undefined
}
