import { COMMENT_INFO } from '../block.ts'
import type { BlockState, Rule } from './parser-state.ts'

const COMMENTS_ALONE = /^(?:<!--(?!-?>)(?:[^-]|-(?!->))*-->[ \t]*)+$/

/**
 * A comment that ends on a later line, or comments that are alone on their line. What begins with a comment and goes on
 * with text is a line of text.
 *
 *     <!--
 *     - [ ] a       no task
 *     -->
 *
 *     <!-- a -->
 */
export const htmlComment: Rule = (state, start, end, silent) => {
  if (state.column(start) - state.blkIndent >= 4 || !state.src.startsWith('<!--', state.at(start))) return false
  const first = state.lineText(start)
  const isAlone = COMMENTS_ALONE.test(first)
  if (!isAlone && (first.includes('-->', 4) || /^<!---?>/.test(first))) return false
  if (silent) return true
  if (isAlone) pushText(state, start, first)
  else pushComment(state, start, end)
  return true
}

function pushText(state: BlockState, line: number, text: string): void {
  state.push('paragraph_open', 'p', 1).map = [line, line + 1]
  const token = state.push('inline', '', 0)
  token.content = text.trim()
  token.map = [line, line + 1]
  state.push('paragraph_close', 'p', -1)
  state.line = line + 1
}

// Without its end, the rest of the text is a comment, as in standard Markdown.
function pushComment(state: BlockState, start: number, end: number): void {
  let line = start + 1
  while (line < end && (state.isEmpty(line) || state.column(line) >= state.blkIndent)) {
    if (state.lineText(line).includes('-->')) break
    line++
  }
  const isClosed = line < end && state.lineText(line).includes('-->')
  const next = isClosed ? line + 1 : line
  const lines = state.getLines(start + 1, next, state.column(start), false)
  const close = isClosed ? lines.lastIndexOf('\n') + 1 : lines.length
  const at = isClosed ? lines.indexOf('-->', close) : lines.length
  const text = commentText([state.lineText(start).slice(4), ...lines.slice(0, at).split('\n')])
  if (text.trim() !== '') {
    const token = state.push('fence', 'code', 0)
    token.info = COMMENT_INFO
    token.content = `${text}\n`
    token.map = [start, next]
  }
  const rest = lines.slice(at + 3)
  if (rest.trim() !== '') {
    const token = state.push('html_block', '', 0)
    token.content = rest
    token.map = [next - 1, next]
  }
  state.line = next
}

/** The lines between the marks, without what only separates them from the marks. */
function commentText(lines: string[]): string {
  const [first = '', last = ''] = [lines[0], lines.at(-1)]
  if (first.trim() === '') lines.shift()
  else lines[0] = first.trimStart()
  if (lines.length > 0 && last.trim() === '') lines.pop()
  else if (lines.length > 0) lines.push((lines.pop() ?? '').trimEnd())
  return lines.join('\n')
}

/** Writes a comment of several lines. Undefined for what would end it, and for one without text. */
export const writeComment = (text: string): string | undefined =>
  text.trim() === '' || text.includes('-->') ? undefined : `<!--\n${text}\n-->`
