/** Values that callers give as text, and what an empty text means. */
import { z } from 'zod'
import { ScriptoriumError } from '../../src/base/errors.ts'

/**
 * A string that a parser reads. Its error becomes the validation error. An empty one means absent, except where `null`
 * clears: there it could be meant to clear, and is refused.
 */
export function parsedString<T>(parse: (text: string) => T) {
  return z
    .string()
    .meta({ emptyIsAbsent: true })
    .transform((text, context): T => {
      try {
        return parse(text)
      } catch (error) {
        if (!(error instanceof ScriptoriumError)) throw error
        context.addIssue({ code: 'custom', message: error.message, input: text })
        return z.NEVER
      }
    })
}
/** For `meta`: where there is nothing yet, `null` and an empty text mean the same. */
export const emptyIsAbsent = { emptyIsAbsent: true }
