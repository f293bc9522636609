/**
 * Edits TOML. The entry is a separate section, `[key.name]` with its subtables, at the end of the file. smol-toml
 * parses and writes it. Libraries that change single values and keep comments were tried, but they wrote dotted keys at
 * the top of the file, and a trailing comma in inline tables, which TOML 1.0 does not allow.
 */
import { parse, stringify, TomlError } from 'smol-toml'
import { type ConfigFormat, ConfigLayoutError, ConfigSyntaxError, lineEndOf, withLineEnds } from './config-format.ts'

export const tomlFormat: ConfigFormat = {
  title: 'TOML',
  parse(text) {
    try {
      return text.trim() === '' ? undefined : parse(text, { integersAsBigInt: 'asNeeded' })
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      const reason = /document: (.*)/.exec(error.message)?.[1] ?? 'what is not allowed there'
      throw new ConfigSyntaxError(reason, error.line, error.column)
    }
  },
  set(text, key, name, entry) {
    const section = withLineEnds(stringify({ [key]: { [name]: entry } }).trimEnd(), lineEndOf(text))
    const found = findSection(text, key, name)
    if (found !== undefined) return text.slice(0, found.start) + section + text.slice(found.end)
    if (tableOf(text, key)?.[name] !== undefined) throw notASection(key, name)
    const lineEnd = lineEndOf(text)
    if (text.trim() === '') return `${text}${section}${lineEnd}`
    // Keep a missing line break at the end of the file.
    return text.endsWith('\n') ? `${text}${lineEnd}${section}${lineEnd}` : `${text}${lineEnd}${lineEnd}${section}`
  },
  remove(text, key, name) {
    const found = findSection(text, key, name)
    if (found === undefined) throw notASection(key, name)
    const before = text.slice(0, found.start)
    const after = text.slice(found.end)
    // Also removes the empty line before the section, or else the one after it.
    if (after.trim() !== '') return before + after.replace(/^(?:\r?\n){1,2}/, '')
    return after === ''
      ? before.replace(/(?:\r?\n){1,2}$/, '')
      : before.replace(/(\n)\r?\n$/, '$1') + after.replace(/^\r?\n/, '')
  },
}

const notASection = (key: string, name: string) =>
  new ConfigLayoutError(`${name} is not written as a section [${key}.${name}]`)

const tableOf = (text: string, key: string): Record<string, unknown> | undefined =>
  parse(text, { integersAsBigInt: 'asNeeded' })[key] as Record<string, unknown> | undefined

/**
 * The section from its header to its last line with content; comments after that belong to the next section. Undefined
 * if there is none.
 */
function findSection(text: string, key: string, name: string): { start: number; end: number } | undefined {
  const headers = [...text.matchAll(/^[ \t]*\[.*$/gm)].filter(({ index }) => isBetweenStatements(text, index))
  const isOwn = headers.map(([line]) => headerNames(line, key, name))
  const first = isOwn.indexOf(true)
  if (first === -1) return undefined
  const next = isOwn.indexOf(false, first)
  // Other parts of the section elsewhere in the file would be left behind.
  if (next !== -1 && isOwn.includes(true, next)) throw notASection(key, name)
  const start = headers[first]?.index ?? 0
  const whole = text.slice(start, next === -1 ? text.length : headers[next]?.index)
  return { start, end: start + whole.replace(/(?:\s*\n[ \t]*(?:#.*)?)*\s*$/, '').length }
}

/**
 * True if a line begins a statement and is not inside an array or a multi-line string: the text before it must parse.
 */
function isBetweenStatements(text: string, offset: number): boolean {
  try {
    parse(text.slice(0, offset), { integersAsBigInt: 'asNeeded' })
    return true
  } catch {
    return false
  }
}

/** True if a header belongs to the section or one of its subtables. */
function headerNames(line: string, key: string, name: string): boolean {
  try {
    const table = parse(line)[key] as Record<string, unknown> | undefined
    return table?.[name] !== undefined
  } catch {
    return false
  }
}
