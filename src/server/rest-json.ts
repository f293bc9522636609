/** Reads JSON within bounds; of a text that is not JSON it says where it breaks and what stands there. */
import { atOnce, inTurns, type Parts } from '../breathe.ts'
import { invalid } from '../errors.ts'
import { checkJsonBounds } from './json-bounds.ts'
import { findJsonFault, type JsonFault, lineAndColumn } from './json-fault.ts'

/**
 * Read what may be long: other calls get their turn between the steps.
 *
 * @param where  what the text is, for the message: `the body`
 * @throws VALIDATION_ERROR with line and column, both from 1, of the first fault, and for what no call can hold;
 *   PAYLOAD_TOO_LARGE for more values than a call can have
 */
export const readLongJson = (text: string, where: string): Promise<unknown> => inTurns(reading(text, where))

/** Read what is short, such as `the parameter position`. @throws as {@link readLongJson} */
export const readJson = (text: string, where: string): unknown => atOnce(reading(text, where))

function* reading(text: string, where: string): Parts<unknown> {
  const read = yield* parseJson(text)
  if ('value' in read) return read.value
  const { at, expected, found } = read.fault
  yield
  const { line, column } = lineAndColumn(text, at)
  throw invalid(
    `Expected ${expected} at line ${line}, column ${column} of ${where}, which is to be JSON, found ${found}; mend it there.`,
  )
}

/**
 * The value that a text says, or the first place where it is no JSON. Of keys that come twice in an object the last
 * counts, as everywhere in JavaScript.
 *
 * @throws PAYLOAD_TOO_LARGE and VALIDATION_ERROR for what no call can hold
 */
export function* parseJson(text: string): Parts<{ value: unknown } | { fault: JsonFault }> {
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
