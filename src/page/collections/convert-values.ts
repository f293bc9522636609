/** Converts values when a column gets another type, and finds those that would be lost. */

/** A day, as stored in values. */
const DAY = /^\d{4}-\d{2}-\d{2}$/
const LONGEST_OPTION = 200

/** @returns the value in the other type; undefined if it cannot be converted */
export function convertValue(value: unknown, to: string): unknown {
  const text = textOf(value)
  if (text === undefined || text === '') return undefined
  switch (to) {
    case 'text':
      return text
    case 'number':
      return numberOf(text)
    case 'boolean':
      return booleanOf(text)
    case 'date':
      if (typeof value === 'object' && !Array.isArray(value)) return value
      return isDay(text) ? text : undefined
    case 'singleSelect':
      return Array.isArray(value) && value.length > 1 ? undefined : optionOf(text)
    case 'multiSelect': {
      const names = Array.isArray(value) ? value.map(String) : text.split(/\s*[,;\n]\s*/).filter((name) => name !== '')
      return names.every((name) => optionOf(name) !== undefined) ? [...new Set(names)] : undefined
    }
    case 'url':
      return /^https?:\/\/\S+$/i.test(text) ? text : undefined
    case 'email':
      return /^[^\s@<>]+@[^\s@<>]+$/.test(text) ? text : undefined
    case 'phone':
      return /^[+\d][\d\s()/.-]*$/.test(text) ? text : undefined
    default:
      return undefined
  }
}

/** The text of a value; undefined for a value that refers to other blocks. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  const { start, end } = (value ?? {}) as { start?: string; end?: string }
  if (start === undefined) return undefined
  return end === undefined ? start : `${start} – ${end}`
}

/** Parses numbers such as `1,234.5` and `1 234.5`. Ambiguous numbers are not converted. */
function numberOf(text: string): number | undefined {
  const bare = /^[+-]?\d{1,3}(?:[,\s\u00a0\u202f]\d{3})+(?:\.\d+)?$/.test(text)
    ? text.replace(/[,\s\u00a0\u202f]/g, '')
    : text
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(bare) ? Number(bare) : undefined
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

const optionOf = (text: string): string | undefined =>
  text.length <= LONGEST_OPTION && !text.includes('\n') ? text : undefined
