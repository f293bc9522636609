/**
 * Edits YAML, using offsets from `yaml`. Its own writer keeps comments but reformats the whole file, so it is only used
 * if the file does not have the usual layout: one indented key per line.
 */
import {
  type Document,
  isMap,
  isScalar,
  type Pair,
  parseAllDocuments,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml'
import {
  type ConfigFormat,
  ConfigLayoutError,
  ConfigSyntaxError,
  indentAt,
  lineEndOf,
  lineStart,
  withLineEnds,
} from './config-format.ts'

export const yamlFormat: ConfigFormat = {
  title: 'YAML',
  parse: (text) => documentOf(text).toJS() ?? undefined,
  set(text, key, name, entry) {
    const document = documentOf(text)
    const root = document.contents
    if (root === null) return `${withLineEnd(text)}${write({ [key]: { [name]: entry } }, '', lineEndOf(text))}`
    if (!isBlock(root)) return setInDocument(document, key, name, entry)
    const servers = pairOf(root, key)
    if (servers === undefined) return append(text, root, { [key]: { [name]: entry } })
    if (!isBlock(servers.value)) return setInDocument(document, key, name, entry)
    const pair = pairOf(servers.value, name)
    if (pair === undefined) return append(text, servers.value, { [name]: entry })
    const { start, end } = linesOf(text, pair)
    return text.slice(0, start) + write({ [name]: entry }, indentAt(text, start), lineEndOf(text)) + text.slice(end)
  },
  remove(text, key, name) {
    const document = documentOf(text)
    const servers = isMap(document.contents) ? pairOf(document.contents, key) : undefined
    const pair = isBlock(servers?.value) ? pairOf(servers.value, name) : undefined
    if (pair === undefined || !isBlock(servers?.value)) {
      document.deleteIn([key, name])
      return document.toString({ lineWidth: 0 })
    }
    const { start, end } = linesOf(text, pair)
    const before = text.slice(0, start)
    const rest = text.endsWith('\n') ? before + text.slice(end) : before.replace(/\r?\n$/, '') + text.slice(end)
    if (servers.value.items.length > 1) return rest
    // A key without a value would be null instead of a map.
    const colon = text.indexOf(':', rangeOf(servers.key)[1]) + 1
    return `${rest.slice(0, colon)} {}${rest.slice(colon)}`
  },
}

/** @throws ConfigSyntaxError, also for a file with several documents, which no host supports */
function documentOf(text: string): Document {
  const [, second] = parseAllDocuments(text)
  if (second !== undefined) throw new ConfigLayoutError('it holds several documents')
  const document = parseDocument(text)
  const [error] = document.errors
  if (error === undefined) return document
  const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? []
  throw new ConfigSyntaxError(error.message.split(/ at line |:\n/)[0] ?? error.code, line, col)
}

/** A non-empty map in block style. */
const isBlock = (node: unknown): node is YAMLMap => isMap(node) && node.flow !== true && node.items.length > 0

const pairOf = (map: YAMLMap, name: string): Pair | undefined =>
  map.items.find(({ key }) => isScalar(key) && key.value === name)

function setInDocument(document: Document, key: string, name: string, entry: unknown): string {
  if (!isMap(document.getIn([key]))) document.set(key, document.createNode({}))
  document.setIn([key, name], document.createNode(entry))
  return document.toString({ lineWidth: 0 })
}

/** Adds a key after the last one of a map. */
function append(text: string, map: YAMLMap, added: Record<string, unknown>): string {
  const last = map.items.at(-1) as Pair
  const { start, end } = linesOf(text, last)
  const before = text.slice(0, end)
  const written = write(added, indentAt(text, start), lineEndOf(text))
  // Keep a missing line break at the end of the file.
  return before.endsWith('\n')
    ? before + written + text.slice(end)
    : before + lineEndOf(text) + written.trimEnd() + text.slice(end)
}

/** The lines of a key with its value, including the last line break and preceding comments. */
function linesOf(text: string, { key, value }: Pair): { start: number; end: number } {
  const first = rangeOf(key)[0]
  const valueEnd = rangeOf(value ?? key)[1]
  // A multi-line text includes its line break.
  if (text[valueEnd - 1] === '\n') return { start: lineStart(text, first), end: valueEnd }
  const end = text.indexOf('\n', valueEnd)
  return { start: lineStart(text, first), end: end === -1 ? text.length : end + 1 }
}

function rangeOf(node: unknown): readonly [start: number, valueEnd: number, nodeEnd: number] {
  const { range } = (node ?? {}) as { range?: readonly [number, number, number] | null }
  if (range) return range
  throw new ConfigLayoutError('a name in it has no value')
}

function write(value: unknown, indent: string, lineEnd: string): string {
  const lines = stringify(value, { lineWidth: 0 }).replace(/^(?=.)/gm, indent)
  return withLineEnds(lines, lineEnd)
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}${lineEndOf(text)}`)
