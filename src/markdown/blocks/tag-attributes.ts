import { canFence } from '../inline/formula.ts'
import { BLOCK_TAG_NAMES, mayHoldTags } from './block-tag-names.ts'

const TAG_NAMES = BLOCK_TAG_NAMES.join('|')
const COMMENT = '<!--(?!-?>)(?:[^-]|-(?!->))*-->'
const PIECE = new RegExp(`(\`+)|(\\$+)|\\\\[^\\n]|${COMMENT}|<(/?)(${TAG_NAMES})((?:\\s[^<>]*?)?)(/?)>`, 'g')

interface TagMatch {
  index: number
  parts: RegExpExecArray
}

/** Finds all tags of this program in a text, from left to right, except in code, formulas and comments, and after backslashes. */
export function* findTagsInText(text: string, from: number): Generator<TagMatch> {
  let start = from
  if (text[from] === '|') {
    // Each cell of a table is parsed separately.
    for (const { 0: char, index } of text.slice(from).matchAll(/\\[^\n]|\|/g)) {
      if (char !== '|') continue
      yield* tagsOfText(text.slice(start, from + index), start)
      start = from + index + 1
    }
  }
  yield* tagsOfText(text.slice(start), start)
}

function* tagsOfText(text: string, offset: number): Generator<TagMatch> {
  const codes = runsOf(text, '`', /`+/g)
  const formulas = runsOf(text, '$', /\\[^\n]|\$+/g)
  // A separate pattern object, since the caller may search for other tags between two results.
  const piece = new RegExp(PIECE)
  for (let match = piece.exec(text); match !== null; match = piece.exec(text)) {
    const [, ticks, dollars, , name] = match
    if (ticks !== undefined) {
      const end = codes(ticks.length, match.index)
      if (end !== undefined) piece.lastIndex = end + ticks.length
    } else if (dollars !== undefined) {
      const end = formulas(dollars.length, match.index)
      const start = match.index + dollars.length
      if (end !== undefined && canFence(dollars, text, start, end)) piece.lastIndex = end + dollars.length
    } else if (name !== undefined) yield { index: offset + match.index, parts: match }
  }
}

/**
 * Returns a function that finds the next run of a mark with a given length. It must be called with increasing indexes.
 */
function runsOf(text: string, mark: string, pattern: RegExp): (length: number, index: number) => number | undefined {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.includes(mark) ? text.matchAll(pattern) : []) {
    const places = runs.get(run.length)
    if (!run.startsWith(mark)) continue
    if (places === undefined) runs.set(run.length, [index])
    else places.push(index)
  }
  for (const places of runs.values()) places.reverse()
  return (length, index) => {
    const places = runs.get(length) ?? []
    while ((places.at(-1) ?? text.length) <= index) places.pop()
    return places.at(-1)
  }
}

/**
 * Text without tags of this program. What the inline level leaves are those in URLs and titles, where a reference for
 * `<` means the same.
 *
 *     [a](b "</page>")
 *            ^
 */
export function hideTags(text: string): string {
  if (!text.includes('<') || !mayHoldTags(text)) return text
  return text.split('\n').map(hideTagsOfLine).join('\n')
}

function hideTagsOfLine(line: string): string {
  const found = [...findTagsInText(line, 0)]
  if (found.length === 0) return line
  // What stands in code that reaches over a `|` would be a tag in a row of a table, and cannot be hidden there: with
  // the first `|` escaped the line is no row.
  //     |`<page>| a |`
  const starts = new Set([...tagsOfText(line, 0)].map(({ index }) => index))
  if (found.some(({ index }) => !starts.has(index))) return `\\${hideAt(line, [...starts])}`
  return hideAt(
    line,
    found.map(({ index }) => index),
  )
}

function hideAt(line: string, places: readonly number[]): string {
  let written = ''
  let at = 0
  for (const index of places) {
    written += `${line.slice(at, index)}&lt;`
    at = index + 1
  }
  return written + line.slice(at)
}
