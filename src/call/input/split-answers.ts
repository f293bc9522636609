/**
 * The key `answers`, which every call that writes takes: the ID of the comment that it answers. The instructions name it
 * once, and no published schema has it.
 */
import { invalid } from '../../base/errors.ts'
import { GivenId } from '../../space/model/ids.ts'

const KEY = 'answers'

/** The other arguments, and the comment if one is named. */
export interface SplitArguments {
  others: unknown
  answers?: GivenId
}

/** @throws VALIDATION_ERROR if the key has something else than an ID */
export function splitAnswers(rawArguments: unknown): SplitArguments {
  if (typeof rawArguments !== 'object' || rawArguments === null || !Object.hasOwn(rawArguments, KEY)) {
    return { others: rawArguments }
  }
  const { [KEY]: given, ...others } = rawArguments as Record<string, unknown>
  if (given === undefined || given === null || given === '') return { others }
  if (typeof given !== 'string' && typeof given !== 'number') {
    throw invalid(
      `At ${KEY}: Expected the ID of the comment that this call answers, found ${Array.isArray(given) ? 'a list' : `a value of type ${typeof given}`}; name one comment.`,
      [{ path: KEY, message: 'Expected the ID of a comment.' }],
    )
  }
  return { others, answers: new GivenId(String(given)) }
}

/** The arguments with the key again, as they are stored and compared. */
export const withAnswers = (input: unknown, answers: GivenId | undefined): unknown =>
  answers === undefined ? input : { ...(input as object), [KEY]: String(answers) }
