/** Markdown as models send it: with a fence around all of it, front matter, `<aside>`, or its own title once more. */
import { invalid } from '../base/errors.ts'

const FENCED = /^\s*(`{3,}|~{3,})(?:markdown|md)[ \t]*\n([\s\S]*?)\n\1[ \t]*\s*$/i
const FRONT_MATTER =
  /^\uFEFF?---[ \t]*\n((?:[\w-]+:(?:[ \t][^\n]*)?\n|[ \t]*-[ \t][^\n]*\n|[ \t]+[^\n]*\n)+)(?:---|\.\.\.)[ \t]*(?:\n+|$)/
const HEADING = /^\s*#[ \t]+([^\n]*)(?:\n+|$)/
const CALLOUT_TAG = /^([ \t]*)<(\/?)aside>[ \t]*$/gim

export interface GivenText {
  /** The Markdown itself. */
  text: string
  /** True if a fence around all of it was left out, which the caller may have meant as a block of code. */
  isUnwrapped: boolean
}

/** What the answer of a call says whose text was unwrapped. */
export const UNWRAPPED_NOTE =
  'The fence around the whole Markdown was left out, and its text was read as blocks; for a block of code, send { "type": "code", "rawCode", "language": "markdown" } in blocks.'

/**
 * @param title  of the document that the text is for
 * @throws VALIDATION_ERROR for front matter, which is no text of the document, and would be read as a line and a heading
 */
export function readGivenText(markdown: string, title?: string): GivenText {
  const unix = markdown.replace(/\r\n?/g, '\n')
  const fenced = FENCED.exec(unix)
  const [, fence = '', inner = ''] = fenced ?? []
  // A fence inside would have ended the one around everything.
  const isWhole = fenced !== null && !inner.split('\n').some((line) => line.trimStart().startsWith(fence))
  const text = withoutFrontMatter(isWhole ? inner : unix, title)
  const body = title === undefined ? text : withoutOwnTitle(text, title)
  const hasCode = /^[ \t]*(?:```|~~~)/m.test(body)
  const read = hasCode ? body : body.replace(CALLOUT_TAG, '$1<$2callout>')
  return { text: read === unix ? markdown : read, isUnwrapped: isWhole }
}

/** The text without its title once more as the first heading. */
export function withoutOwnTitle(text: string, title: string): string {
  const heading = HEADING.exec(text)
  return heading?.[1]?.trim() === title.trim() ? text.slice(heading[0].length) : text
}

function withoutFrontMatter(text: string, title: string | undefined): string {
  const [all, fields = ''] = FRONT_MATTER.exec(text) ?? []
  if (all === undefined) return text
  const [, named = ''] = /^title:[ \t]*["']?(.*?)["']?[ \t]*\n$/.exec(fields) ?? []
  if (named !== '' && named === title?.trim()) return text.slice(all.length)
  throw invalid(
    'Expected Markdown, found front matter at its beginning, which documents do not have; leave it out, or keep it as a block of code between ``` lines. Properties belong to items of a collection.',
  )
}
