import { isLine } from './line.ts'
import { labelEnd } from './media.ts'

/**
 * What the beginning of a line would begin if it stood there as words, and the same words written so that it does not.
 * Inside a line the inline level escapes; here is the beginning alone.
 */
interface Escape {
  /** The first characters that such a line can have. */
  first: string
  /** Where the backslash goes; below zero when the line is not such a line. */
  at: (line: string, text: string) => number
  /** What the line would be without a backslash. */
  because: string
  /** Only the first line of a paragraph can be it, or any but the first. */
  where?: 'first' | 'later'
}

const begins = (pattern: RegExp) => (line: string) => (pattern.test(line) ? 0 : -1)

export const ESCAPES: readonly Escape[] = [
  { first: '#', at: begins(/^#{1,6}(?:[ \t]|$)/), because: 'a heading' },
  { first: '>', at: () => 0, because: 'a quote' },
  { first: '-+*', at: begins(/^.(?:[ \t]|$)/), because: 'a list item' },
  {
    first: '0123456789',
    at: (line) => /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line)?.[0].length ?? -1,
    because: 'a numbered item',
  },
  { first: '`', at: begins(/^`{3,}[^`]*$/), because: 'a fence of code' },
  { first: '~', at: begins(/^~{3,}/), because: 'a fence of code' },
  { first: '-*_', at: (line) => (isLine(line) ? 0 : -1), because: 'a line across the page' },
  {
    first: '=-',
    at: begins(/^(?:=+|-+)[ \t]*$/),
    because: 'an underline that makes the words above a heading',
    where: 'later',
  },
  {
    first: '|:-',
    at: begins(/^[|:\- \t]*-[|:\- \t]*$/),
    because: 'the rule of a table under the words above',
    where: 'later',
  },
  { first: '$', at: begins(/^\$\$(?!.*\$\$)/), because: 'a formula' },
  { first: '[', at: (_, text) => (isDefinition(text) ? 0 : -1), because: 'a definition of a link', where: 'first' },
  { first: '[', at: begins(/^\[[ xX-]\](?:[ \t]|$)/), because: 'the box of a task', where: 'first' },
  { first: '<', at: begins(/^<(?:[/?!]|[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$))/), because: 'a tag, ours or of HTML' },
]

// The label of a definition may run over several lines; a footnote is none.
function isDefinition(text: string): boolean {
  if (/^\[\^[^\]\s]+\]:/.test(text)) return false
  const end = labelEnd(text, 1)
  return text[end] === ']' && text[end + 1] === ':'
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
  // $$a$$ alone on a line would be a block: the same formula inside a line has one dollar on each side.
  if (line.startsWith('$$') && /^\$\$[^$]+\$\$$/.test(line)) return `$${line.slice(2, -2).trim()}$`
  const char = line[0] ?? ''
  for (const { first, at, where } of ESCAPES) {
    if (!first.includes(char) || where === (index === 0 ? 'later' : 'first')) continue
    const place = at(line, text)
    if (place >= 0) return `${line.slice(0, place)}\\${line.slice(place)}`
  }
  return line
}
