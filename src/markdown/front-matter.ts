/** Reads front matter: the YAML between `---` lines, or the TOML between `+++` lines, at the beginning of a note. */

import { parse, TomlDate, type TomlTable } from 'smol-toml'
import { parseDocument } from 'yaml'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/is-object.ts'
import { FRONT_MATTER_ALIASES, FRONT_MATTER_LENGTH, FRONT_MATTER_SIGNS } from '../base/limits.ts'

export interface FrontMatter {
  /** The original YAML or TOML, without fields that our exports add. Undefined if there is none. */
  text?: string
  language: 'yaml' | 'toml'
  /** By the keys that the author chose, so without a prototype. */
  values: Record<string, unknown>
  /** Fields that our exports add. */
  own?: Record<string, unknown>
  /** The text after the front matter. */
  body: string
  /** How many lines there are before the body. */
  lines: number
  /** The reason if it could not be parsed. */
  error?: string
}

const FENCED = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/
const FENCED_TOML = /^\+\+\+[ \t]*\n(?:([\s\S]*?)\n)?\+\+\+[ \t]*(?:\n|$)/
/** Our own key, which always comes last. */
const OWN = /(?:^|\n)scriptorium:[ \t]*(?:\n[ \t]+[^\n]*)*\n?$/
/** Characters that start something in YAML. The parser takes quadratic time for many of them. */
const SIGNS = /[[\]{},&*!?|>"'%@`]/g

/** @param text  must use line feeds as line endings */
export function readFrontMatter(text: string): FrontMatter {
  const yaml = FENCED.exec(text)
  const match = yaml ?? FENCED_TOML.exec(text)
  const language = yaml === null ? 'toml' : 'yaml'
  if (match === null) return { language: 'yaml', values: {}, body: text, lines: 0 }
  const [whole, inner = ''] = match
  const body = text.slice(whole.length)
  const lines = whole.split('\n').length - (whole.endsWith('\n') ? 1 : 0)
  const parsed = language === 'yaml' ? parseYaml(inner) : parseToml(inner)
  if (parsed.error !== undefined) return { text: inner, language, values: {}, body, lines, error: parsed.error }
  const { values } = parsed
  const own = values.scriptorium
  if (isObject(own)) delete values.scriptorium
  const verbatim = isObject(own) ? inner.replace(OWN, '') : inner
  return {
    ...(verbatim.trim() !== '' && { text: verbatim }),
    language,
    values,
    ...(isObject(own) && { own }),
    body,
    lines,
  }
}

/** Parses the fields of a YAML text. */
export function parseYaml(text: string): { values: Record<string, unknown>; error?: string } {
  const reason = tooMuch(text)
  if (reason !== undefined) return { values: {}, error: reason }
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) return { values: {}, error: error.message.split('\n')[0]?.replace(/:$/, '') ?? '' }
    const values: unknown = document.toJS({ maxAliasCount: FRONT_MATTER_ALIASES })
    return { values: Object.assign(Object.create(null), isObject(values) ? values : {}) }
  } catch (error) {
    return { values: {}, error: messageOf(error) }
  }
}

/** Parses the fields of a TOML text. Dates become texts, as in YAML. */
export function parseToml(text: string): { values: Record<string, unknown>; error?: string } {
  const reason = tooMuch(text)
  if (reason !== undefined) return { values: {}, error: reason }
  try {
    return { values: Object.assign(Object.create(null), withoutDates(parse(text))) }
  } catch (error) {
    return { values: {}, error: messageOf(error).split('\n')[0] ?? '' }
  }
}

const withoutDates = (table: TomlTable): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table).map(([key, value]) => [key, value instanceof TomlDate ? value.toISOString() : value]),
  )

function tooMuch(text: string): string | undefined {
  if (text.length > FRONT_MATTER_LENGTH) return `it is longer than ${FRONT_MATTER_LENGTH} characters`
  const signs = text.match(SIGNS)?.length ?? 0
  return signs > FRONT_MATTER_SIGNS ? `it has more than ${FRONT_MATTER_SIGNS} signs such as [ and "` : undefined
}

/** Returns the texts under the first key that has a value: one text, a list, or several texts separated by commas. */
export function textsOf(values: Record<string, unknown>, ...keys: string[]): string[] {
  const found = keys.map((key) => values[key]).find((value) => value !== undefined && value !== null)
  const list = Array.isArray(found) ? found : typeof found === 'string' ? found.split(',') : [found]
  return list.filter((one) => typeof one === 'string' || typeof one === 'number').map((one) => String(one).trim())
}

/**
 * Returns the time under the first key that has one, in milliseconds since 1970. A date without a time means its start
 * in UTC.
 */
export function timeOf(values: Record<string, unknown>, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const value = values[key]
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:$|[T ])/.test(value)) continue
    const time = Date.parse(value.replace(' ', 'T'))
    if (!Number.isNaN(time)) return time
  }
  return undefined
}
