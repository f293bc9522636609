import MarkdownIt from 'markdown-it'
import { beginsWithKeptTag } from '../inline/html-tags.ts'
import type { Rule } from './parser-state.ts'

const markdownIt = new MarkdownIt('zero', { html: true }).enable('html_block')
const [readHtml] = markdownIt.block.ruler.getRules('')

/**
 * markdown-it's block of HTML. A line that begins with a tag that is kept, such as `<kbd>` or `<details>`, is a line of
 * text, so that what is in it is Markdown. One that begins with a comment is, too, unless the comment is a block.
 *
 *     <details>
 *     **text**
 *     ^
 */
export const foreignHtml: Rule = (state, start, end, silent) => {
  const text = state.lineText(start)
  if (text.startsWith('<!--') || beginsWithKeptTag(text)) return false
  return readHtml?.(state, start, end, silent) === true
}
