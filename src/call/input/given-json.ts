/**
 * Reads JSON in a text as models write it: in a fence, encoded twice, with raw line breaks in strings, or with a comma
 * after the last entry. Nothing else is guessed, so no value is read that the text does not spell.
 */
import { isObject } from '../../base/is-object.ts'
import { isJsonLike, repairJson, withoutFence } from '../../base/repair-json.ts'
import { runToCompletion, type Steps } from '../../base/work-steps.ts'
import { findJsonFault, lineAndColumn } from './json-error.ts'
import { parseBoundedJson } from './read-json.ts'

/** How often a text may be encoded again. */
const MAX_ENCODINGS = 3
/** Characters that are searched for a fault, which is named only if it is among them. */
const SEARCHED = 100_000

/**
 * The list or object that a text spells, or else the text itself.
 *
 * @throws PAYLOAD_TOO_LARGE and VALIDATION_ERROR for values that exceed the bounds of a call
 */
export function* parseGivenJson(text: string): Steps<unknown> {
  let current = text
  for (let encodings = 0; encodings < MAX_ENCODINGS && isJsonLike(current); encodings++) {
    const value = yield* parseRepaired(withoutFence(current))
    if (Array.isArray(value) || isObject(value)) return value
    if (typeof value !== 'string') break
    current = value
  }
  return text
}

/** Where a text that was to be JSON is none. Undefined if it does not begin like JSON, or if the fault is far inside. */
export function describeJsonFault(text: string): string | undefined {
  const inner = withoutFence(text)
  if (!/^\s*[[{]/.test(inner)) return undefined
  const fault = runToCompletion(findJsonFault(inner.slice(0, SEARCHED), true))
  if (fault === undefined || (fault.at >= SEARCHED && inner.length > SEARCHED)) return undefined
  const { line, column } = lineAndColumn(text, text.indexOf(inner) + fault.at)
  return `${fault.expected} at line ${line}, column ${column}, found ${fault.found}`
}

function* parseRepaired(text: string): Steps<unknown> {
  const outcome = yield* parseBoundedJson(text)
  if ('value' in outcome) return outcome.value
  const repaired = yield* parseBoundedJson(yield* repairJson(text))
  return 'value' in repaired ? repaired.value : undefined
}
