/** Converts values when a column gets another type, and finds those that would be lost. */
import { TITLE_LENGTH } from '../../base/limits.ts'
import { isRating } from '../../base/ratings.ts'
import type { PropertyType } from '../page-tools.ts'
import { maxStars, membersIn, type RatedProperty } from './collection-values.ts'

/** A day, as stored in values. */
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** @param text  the value as text, not empty @param max  of a rating */
type ValueConversion = (text: string, value: unknown, max: number) => unknown

const CONVERSIONS: Readonly<Record<PropertyType, ValueConversion>> = {
  text: (text) => text,
  number: numberOf,
  boolean: booleanOf,
  date: (text, value) => (typeof value === 'object' && !Array.isArray(value) ? value : isDay(text) ? text : undefined),
  singleSelect: (text, value) => (Array.isArray(value) && value.length > 1 ? undefined : optionOf(text)),
  multiSelect(text, value) {
    const names =
      Array.isArray(value) && membersIn(value).length === 0
        ? value.map(String)
        : text.split(/\s*[,;\n]\s*/).filter((name) => name !== '')
    return names.every((name) => optionOf(name) !== undefined) ? [...new Set(names)] : undefined
  },
  url: (text) => (/^https?:\/\/\S+$/i.test(text) ? text : undefined),
  email: (text) => (/^[^\s@<>]+@[^\s@<>]+$/.test(text) ? text : undefined),
  phone: (text) => (/^[+\d][\d\s()/.-]*$/.test(text) ? text : undefined),
  rating(text, _value, max) {
    const stars = numberOf(text)
    return isRating(stars, max) ? stars : undefined
  },
  // Names that are no members would be refused.
  person: (_, value) => (membersIn(value).length > 0 ? value : undefined),
  relation: () => undefined,
  blockLink: () => undefined,
}

/** @returns the value in the type of another property; undefined if it cannot be converted */
export function convertValue(value: unknown, to: RatedProperty & { type: PropertyType }): unknown {
  const text = textOf(value)
  return text === undefined || text === '' ? undefined : CONVERSIONS[to.type](text, value, maxStars(to))
}

/** The text of a value; undefined for a value that refers to other blocks. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const members = membersIn(value)
  if (members.length > 0) return members.map(({ name = '' }) => name).join(', ')
  if (Array.isArray(value)) return value.join(', ')
  const { start, end } = (value ?? {}) as { start?: string; end?: string }
  if (start === undefined) return undefined
  return end === undefined ? start : `${start} – ${end}`
}

/** Parses numbers such as `1,234.5` and `1 234.5`, but none that are ambiguous or too large to be stored. */
function numberOf(text: string): number | undefined {
  const bare = /^[+-]?\d{1,3}(?:[,\s\u00a0\u202f]\d{3})+(?:\.\d+)?$/.test(text)
    ? text.replace(/[,\s\u00a0\u202f]/g, '')
    : text
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(bare) ? Number(bare) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

const YES = new Set(['yes', 'true', '1', 'x', 'done'])
const NO = new Set(['no', 'false', '0'])

function booleanOf(text: string): boolean | undefined {
  const word = text.toLowerCase()
  return YES.has(word) ? true : NO.has(word) ? false : undefined
}

/** False for dates that do not exist, such as February 30. */
function isDay(text: string): boolean {
  const at = DAY.test(text) ? Date.parse(`${text}T12:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

function optionOf(text: string): string | undefined {
  return text.length <= TITLE_LENGTH && !text.includes('\n') ? text : undefined
}
