/** Infers the types of table columns from their values. A column only gets a type that fits all of its values. */
import type { PropertyType } from '../../../storage/schema.ts'
import { isUnsafeAddress } from '../../markdown/addresses.ts'
import { VALUE_PATTERNS } from '../../space/collections/schema/property-values.ts'
import { parseDate } from './parse-dates.ts'

export interface InferredColumn {
  type: Exclude<PropertyType, 'relation' | 'blockLink' | 'rating' | 'person'>
  /** Converts a text to a value that calls accept. Returns undefined for an empty text. */
  toValue(text: string): unknown
}

const URL = new RegExp(VALUE_PATTERNS.url, 'u')
const EMAIL = new RegExp(VALUE_PATTERNS.email, 'u')
const PHONE = /^\+?[\d()./ -]{6,20}$/
const YES: ReadonlySet<string> = new Set(['yes', 'true', 'checked'])
const NO: ReadonlySet<string> = new Set(['no', 'false', 'unchecked'])
/** A column becomes a select if it has at most this many distinct values, each at most this long. */
const MAX_OPTIONS = 50
const MAX_OPTION_LENGTH = 60

type Candidate = InferredColumn & { fits(text: string): boolean }

const NUMBER: Candidate = {
  type: 'number',
  fits: (text) => /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text),
  toValue: (text) => Number(text),
}
const CANDIDATES: readonly Candidate[] = [
  {
    type: 'boolean',
    fits: (text) => YES.has(text.toLowerCase()) || NO.has(text.toLowerCase()),
    toValue: (text) => YES.has(text.toLowerCase()),
  },
  NUMBER,
  { type: 'date', fits: (text) => parseDate(text) !== undefined, toValue: parseDate },
  { type: 'url', fits: (text) => URL.test(text) && /^https?:/i.test(text) && !isUnsafeAddress(text), toValue: same },
  { type: 'email', fits: (text) => EMAIL.test(text), toValue: same },
]
const PHONES: Candidate = {
  type: 'phone',
  fits: (text) => PHONE.test(text) && /\d{5}/.test(text.replace(/\D/g, '')),
  toValue: same,
}

function same(text: string): string {
  return text
}

/**
 * @param texts  the values of a column
 * @param declared  the type that the source declares; it is used if it fits every value
 */
export function inferColumn(texts: readonly string[], declared?: InferredColumn['type']): InferredColumn {
  const values = texts.map((text) => text.trim()).filter((text) => text !== '')
  const chosen = declared === undefined ? inferType(values) : fitting(declared, values)
  return {
    type: chosen.type,
    toValue: (text) => (text.trim() === '' ? undefined : chosen.toValue(text.trim())),
  }
}

const TEXT: InferredColumn = { type: 'text', toValue: same }
const SELECT: InferredColumn = { type: 'singleSelect', toValue: same }
const MULTI_SELECT: InferredColumn = { type: 'multiSelect', toValue: splitList }

function fitting(declared: InferredColumn['type'], values: readonly string[]): InferredColumn {
  if (declared === 'singleSelect') return fitsOptions(values) ? SELECT : TEXT
  if (declared === 'multiSelect') return fitsOptions(values.flatMap(splitList)) ? MULTI_SELECT : TEXT
  const candidate = [...CANDIDATES, PHONES].find(({ type }) => type === declared)
  return candidate !== undefined && values.every(candidate.fits) ? candidate : TEXT
}

const fitsOptions = (values: readonly string[]): boolean =>
  new Set(values).size <= 500 && values.every((value) => value.length <= 1_000 && !value.includes('\n'))

function inferType(values: readonly string[]): InferredColumn {
  if (values.length === 0) return TEXT
  const candidate = CANDIDATES.find(({ fits }) => values.every(fits))
  if (candidate !== undefined) return candidate
  if (isChoice(values)) return SELECT
  const parts = values.flatMap(splitList)
  return values.some((value) => value.includes(', ')) && isChoice(parts) ? MULTI_SELECT : TEXT
}

/** True for a few short values that repeat often. */
function isChoice(values: readonly string[]): boolean {
  const distinct = new Set(values)
  if (distinct.size > MAX_OPTIONS || distinct.size * 2 > values.length) return false
  return values.every((value) => value.length <= MAX_OPTION_LENGTH && !/[,\n]/.test(value))
}

function splitList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim())
  return [...new Set(parts.filter((part) => part !== ''))]
}
