/** Reads JSON within bounds; of a text that is not JSON it says where it breaks and what stands there. */

import { invalid } from '../../base/errors.ts'
import { runCooperatively, runToCompletion, type Steps } from '../../base/scheduling.ts'
import { checkJsonBounds } from './json-bounds.ts'
import { findJsonFault, type JsonFault, lineAndColumn } from './json-error.ts'

/**
 * Read what may be long: other calls get their turn between the steps.
 *
 * @param where  what the text is, for the message: `the body`
 * @throws VALIDATION_ERROR with line and column, both from 1, of the first fault, and for what no call can hold;
 *   PAYLOAD_TOO_LARGE for more values than a call can have
 */
export const readJsonInChunks = (text: string, where: string): Promise<unknown> =>
  runCooperatively(readSteps(text, where))

/** Read what is short, such as `the parameter position`. @throws as {@link readJsonInChunks} */
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
 * The value that a text says, or the first place where it is no JSON. Of keys that come twice in an object the last
 * counts, as everywhere in JavaScript.
 *
 * @throws PAYLOAD_TOO_LARGE and VALIDATION_ERROR for what no call can hold
 */
export function* parseBoundedJson(text: string): Steps<{ value: unknown } | { fault: JsonFault }> {
  checkJsonBounds(text)
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
