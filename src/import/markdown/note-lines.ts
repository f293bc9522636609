/**
 * Splits a note into lines and classifies them as text, code or comments. Links only exist in text, not in code,
 * formulas or comments.
 */

export interface NoteLine {
  text: string
  /** Line number in the file, starting at 1. */
  number: number
  kind: 'text' | 'code' | 'comment'
  /** For the first line of a code block: the text after the fence. */
  info?: string
}

/** Quotes and list items that begin on a line. */
const CONTAINERS = String.raw`((?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])(?:[ \t]+\[[ xX-]\](?=[ \t]))?))*[ \t]*(?:<callout>)?)`
const FENCE = new RegExp(`^${CONTAINERS}(\`{3,}|~{3,})(.*)$`)
/** The first line of a formula; see formulaBlock. */
const FORMULA = new RegExp(String.raw`^${CONTAINERS}(\$\$(?!\$)(?:(?!\$\$).)*)$`)
const QUOTES = /^[ \t>]*/
/** The first line of an HTML comment of several lines. */
const HTML_COMMENT = new RegExp(`^${CONTAINERS}<!--(?!-?>)(?!.*-->)`)
/** A code span, formula or HTML comment within a line: what is in it has no other meaning. */
const CODE_SPAN =
  /<!--(?!-?>)[\s\S]*?-->|(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)|(?<![\\$])\$(?=[^\s$])(?:[^$\n\\]|\\.)*?(?<!\s)\$(?![\d$])/g

const quotesOf = (text: string): number => (QUOTES.exec(text)?.[0].match(/>/g) ?? []).length

/**
 * @param body  the text after the front matter
 * @param before  number of lines in the file before the body
 * @param hasComments  whether `%%` starts and ends comments
 */
export function readNoteLines(body: string, before: number, hasComments: boolean): NoteLine[] {
  let fence: { mark: string; quotes: number } | undefined
  let isComment = false
  /** The last line of the formula that was found last, and the first line at which another one may begin. */
  const formula = { end: -1, next: 0 }
  /** The last line of the HTML comment that was found last. */
  let htmlEnd = -1
  const lines = body.split('\n')
  return lines.map((text, index): NoteLine => {
    const number = before + index + 1
    if (fence !== undefined) {
      const [mark = ''] = /(`{3,}|~{3,})[ \t]*$/.exec(text) ?? []
      const isPlain = text.replace(QUOTES, '').trim() === mark.trim()
      if (quotesOf(text) < fence.quotes) fence = undefined
      else {
        if (isPlain && mark.trim().startsWith(fence.mark)) fence = undefined
        return { text, number, kind: 'code' }
      }
    }
    if (index <= formula.end || index <= htmlEnd) return { text, number, kind: 'code' }
    if (isComment) {
      isComment = !text.includes('%%')
      return { text, number, kind: 'comment' }
    }
    const [, , mark, rest = ''] = FENCE.exec(text) ?? []
    if (mark !== undefined && !(mark.startsWith('`') && rest.includes('`'))) {
      fence = { mark, quotes: quotesOf(text) }
      return { text, number, kind: 'code', info: rest.trim() }
    }
    htmlEnd = endOfHtmlComment(lines, index)
    if (index <= htmlEnd) return { text, number, kind: 'code', info: '' }
    if (index >= formula.next) {
      Object.assign(formula, findFormula(lines, index))
      if (index <= formula.end) return { text, number, kind: 'code' }
    }
    if (hasComments && (text.replace(CODE_SPAN, '').match(/%%/g) ?? []).length % 2 === 1) {
      isComment = true
      if (/^[ \t]*%%/.test(text)) return { text, number, kind: 'comment' }
    }
    return { text, number, kind: 'text' }
  })
}

/**
 * Finds the last line of a formula that begins on this line, as the parser of blocks does: `$$` alone is no formula unless
 * another one ends it.
 *
 * @returns `next` is the line up to which no formula can begin: each search goes as far as the one before, at least
 */
function findFormula(lines: readonly string[], start: number): { end: number; next: number } {
  const [, containers = '', opening] = FORMULA.exec(lines[start] ?? '') ?? []
  if (opening === undefined) return { end: -1, next: start + 1 }
  const first = opening.trimEnd()
  const isInItem = /[^ \t>]/.test(containers)
  let hasBlank = false
  let line = start + 1
  for (; line < lines.length; line++) {
    const text = lines[line] ?? ''
    const trimmed = text.replace(QUOTES, '').trimEnd()
    const isOutside =
      quotesOf(text) < quotesOf(containers) || (isInItem && trimmed !== '' && !/^[ \t>]*[ \t]/.test(text))
    if (isOutside) break
    hasBlank ||= trimmed === ''
    if (hasBlank && first !== '$$') break
    if (!trimmed.endsWith('$$')) continue
    if (trimmed.indexOf('$$') !== trimmed.length - 2 || (hasBlank && trimmed !== '$$')) break
    return { end: line, next: line + 1 }
  }
  return { end: -1, next: line }
}

/** Finds the last line of an HTML comment of several lines that begins on this line; -1 if none does. */
function endOfHtmlComment(lines: readonly string[], start: number): number {
  const [opening, containers = ''] = HTML_COMMENT.exec(lines[start] ?? '') ?? []
  if (opening === undefined) return -1
  const isInItem = /[^ \t>]/.test(containers)
  for (let line = start + 1; line < lines.length; line++) {
    const text = lines[line] ?? ''
    const isIndented = text.trim() === '' || /^[ \t>]*[ \t]/.test(text)
    if (quotesOf(text) < quotesOf(containers) || (isInItem && !isIndented)) return line - 1
    if (text.includes('-->')) return line
  }
  return lines.length - 1
}

/** Replaces the parts of a line that are not code, formulas or HTML comments. */
export function replaceText(line: string, replace: (text: string) => string): string {
  if (!line.includes('`') && !line.includes('$') && !line.includes('<!--')) return replace(line)
  let [text, at] = ['', 0]
  for (const { 0: code, index } of line.matchAll(CODE_SPAN)) {
    text += replace(line.slice(at, index)) + code
    at = index + code.length
  }
  return text + replace(line.slice(at))
}
