import { labelEnd } from './label-end.ts'
import { isLine } from './line-block.ts'

/**
 * What the beginning of a line would begin if it stood there as words, and the same words written so that it does not.
 * Inside a line the inline level escapes; here is the beginning alone.
 */
interface Escape {
  /** The first characters that such a line can have. */
  first: string
  /** The line with its backslashes; undefined when it is no such line. */
  write: (line: string, text: string) => string | undefined
  /** What the line would be without them. */
  because: string
  /** Only the first line of a paragraph can be it, or any but the first. */
  where?: 'first' | 'later'
}

const one = (pattern: RegExp) => (line: string) => (pattern.test(line) ? `\\${line}` : undefined)
/** One backslash alone would leave a shorter run, which can be markup of the inline level: ``` becomes ` and ``. */
const run = (pattern: RegExp) => (line: string) =>
  pattern.test(line) ? line.replace(/^(.)\1*/, escapeEach) : undefined
const escapeEach = (marks: string): string => marks.replace(/./g, '\\$&')

/** As `formulaBlock` reads it. */
const isFormula = (line: string): boolean =>
  line.length > 4 && line.startsWith('$$') && line.endsWith('$$') && !line.slice(2, -2).includes('$$')

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
  { first: '=', write: run(/^=+[ \t]*$/), because: 'what makes the words above a heading', where: 'later' },
  { first: '|:-', write: one(/^[|:\- \t]*-[|:\- \t]*$/), because: 'the rule of a table', where: 'later' },
  // The same formula inside a line has one dollar on each side.
  { first: '$', write: (line) => /^\$(\$[^$]+\$)\$$/.exec(line)?.[1], because: 'a formula as a block' },
  // One with a dollar in it has no such form.
  {
    first: '$',
    write: (line) => (isFormula(line) ? line.replace(/^\$+/, escapeEach) : undefined),
    because: 'a formula as a block',
  },
  { first: '$', write: run(/^\$\$(?![^\n]*\$\$)/), because: 'the beginning of a formula' },
  { first: '[', write: definition, because: 'a definition of a link', where: 'first' },
  { first: '[', write: one(/^\[[ xX-]\](?:[ \t]|$)/), because: 'the box of a task', where: 'first' },
  {
    first: '<',
    write: one(/^<(?!\/?(?:highlight|comment)[\s>])(?:[/?!]|[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$))/),
    because: 'a tag, ours or of HTML',
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

/** A line that begins with another character is left as it is. */
const SUSPECT = /^[#>\-+*\d`~_=$[|:<]/

/** A text with a backslash before each beginning of a line that would be something else than words. */
export function escapeLines(text: string): string {
  if (!text.includes('\n')) return SUSPECT.test(text) ? escapeLine(text, 0, text) : text
  return text
    .split('\n')
    .map((line, index) => (SUSPECT.test(line) ? escapeLine(line, index, text) : line))
    .join('\n')
}

function escapeLine(line: string, index: number, text: string): string {
  const char = line[0] ?? ''
  for (const { first, write, where } of ESCAPES) {
    if (!first.includes(char) || where === (index === 0 ? 'later' : 'first')) continue
    const escaped = write(line, text)
    if (escaped !== undefined) return escaped
  }
  return line
}
