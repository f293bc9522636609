/**
 * Edits JSON with comments, using offsets from jsonc-parser. Its own `modify` is not used, since it reformats adjacent
 * lines and moves comments at the ends of lines.
 */
import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import {
  type ConfigFormat,
  ConfigLayoutError,
  ConfigSyntaxError,
  indentAt,
  lineEndOf,
  lineStart,
  positionAt,
  withLineEnds,
} from './config-format.ts'

const DEFAULT_INDENT = '  '

/** @param isStrict  true if comments and trailing commas are errors */
export const jsonFormat = (isStrict: boolean): ConfigFormat => ({
  title: isStrict ? 'JSON' : 'JSON with comments',
  parse(text) {
    const root = rootOf(text, isStrict)
    return root && getNodeValue(root)
  },
  set(text, key, name, entry) {
    const root = rootOf(text, isStrict)
    if (root === undefined) return `${text}${JSON.stringify({ [key]: { [name]: entry } }, null, DEFAULT_INDENT)}\n`
    const servers = propertyOf(root, key)?.children?.[1]
    if (servers === undefined) return insert(text, root, key, { [name]: entry })
    const value = propertyOf(servers, name)?.children?.[1]
    return value === undefined ? insert(text, servers, name, entry) : replace(text, value, entry)
  },
  remove(text, key, name) {
    const root = rootOf(text, isStrict)
    const servers = root && propertyOf(root, key)?.children?.[1]
    const property = servers && propertyOf(servers, name)
    return property === undefined ? text : remove(text, servers as Node, property)
  },
})

/** Returns undefined for a text of only whitespace and comments. */
function rootOf(text: string, isStrict: boolean): Node | undefined {
  if (text.trim() === '') return undefined
  // jsonc-parser continues after an error, and reports errors in no particular order.
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: !isStrict, disallowComments: isStrict })
  const [first] = errors.sort((a, b) => a.offset - b.offset)
  if (first !== undefined) {
    const { line, column } = positionAt(text, first.offset)
    throw new ConfigSyntaxError(
      ERRORS.get(printParseErrorCode(first.error)) ?? 'what is not allowed there',
      line,
      column,
    )
  }
  return root
}

/** Messages for the error codes of jsonc-parser. */
const ERRORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    InvalidSymbol: 'a word that is no value',
    InvalidNumberFormat: 'a number of another format',
    PropertyNameExpected: 'no property name',
    ValueExpected: 'no value',
    ColonExpected: 'no colon',
    CommaExpected: 'no comma',
    CloseBraceExpected: 'no closing brace',
    CloseBracketExpected: 'no closing bracket',
    EndOfFileExpected: 'more after the end',
    InvalidCommentToken: 'a comment, which this host does not read',
    UnexpectedEndOfComment: 'a comment without end',
    UnexpectedEndOfString: 'a string without end',
    UnexpectedEndOfNumber: 'a number without end',
    InvalidUnicode: 'an invalid Unicode escape',
    InvalidEscapeCharacter: 'an invalid escape',
    InvalidCharacter: 'an invalid character',
  }),
)

/** The last property with this name, as parsers resolve duplicates. */
const propertyOf = (object: Node, name: string): Node | undefined =>
  object.children?.findLast(({ children }) => children?.[0]?.value === name)

const endOf = ({ offset, length }: Node): number => offset + length

function replace(text: string, value: Node, entry: unknown): string {
  const isOneLine = !text.slice(value.offset, endOf(value)).includes('\n')
  const shown = isOneLine ? JSON.stringify(entry) : layOut(text, entry, indentAt(text, value.offset))
  return splice(text, value.offset, endOf(value), shown)
}

/** Adds a property at the end of an object, in the object's layout. */
function insert(text: string, object: Node, name: string, value: unknown): string {
  const { offset, children: properties = [] } = object
  const lineEnd = lineEndOf(text)
  const close = endOf(object) - 1
  const outer = indentAt(text, offset)
  const last = properties.at(-1)
  const written = (indent: string) => `${JSON.stringify(name)}: ${layOut(text, value, indent)}`
  if (last === undefined) {
    const indent = outer + indentUnit(text)
    const inner = text.slice(offset + 1, close)
    const line = `${lineEnd}${indent}${written(indent)}`
    // Comments inside are kept, see below.
    return inner.trim() === ''
      ? splice(text, offset + 1, close, `${line}${lineEnd}${outer}`)
      : splice(text, offset + 1, offset + 1, line)
  }
  const end = endOf(last)
  if (!text.slice(offset, close).includes('\n')) {
    return splice(text, end, end, `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  }
  const { comma, rest } = tokensAfter(text, end)
  const indent = startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + indentUnit(text)
  const line = `${lineEnd}${indent}${written(indent)}${comma === undefined ? '' : ','}`
  const added = splice(text, rest, rest, line)
  return comma === undefined ? splice(added, end, end, ',') : added
}

function remove(text: string, object: Node, property: Node): string {
  const { children: properties = [] } = object
  const { offset } = property
  const end = endOf(property)
  const previous = properties[properties.indexOf(property) - 1]
  const { comma } = tokensAfter(text, end)
  const stop = comma === undefined ? end : comma + 1
  const ownsLine = startsLine(text, offset)
  if (properties.length === 1) {
    const open = object.offset + 1
    const close = endOf(object) - 1
    const inner = text.slice(open, offset) + text.slice(stop, close)
    if (inner.trim() === '') return splice(text, open, close, '')
  }
  // Includes the preceding line break, so that no empty line remains.
  const start = ownsLine ? lineEndBefore(text, lineStart(text, offset)) : offset
  if (comma !== undefined || previous === undefined) {
    const blanks = ownsLine ? 0 : (/^[ \t]*/.exec(text.slice(stop))?.[0].length ?? 0)
    return splice(text, start, stop + blanks, '')
  }
  const separator = tokensAfter(text, endOf(previous)).comma
  if (separator === undefined) throw new ConfigLayoutError('no comma before the entry')
  return splice(splice(text, ownsLine ? start : separator + 1, end, ''), separator, separator + 1, '')
}

/** True if only whitespace precedes the offset on its line. */
const startsLine = (text: string, offset: number): boolean => text.slice(lineStart(text, offset), offset).trim() === ''

function lineEndBefore(text: string, start: number): number {
  if (text.slice(start - 2, start) === '\r\n') return start - 2
  return Math.max(0, start - 1)
}

/** The comma after a value, and the end of the line, including comments that begin there. */
function tokensAfter(text: string, end: number): { comma: number | undefined; rest: number } {
  const scanner = createScanner(text)
  scanner.setPosition(end)
  let comma: number | undefined
  let rest = end
  let isSameLine = true
  for (;;) {
    scanner.scan()
    const start = scanner.getTokenOffset()
    const token = text.slice(start, start + scanner.getTokenLength())
    const isBlank = token !== '' && token.trim() === ''
    if (token === ',' && comma === undefined) comma = start
    else if (!isBlank && !token.startsWith('/')) return { comma, rest }
    if (isBlank && token.includes('\n')) isSameLine = false
    else if (isSameLine && !isBlank) rest = start + token.length
  }
}

/** Formats a value over several lines. The first line continues one that is indented by `indent`. */
function layOut(text: string, value: unknown, indent: string): string {
  const lines = JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', `\n${indent}`)
  return withLineEnds(lines, lineEndOf(text))
}

/** One level of indentation, from the first indented line. */
const indentUnit = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? DEFAULT_INDENT

const splice = (text: string, start: number, end: number, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(end)
