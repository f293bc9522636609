/** `(destination "title")`: what follows the label of a link or an image, in both directions. */

import type { StateInline } from 'markdown-it'
import { isAsciiPunctuation, isReference } from './characters.ts'

/** Parentheses deeper than this are not counted by CommonMark readers. */
const MAX_PARENTHESES = 32

export interface Resource {
  url: string
  title: string
  /** Just after the closing parenthesis. */
  end: number
  /** From where to where the destination stands in the text, its angle brackets included. */
  place: [number, number]
}

/**
 * The resource at `at`, or undefined.
 *
 *     [label](destination "title")
 *            ^
 */
export function readResource({ src, md }: StateInline, at: number): Resource | undefined {
  if (src[at] !== '(') return undefined
  const start = skipSpace(src, at + 1)
  const destination = readDestination(src, start, md.helpers.parseLinkDestination)
  const place: [number, number] = [start, destination?.pos ?? start]
  let end = skipSpace(src, place[1])
  let title = ''
  if (end > place[1] && destination) {
    const found = md.helpers.parseLinkTitle(src, end, src.length)
    if (found.ok) {
      title = found.str
      end = skipSpace(src, found.pos)
    }
  }
  return src[end] === ')' ? { url: destination?.str ?? '', title, end: end + 1, place } : undefined
}

type Parse = StateInline['md']['helpers']['parseLinkDestination']

/** The parser of markdown-it lets a backslash carry a line break into a destination: it is cut off before. */
function readDestination(text: string, start: number, parse: Parse) {
  let found = parse(text, start, text.length)
  const control = text.slice(start, found.pos).search(text[start] === '<' ? /\n/ : /[^\P{Cc}\u0080-\u009f]/u)
  if (found.ok && control >= 0) found = parse(text, start, start + control)
  return found.ok ? found : undefined
}

function skipSpace(text: string, at: number): number {
  let end = at
  while (' \t\n'.includes(text[end] ?? '.')) end++
  return end
}

/** Destination and title with their parentheses; the title on one line, and only if there is one. */
export function writeResource(url: string, title: string): string {
  const oneLine = title.replace(/[\r\n]+/g, ' ')
  if (oneLine === '') return `(${url === '' ? '' : writeDestination(url)})`
  return `(${url === '' ? '<>' : writeDestination(url)} "${escaped(oneLine, '"')}")`
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
      (character === '\\' && (next === '' || /[\r\n]/.test(next) || isAsciiPunctuation(next))) ||
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
