/** Parses and writes `(destination "title")`, the part after the label of a link or image. */

import type { StateInline } from 'markdown-it'
import { isAsciiPunctuation, isReference } from './characters.ts'

/** Maximum nesting of parentheses that CommonMark parsers count. */
const MAX_PARENTHESES = 32

export interface Resource {
  url: string
  title: string
  /** The index after the closing parenthesis. */
  end: number
  /** The range of the destination in the text, including angle brackets. */
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

/** markdown-it's parser allows a line break after a backslash in a destination, so the text is cut before it. */
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

/** Writes destination and title in parentheses. The title, if any, is put on one line. */
export function writeResource(url: string, title: string): string {
  const oneLine = title.replace(/[\r\n]+/g, ' ')
  if (oneLine === '') return `(${url === '' ? '' : writeDestination(url)})`
  return `(${url === '' ? '<>' : writeDestination(url)} "${escaped(oneLine, '"')}")`
}

/** Uses angle brackets only if necessary: for spaces, control characters and unbalanced parentheses. */
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
