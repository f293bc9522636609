/**
 * Fields that answers show but no call can set. A caller that writes back what it has read may send them. They are
 * ignored if they match the current value, and refused if not, because the change would be lost silently.
 */
import { invalid } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { isObject } from '../../base/is-object.ts'
import { formatValue } from './format-value.ts'
import { shortIds } from './ids.ts'
import type { InputErrors } from './input-errors.ts'

export interface ReadOnlyField {
  key: string
  /** What to do instead of sending another value. */
  advice: string
}

/** @throws VALIDATION_ERROR for a value that differs from the current one */
export function assertUnchanged(sent: unknown, actual: unknown, { key, advice }: ReadOnlyField): void {
  const message = changeMessage(sent, actual, key, advice)
  if (message !== undefined) throw invalid(message)
}

/** The same check, but adds to a list of errors. @param path  of the object with the field, within the call */
export function checkUnchanged(
  sent: unknown,
  actual: unknown,
  { key, advice, path, errors }: ReadOnlyField & { path: string; errors: InputErrors },
): void {
  const message = changeMessage(sent, actual, key, advice)
  if (message !== undefined) errors.add(`${path}.${key}`, message)
}

function changeMessage(sent: unknown, actual: unknown, key: string, advice: string): string | undefined {
  const difference = findDifference(sent, actual, key)
  return (
    difference && `Expected ${difference.path} as it is (${difference.actual}), found ${difference.sent}; ${advice}.`
  )
}

/** Where a sent value differs from the current one. */
interface Difference {
  path: string
  /** Both values are shortened. */
  sent: string
  actual: string
}

/** Fields that may change while a block is written, so that they only describe the time when it was read. */
const VOLATILE: ReadonlySet<string> = new Set(['lastModifiedAt', 'lastModifiedBy', 'linkedFrom', 'hasMoreLinks'])

/**
 * Finds the first difference. Values that were not sent are equal to anything, an empty list equals none, and spellings
 * of IDs do not matter.
 */
function findDifference(sent: unknown, actual: unknown, path: string): Difference | undefined {
  if (sent === undefined || sent === null || sent === actual) return undefined
  if (actual === undefined && Array.isArray(sent) && sent.length === 0) return undefined
  if (Array.isArray(sent) && Array.isArray(actual)) {
    if (sent.length !== actual.length) return { path, sent: countEntries(sent), actual: countEntries(actual) }
    return firstDifference(sent.map((inner, index) => [inner, actual[index], `${path}[${index}]`]))
  }
  if (isObject(sent) && isObject(actual)) {
    const lasting = Object.entries(sent).filter(([key]) => !VOLATILE.has(key))
    return firstDifference(lasting.map(([key, inner]) => [inner, actual[key], `${path}.${key}`]))
  }
  if (typeof sent === 'string' && typeof actual === 'string') {
    const [one, other] = shortIds([sent, actual])
    if (one === other) return undefined
  }
  return { path, sent: formatValue(sent), actual: actual === undefined ? 'none' : formatValue(actual) }
}

function firstDifference(pairs: readonly Parameters<typeof findDifference>[]): Difference | undefined {
  for (const pair of pairs) {
    const difference = findDifference(...pair)
    if (difference !== undefined) return difference
  }
  return undefined
}

const countEntries = ({ length }: readonly unknown[]): string => formatCount(length, 'entry')
