import { MAX_DEPTH } from './nesting.ts'
import type { BlockState, Rule } from './parser-state.ts'

/**
 * Turns each line of a text into a line of a quote. In Markdown, U+2028 does not end a line, unlike for the flag `m`.
 */
export const quoteLines = (text: string): string =>
  text.includes('\n')
    ? text
        .split('\n')
        .map((line) => (line === '' ? '>' : `> ${line}`))
        .join('\n')
    : `> ${text}`

/**
 * `> text`: a quote. Its lines are read as blocks of their own; a line that goes on with a paragraph needs no mark.
 *
 *     > a
 *     b          still of the paragraph a
 *     ^
 */
export const quote: Rule = (state, start, end, silent) => {
  if (state.column(start) - state.blkIndent >= 4 || state.src[state.at(start)] !== '>') return false
  if (silent) return true
  if (state.depth >= MAX_DEPTH) return false
  const lines: Line[] = []
  let line = start
  let afterBlank = false
  const parentType = state.parentType
  state.parentType = 'blockquote'
  for (; line < end && !state.isEmpty(line); line++) {
    const marked = state.src[state.at(line)] === '>' && state.column(line) >= state.blkIndent
    if (!marked && (afterBlank || beginsBlock(state, line, end))) break
    lines.push(getLine(state, line))
    if (marked) {
      passMark(state, line)
      afterBlank = state.isEmpty(line)
    } else state.sCount[line] = -1
  }
  state.parentType = parentType
  state.push('quote_open', '', 1)
  const { lineMax } = state
  state.lineMax = line
  state.inside({ kind: 'box', from: 0, standard: 0, level: state.place.level, free: false }, 0, start, line)
  state.lineMax = lineMax
  state.push('quote_close', '', -1)
  for (const [index, before] of lines.entries()) setLine(state, start + index, before)
  // A line without a mark that continues no paragraph belongs after the quote.
  return true
}

type Line = readonly [bMark: number, eMark: number, tShift: number, sCount: number, bsCount: number]

/** The bounds of a line, to be restored after a rule that changed them. */
export const getLine = (state: BlockState, line: number): Line => [
  state.bMarks[line] ?? 0,
  state.eMarks[line] ?? 0,
  state.tShift[line] ?? 0,
  state.sCount[line] ?? 0,
  state.bsCount[line] ?? 0,
]

export function setLine(state: BlockState, line: number, [bMark, eMark, tShift, sCount, bsCount]: Line): void {
  state.bMarks[line] = bMark
  state.eMarks[line] = eMark
  state.tShift[line] = tShift
  state.sCount[line] = sCount
  state.bsCount[line] = bsCount
}

function beginsBlock(state: BlockState, line: number, end: number): boolean {
  return state.md.block.ruler.getRules('blockquote').some((rule) => rule(state, line, end, true))
}

// `>`, then one space or a tab that counts as one: the rest of a tab stays in front of the text.
function passMark(state: BlockState, line: number): void {
  const column = state.column(line)
  const base = state.bsCount[line] ?? 0
  let at = state.at(line) + 1
  let first = column + 1
  let tab = 0
  const next = state.src[at]
  if (next === ' ' || (next === '\t' && (base + first) % 4 === 3)) {
    at++
    first++
  } else if (next === '\t') tab = 1
  state.bMarks[line] = at
  state.bsCount[line] = column + 1 + (next === ' ' || next === '\t' ? 1 : 0)
  let offset = first
  for (; at < state.end(line); at++) {
    const char = state.src[at]
    if (char === ' ') offset++
    else if (char === '\t') offset += 4 - ((offset + base + tab) % 4)
    else break
  }
  state.tShift[line] = at - (state.bMarks[line] ?? 0)
  state.sCount[line] = offset - first
}
