/** `(destination "title")`: what follows the label of a link or an image. */

import { isAsciiPunctuation, isReference } from './characters.ts'

/** Parentheses deeper than this are not counted by CommonMark readers. */
const MAX_PARENTHESES = 32

/** Destination and title with their parentheses; the title on one line, and only if there is one. */
export function writeResource(url: string, title: string): string {
  const said = title.replace(/\s*[\r\n]\s*/g, ' ')
  if (said === '') return `(${writeDestination(url)})`
  return `(${url === '' ? '<>' : writeDestination(url)} "${escaped(said, '"')}")`
}

/** In angle brackets only if it must be: for a space, a control character or a parenthesis without partner. */
export function writeDestination(url: string): string {
  const bare = !/[\s\p{Cc}]|^</u.test(url) && parenthesesBalance(url)
  const written = escaped(url, bare ? '' : '<>').replace(/[\r\n]/g, (end) => (end === '\n' ? '&#10;' : '&#13;'))
  return bare ? written : `<${written}>`
}

function escaped(text: string, also: string): string {
  if (!/[\\&"<>]/.test(text)) return text
  let written = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    const special =
      (character === '\\' && (next === '' || isAsciiPunctuation(next))) ||
      (character === '&' && isReference(text, at)) ||
      also.includes(character)
    written += special ? `\\${character}` : character
  }
  return written
}

function parenthesesBalance(url: string): boolean {
  let depth = 0
  for (const [character] of url.matchAll(/[()]/g)) {
    depth += character === '(' ? 1 : -1
    if (depth < 0 || depth > MAX_PARENTHESES) return false
  }
  return depth === 0
}
