/** Reads JSON, and of JSON that is none says where it breaks and what stands there. */
import { atOnce, inTurns, type Parts } from '../breathe.ts'
import { invalid } from '../errors.ts'
import { type Fault, JsonReading, placeOf } from './json-reading.ts'

/** Characters of JSON that are read in one go: by the engine, of which the worst takes a few milliseconds. */
const PART = 16_384

/**
 * Read what may be long: others get their turn meanwhile.
 *
 * @param where  what the text is, for the message: `the body`
 * @throws VALIDATION_ERROR with line and column, both from 1, of the first fault, and for what no call can hold;
 *   PAYLOAD_TOO_LARGE for more values than a call can have
 */
export const readLongJson = (text: string, where: string): Promise<unknown> => inTurns(reading(text, where))

/** Read what is short, such as `the parameter position`. @throws as {@link readLongJson} */
export const readJson = (text: string, where: string): unknown => atOnce(reading(text, where))

function* reading(text: string, where: string): Parts<unknown> {
  const read = yield* jsonIn(text)
  if ('value' in read) return read.value
  const { at, expected, found } = read.fault
  const { line, column } = yield* placeOf(text, at, PART)
  throw invalid(
    `Expected ${expected} at line ${line}, column ${column} of ${where}, which is to be JSON, found ${found}; mend it there.`,
  )
}

/**
 * The value that a text says, or the first place where it is no JSON.
 *
 * @param part  characters that are read in one go
 * @throws PAYLOAD_TOO_LARGE and VALIDATION_ERROR for what no call can hold
 */
export function* jsonIn(text: string, part = PART): Parts<{ value: unknown } | { fault: Fault }> {
  if (text.length <= part) {
    try {
      return { value: JSON.parse(text) as unknown }
    } catch {
      // What is wrong with it is found below.
    }
  }
  return yield* new JsonReading(text, part).read()
}
