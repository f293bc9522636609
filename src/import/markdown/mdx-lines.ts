/**
 * Reads the lines of MDX: Markdown with modules of JavaScript and components. Neither runs here: modules become code, and
 * the tags of components become text.
 */
import { type NoteLine, readNoteLines, replaceText } from './note-lines.ts'

/** The sign before the name of a component, or of a fragment: `<Tabs`, `</Tabs.Item`, `<>`. */
export const COMPONENT = /<(?=\/?(?:[A-Z]|[a-z]+\.|>))/g
const COMPONENT_NAME = /<\/?([A-Z][\w.]*|[a-z]+\.[\w.]*|(?=>))/g

const MODULE =
  /^(?:import\s+(?:["'{*]|[\w$]+\s*(?:,|\sfrom\s))|import\s+type\s|export\s+(?:default|const|let|var|function|async|class|type|interface|\{|\*)(?![\w-]))/
/** Lines after which a module that has not ended is taken to end at its first blank line. */
const MODULE_LINES = 500

/** @param report  receives each module, and the first use of each component */
export function readMdxLines(
  body: string,
  before: number,
  report: (line: number, message: string, detail?: string) => void,
): NoteLine[] {
  const { texts, numbers } = fenceModules(body.split('\n'), (index) =>
    report(before + index + 1, 'A module of MDX is kept as code.'),
  )
  const known = new Set<string>()
  return readNoteLines(texts.join('\n'), 0, false).map((line, index) => {
    const number = before + (numbers[index] ?? 0) + 1
    if (line.kind === 'text') {
      replaceText(line.text, (text) => {
        for (const [, name = ''] of text.matchAll(COMPONENT_NAME)) {
          const shown = `<${name}>`
          if (!known.has(shown)) report(number, 'A component of MDX is kept as text.', shown)
          known.add(shown)
        }
        return text
      })
    }
    return { ...line, number }
  })
}

/** Puts fences around modules. `numbers` are the indexes of the lines before. */
function fenceModules(lines: readonly string[], found: (index: number) => void) {
  const texts: string[] = []
  const numbers: number[] = []
  const add = (text: string, number: number) => {
    texts.push(text)
    numbers.push(number)
  }
  let fence = ''
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    const isStart = fence === '' && MODULE.test(line) && (index === 0 || lines[index - 1]?.trim() === '')
    if (!isStart) {
      add(line, index)
      continue
    }
    const end = endOfModule(lines, index)
    found(index)
    const ticks = '`'.repeat(Math.max(3, ...lines.slice(index, end).map(longestTicks)) + 1)
    add(`${ticks}js`, index)
    for (; index < end; index++) add(lines[index] ?? '', index)
    index--
    add(ticks, index)
  }
  return { texts, numbers }
}

/** A module ends at a blank line outside of brackets. */
function endOfModule(lines: readonly string[], start: number): number {
  let depth = 0
  let firstBlank = -1
  for (let index = start; index < lines.length && index - start < MODULE_LINES; index++) {
    const line = lines[index] ?? ''
    if (line.trim() === '') {
      if (depth <= 0) return index
      if (firstBlank < 0) firstBlank = index
    }
    for (const sign of line) {
      if (sign === '{' || sign === '(' || sign === '[') depth++
      else if (sign === '}' || sign === ')' || sign === ']') depth--
    }
  }
  return firstBlank >= 0 ? firstBlank : lines.length
}

const longestTicks = (line: string): number =>
  (line.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
