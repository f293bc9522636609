import { TAG_NAMES } from './tags.ts'

/**
 * What the first characters of a line would begin if they stood there as words, and where the backslash goes that
 * keeps them words. Inside a line the inline level escapes; here is the beginning alone.
 */
interface Escape {
  /** Matches at the beginning of a line; the backslash goes to the end of what its group 1 matches. */
  begins: RegExp
  /** What the line would be without a backslash. */
  because: string
  /** Only the first line of a paragraph, or any but the first. */
  where?: 'first' | 'later'
}

export const ESCAPES: readonly Escape[] = [
  { begins: /^()#{1,6}(?:[ \t]|$)/, because: 'a heading' },
  { begins: /^()>/, because: 'a quote' },
  { begins: /^()[-+*](?:[ \t]|$)/, because: 'a list item' },
  { begins: /^(\d{1,9})[.)](?:[ \t]|$)/, because: 'a numbered item' },
  { begins: /^()(?:`{3,}[^`]*$|~{3,})/, because: 'a fence of code' },
  { begins: /^()([-*_])[ \t]*(?:\2[ \t]*){2,}$/, because: 'a line across the page' },
  { begins: /^()(?:=+|-+)[ \t]*$/, because: 'an underline that makes the line before a heading', where: 'later' },
  { begins: /^()\$\$/, because: 'a formula' },
  { begins: /^()\[(?!\^)(?:[^[\]\\]|\\.)*\]:/, because: 'a reference definition' },
  { begins: /^()\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$/, because: 'the rule of a table', where: 'later' },
  { begins: /^()\[[ xX-]\](?:[ \t]|$)/, because: 'the box of a task', where: 'first' },
  { begins: new RegExp(`^()</?(?:${TAG_NAMES})(?=[\\s/>])`), because: 'a tag of ours' },
  { begins: /^()<(?:!--|[?]|![A-Za-z])/, because: 'a comment' },
]

/** The characters that any row can begin with: a line that begins with another is left as it is. */
const SUSPECT = /^[#>\-+*\d`~_=$[|:<]/

/** A text with a backslash before each beginning of a line that would be something else than words. */
export function escapeLines(text: string): string {
  if (!text.includes('\n')) return SUSPECT.test(text) ? escapeLine(text, 0) : text
  return text.split('\n').map(escapeLine).join('\n')
}

function escapeLine(line: string, index: number): string {
  if (!SUSPECT.test(line)) return line
  for (const { begins, where } of ESCAPES) {
    if (where === (index === 0 ? 'later' : 'first')) continue
    const match = begins.exec(line)
    if (match === null) continue
    const at = match[1]?.length ?? 0
    return `${line.slice(0, at)}\\${line.slice(at)}`
  }
  return line
}
