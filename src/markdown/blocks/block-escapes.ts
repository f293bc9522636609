import { beginsWithKeptTag } from '../inline/html-tags.ts'
import { labelEnd } from './label-end.ts'
import { isLine } from './line-block.ts'

/**
 * A construct that a line of text could be mistaken for at its beginning, and the escaped line. Escaping within a line
 * is done at the inline level.
 */
interface Escape {
  /** The possible first characters of such a line. */
  first: string
  /** Returns the escaped line, or undefined if the line is not of this kind. */
  write: (line: string, text: string) => string | undefined
  /** What the line would mean without escapes. */
  because: string
  /** Restricts the construct to the first line of a paragraph, or to later lines. */
  where?: 'first' | 'later'
  /** True for a line that stays as it is: HTML that is kept. */
  unless?: (line: string) => boolean
}

const one = (pattern: RegExp) => (line: string) => (pattern.test(line) ? `\\${line}` : undefined)
/** A single backslash would leave a shorter run, which can be inline markup: ``` would become ` and ``. */
const run = (pattern: RegExp) => (line: string) =>
  pattern.test(line) ? line.replace(/^(.)\1*/, escapeEach) : undefined
const escapeEach = (marks: string): string => marks.replace(/./g, '\\$&')

/** The same rule as in `formulaBlock`. */
const isFormula = (line: string): boolean =>
  line.length > 4 && /^\$\$[^$]/.test(line) && line.endsWith('$$') && !line.slice(2, -2).includes('$$')

export const ESCAPES: readonly Escape[] = [
  { first: '#', write: one(/^#{1,6}(?:[ \t]|$)/), because: 'a heading' },
  { first: '>', write: one(/^>/), because: 'a quote' },
  {
    first: '-*_',
    write: (line) => (isLine(line) ? line.replace(/[-*_]/g, '\\$&') : undefined),
    because: 'a line across',
  },
  { first: '-+*', write: one(/^.(?:[ \t]|$)/), because: 'a list item' },
  { first: '0123456789', write: numbered, because: 'a numbered item' },
  { first: '`', write: run(/^`{3,}[^`]*$/), because: 'a fence of code' },
  { first: '~', write: run(/^~{3,}/), because: 'a fence of code' },
  { first: '-', write: run(/^-+[ \t]*$/), because: 'a line across, behind the mark of an item' },
  { first: '=', write: run(/^=+[ \t]*$/), because: 'what makes the text above a heading', where: 'later' },
  { first: '|:-', write: one(/^[|: \t]*-[|:\- \t]*$/), because: 'the rule of a table', where: 'later' },
  // Within a line, the same formula has one dollar sign on each side.
  { first: '$', write: (line) => /^\$(\$(?!\s)[^$]+(?<!\s)\$)\$$/.exec(line)?.[1], because: 'a formula as a block' },
  // A formula that contains a dollar sign has no inline form.
  {
    first: '$',
    write: (line) => (isFormula(line) ? line.replace(/^\$+/, escapeEach) : undefined),
    because: 'a formula as a block',
  },
  { first: '$', write: run(/^\$\$(?!\$|[^\n]*\$\$)/), because: 'the beginning of a formula' },
  { first: '[', write: definition, because: 'a definition of a link', where: 'first' },
  { first: '[', write: one(/^\[[ xX-]\](?:[ \t]|$)/), because: 'the box of a task', where: 'first' },
  {
    first: '<',
    write: one(/^<(?!\/?(?:highlight|comment)[\s>])(?:[/?!]|[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$))/),
    because: 'a tag, ours or of HTML',
    unless: (line) => beginsWithKeptTag(line) || /^<!--.*?-->/.test(line),
  },
]

function numbered(line: string): string | undefined {
  const digits = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line)?.[0]
  return digits === undefined ? undefined : `${digits}\\${line.slice(digits.length)}`
}

// The label of a definition may run over several lines; a footnote is none.
function definition(line: string, text: string): string | undefined {
  const end = labelEnd(text, 1)
  const isOne = text[end] === ']' && text[end + 1] === ':' && !/^\[\^[^\]\s]+\]:/.test(text)
  return isOne ? `\\${line}` : undefined
}

/** Lines that begin with another character need no escapes. */
const SUSPECT = /^[#>\-+*\d`~_=$[|:<]/

/** Adds backslashes where the beginning of a line would be read as something other than text. */
export function escapeLines(text: string): string {
  if (!text.includes('\n')) return SUSPECT.test(text) ? escapeLine(text, 0, text) : text
  return text
    .split('\n')
    .map((line, index) => (SUSPECT.test(line) ? escapeLine(line, index, text) : line))
    .join('\n')
}

function escapeLine(line: string, index: number, text: string): string {
  const char = line[0] ?? ''
  for (const { first, write, where, unless } of ESCAPES) {
    if (!first.includes(char) || where === (index === 0 ? 'later' : 'first') || unless?.(line)) continue
    const escaped = write(line, text)
    if (escaped !== undefined) return escaped
  }
  return line
}
