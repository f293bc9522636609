/** Parses JSON within bounds. Errors contain the position and the unexpected text. */

import { invalid } from '../../base/errors.ts'
import { exceededJsonBound, type JsonBounds } from '../../base/json-bounds.ts'
import { FIELD_NAME_LENGTH, FIELDS_PER_OBJECT, MAX_JSON_LEVELS, MAX_JSON_VALUES } from '../../base/limits.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import { runToCompletion, type Steps } from '../../base/work-steps.ts'
import { callTooLarge, fieldNameTooLong, nestingTooDeep, tooManyFields } from '../limit-errors.ts'
import { findJsonFault, type JsonFault, lineAndColumn } from './json-error.ts'

/**
 * Parses text that may be long, and yields to other calls in between.
 *
 * @param where  the name of the text in messages, such as `the body`
 * @throws VALIDATION_ERROR with line and column, both from 1, of the first syntax error, and for values that exceed the
 *   bounds of a call; PAYLOAD_TOO_LARGE for more values than a call can have
 */
export const readJsonInChunks = (text: string, where: string): Promise<unknown> =>
  runCooperatively(readSteps(text, where))

/** Parses short text, such as `the parameter position`. @throws as {@link readJsonInChunks} */
export const readJson = (text: string, where: string): unknown => runToCompletion(readSteps(text, where))

function* readSteps(text: string, where: string): Steps<unknown> {
  const outcome = yield* parseBoundedJson(text)
  if ('value' in outcome) return outcome.value
  const { at: index, expected, found } = outcome.fault
  yield
  const { line, column } = lineAndColumn(text, index)
  throw invalid(
    `Expected ${expected} at line ${line}, column ${column} of ${where}, which is to be JSON, found ${found}; correct it there.`,
  )
}

/**
 * Returns the value of a text, or its first syntax error. If a key occurs twice in an object, the last one counts, as
 * everywhere in JavaScript.
 *
 * @throws PAYLOAD_TOO_LARGE and VALIDATION_ERROR for values that exceed the bounds of a call
 */
export function* parseBoundedJson(text: string): Steps<{ value: unknown } | { fault: JsonFault }> {
  const exceeded = yield* exceededJsonBound(text, BOUNDS)
  if (exceeded !== undefined) throw BOUND_ERRORS[exceeded]()
  yield
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    yield
    const fault = yield* findJsonFault(text)
    if (fault === undefined) throw error
    return { fault }
  }
}

/** The bounds of a call. */
const BOUNDS: JsonBounds = {
  ...{ values: MAX_JSON_VALUES, levels: MAX_JSON_LEVELS },
  ...{ fields: FIELDS_PER_OBJECT, nameLength: FIELD_NAME_LENGTH },
}
const BOUND_ERRORS: Readonly<Record<keyof JsonBounds, () => Error>> = {
  ...{ values: callTooLarge, levels: nestingTooDeep, fields: tooManyFields, nameLength: fieldNameTooLong },
}
