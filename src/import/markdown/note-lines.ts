/**
 * Splits a note into lines and classifies them as text, code or comments. Links only exist in text, not in code,
 * formulas or comments.
 */

export interface NoteLine {
  text: string
  /** Line number in the file, starting at 1. */
  number: number
  kind: 'words' | 'code' | 'comment'
  /** For the first line of a code block: the text after the fence. */
  info?: string
}

const FENCE =
  /^((?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])(?:[ \t]+\[[ xX-]\](?=[ \t]))?))*[ \t]*(?:<callout>)?)(`{3,}|~{3,})(.*)$/
const QUOTES = /^[ \t>]*/
/** A code span or formula within a line. */
const CODE_SPAN = /(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)|(?<![\\$])\$(?=[^\s$])(?:[^$\n\\]|\\.)*?(?<!\s)\$(?![\d$])/g

const quotesOf = (text: string): number => (QUOTES.exec(text)?.[0].match(/>/g) ?? []).length

/**
 * @param body  the text after the front matter
 * @param before  number of lines in the file before the body
 * @param hasComments  whether `%%` starts and ends comments
 */
export function readNoteLines(body: string, before: number, hasComments: boolean): NoteLine[] {
  let fence: { mark: string; quotes: number } | undefined
  let [isFormula, isComment] = [false, false]
  return body.split('\n').map((text, index): NoteLine => {
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
    if (isFormula) {
      isFormula = !/\$\$[ \t]*$/.test(text)
      return { text, number, kind: 'code' }
    }
    if (isComment) {
      isComment = !text.includes('%%')
      return { text, number, kind: 'comment' }
    }
    const [, , mark, rest = ''] = FENCE.exec(text) ?? []
    if (mark !== undefined && !(mark.startsWith('`') && rest.includes('`'))) {
      fence = { mark, quotes: quotesOf(text) }
      return { text, number, kind: 'code', info: rest.trim() }
    }
    const words = text.replace(QUOTES, '')
    if (words.startsWith('$$') && !/\$\$[ \t]*$/.test(words.slice(2))) {
      isFormula = !words.slice(2).includes('$$')
      if (isFormula) return { text, number, kind: 'code' }
    }
    if (hasComments && (text.replace(CODE_SPAN, '').match(/%%/g) ?? []).length % 2 === 1) {
      isComment = true
      if (/^[ \t]*%%/.test(text)) return { text, number, kind: 'comment' }
    }
    return { text, number, kind: 'words' }
  })
}

/** Replaces the parts of a line that are not code. */
export function replaceWords(line: string, replace: (words: string) => string): string {
  if (!line.includes('`') && !line.includes('$')) return replace(line)
  let [text, at] = ['', 0]
  for (const { 0: code, index } of line.matchAll(CODE_SPAN)) {
    text += replace(line.slice(at, index)) + code
    at = index + code.length
  }
  return text + replace(line.slice(at))
}
