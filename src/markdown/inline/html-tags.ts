/** HTML in a line that has a meaning here: tags that Markdown has no marks for, and comments. */

/** Tags that are kept as they are written. Pages show them, and exports write them. */
const KEPT = 'br|sub|sup|kbd|u|mark|details|summary'
const KEPT_TAG = new RegExp(`^<(/?)(${KEPT})(?=[\\s/>])`, 'i')
/** The same at the beginning of a line, where it is no block of foreign HTML. */
const KEPT_START = new RegExp(`^</?(?:${KEPT})[\\s/>]`, 'i')
/** An attribute such as `onclick`, which would run in programs that show an export. */
const HANDLER = /\son/i
const COMMENT = /^<!--(?!-?>)[\s\S]*-->$/

export interface HtmlTag {
  name: string
  isClosing: boolean
}

export const isComment = (source: string): boolean => source.startsWith('<!--')

/** The text of a comment. Empty for one without any. */
export const commentText = (source: string): string => (COMMENT.test(source) ? source.slice(4, -3).trim() : '')

/** The tag that is kept, or undefined for any other HTML. */
export function allowedTag(source: string): HtmlTag | undefined {
  const [, slash, name = ''] = KEPT_TAG.exec(source) ?? []
  return slash === undefined || HANDLER.test(source) ? undefined : { name: name.toLowerCase(), isClosing: slash !== '' }
}

export const isLineBreak = (source: string): boolean => allowedTag(source)?.name === 'br'

/** True for a line that begins with a tag that is kept, or with what could be one. */
export const beginsWithKeptTag = (line: string): boolean => KEPT_START.test(line)
