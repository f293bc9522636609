/** Markdown as models send it: with a fence around all of it, front matter, callouts of others, or its own title again. */
import { invalid } from '../base/errors.ts'
import { withCallouts } from './foreign-callouts.ts'

const FENCED = /^\s*(`{3,}|~{3,})(?:markdown|md)[ \t]*\n([\s\S]*?)\n\1[ \t]*\s*$/i
const FRONT_MATTER =
  /^\uFEFF?---[ \t]*\n((?:[\w-]+:(?:[ \t][^\n]*)?\n|[ \t]*-[ \t][^\n]*\n|[ \t]+[^\n]*\n)+)(?:---|\.\.\.)[ \t]*(?:\n+|$)/
const HEADING = /^\s*#[ \t]+([^\n]*)(?:\n+|$)/

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
  return { text: isWhole ? readInnerText(inner, title) : readInnerText(markdown, title), isUnwrapped: isWhole }
}

/** The same for text inside of blocks, where a fence is a block of code. @throws as {@link readGivenText} */
export function readInnerText(markdown: string, title?: string): string {
  const unix = markdown.replace(/\r\n?/g, '\n')
  const text = withoutFrontMatter(unix, title)
  const read = withCallouts(title === undefined ? text : withoutOwnTitle(text, title))
  return read === unix ? markdown : read
}

/** The text without its title once more as the first heading. */
function withoutOwnTitle(text: string, title: string): string {
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
