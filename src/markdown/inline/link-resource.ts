/** Parses and writes `(destination "title")`, the part after the label of a link or image. */

import { decode, isReference } from './character-reference.ts'
import { isAsciiPunctuation } from './characters.ts'
import type { Place } from './inline-token.ts'

/** Maximum nesting of parentheses that CommonMark parsers count. */
const MAX_PARENTHESES = 32

export interface Resource {
  url: string
  title: string
  /** The index after the closing parenthesis. */
  end: number
  /** The range of the destination in the text, including angle brackets. */
  place: Place
}

/**
 * The resource at `at`, or undefined.
 *
 *     [label](destination "title")
 *            ^
 */
export function readResource(src: string, at: number): Resource | undefined {
  if (src[at] !== '(') return undefined
  const start = skipSpace(src, at + 1)
  const destination = readDestination(src, start)
  const place: Place = [start, destination?.end ?? start]
  let end = skipSpace(src, place[1])
  let title = ''
  if (end > place[1] && destination) {
    const written = titleAt(src, end)
    if (written !== undefined) {
      title = decode(written.slice(1, -1))
      end = skipSpace(src, end + written.length)
    }
  }
  return src[end] === ')' ? { url: destination?.url ?? '', title, end: end + 1, place } : undefined
}

function skipSpace(text: string, at: number): number {
  let end = at
  while (' \t\n'.includes(text[end] ?? '.')) end++
  return end
}

const ANGLED = /<((?:[^<>\n\\]|\\[^\n])*)>/y

/** The destination at `start`, in angle brackets or bare, and the index behind it. */
export function readDestination(text: string, start: number): { url: string; end: number } | undefined {
  if (text[start] !== '<') return readBare(text, start)
  ANGLED.lastIndex = start
  const found = ANGLED.exec(text)
  return found ? { url: decode(found[1] ?? ''), end: ANGLED.lastIndex } : undefined
}

/** Up to a space, a control character, or a parenthesis that closes what did not open in it. */
function readBare(text: string, start: number): { url: string; end: number } | undefined {
  let depth = 0
  let end = start
  while (end < text.length && !endsBare(text, end)) {
    const character = text[end]
    if (character === '(') depth++
    if (depth > MAX_PARENTHESES || (character === ')' && depth === 0)) break
    if (character === ')') depth--
    end += character === '\\' && end + 1 < text.length && !endsBare(text, end + 1) ? 2 : 1
  }
  return end === start || depth > 0 ? undefined : { url: decode(text.slice(start, end)), end }
}

const endsBare = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code <= 0x20 || code === 0x7f
}

const TITLES = [/"(?:[^"\\]|\\[\s\S])*"/y, /'(?:[^'\\]|\\[\s\S])*'/y, /\((?:[^()\\]|\\[\s\S])*\)/y] as const

function titleAt(text: string, at: number): string | undefined {
  for (const pattern of TITLES) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) return found[0]
  }
  return undefined
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
