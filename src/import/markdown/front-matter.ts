/** The YAML between `---` at the beginning of a note. */
import { parseDocument } from 'yaml'

export interface FrontMatter {
  /** As it stands between the lines, without what an export of ours added; absent where there is none. */
  text?: string
  values: Record<string, unknown>
  /** What an export of ours added. */
  own?: Record<string, unknown>
  /** The text after it. */
  body: string
  /** Lines before the body. */
  lines: number
  /** Why it could not be read. */
  error?: string
}

const FENCED = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/
/** Our own key, which is the last. */
const OWN = /(?:^|\n)scriptorium:[ \t]*(?:\n[ \t]+[^\n]*)*\n?$/
/** Aliases of YAML that one text may use: a few make a text of any size. */
const MAX_ALIASES = 100
/** Characters of front matter that are read as values. */
const MAX_LENGTH = 256 * 1024

/** @param text  with line feeds alone */
export function readFrontMatter(text: string): FrontMatter {
  const match = FENCED.exec(text)
  if (match === null) return { values: {}, body: text, lines: 0 }
  const [whole, inner = ''] = match
  const body = text.slice(whole.length)
  const lines = whole.split('\n').length - (whole.endsWith('\n') ? 1 : 0)
  const parsed = parseYaml(inner)
  if (parsed.error !== undefined) return { text: inner, values: {}, body, lines, error: parsed.error }
  const { scriptorium: own, ...values } = parsed.values
  const verbatim = isObject(own) ? inner.replace(OWN, '') : inner
  return {
    ...(verbatim.trim() !== '' && { text: verbatim }),
    values: isObject(own) ? values : parsed.values,
    ...(isObject(own) && { own }),
    body,
    lines,
  }
}

/** The fields of a text of YAML. */
export function parseYaml(text: string): { values: Record<string, unknown>; error?: string } {
  if (text.length > MAX_LENGTH) return { values: {}, error: `it is longer than ${MAX_LENGTH} characters` }
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) return { values: {}, error: error.message.split('\n')[0]?.replace(/:$/, '') ?? '' }
    const values: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    return { values: isObject(values) ? values : {} }
  } catch (error) {
    return { values: {}, error: error instanceof Error ? error.message : String(error) }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The texts under a key, however they are written: one, a list, or several with commas between them. */
export function textsOf(values: Record<string, unknown>, ...keys: string[]): string[] {
  const found = keys.map((key) => values[key]).find((value) => value !== undefined && value !== null)
  const list = Array.isArray(found) ? found : typeof found === 'string' ? found.split(',') : [found]
  return list.filter((one) => typeof one === 'string' || typeof one === 'number').map((one) => String(one).trim())
}

/** The first of these keys that has a time. Milliseconds since 1970; a date without a time is its start in UTC. */
export function timeOf(values: Record<string, unknown>, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const value = values[key]
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:$|[T ])/.test(value)) continue
    const time = Date.parse(value.replace(' ', 'T'))
    if (!Number.isNaN(time)) return time
  }
  return undefined
}
