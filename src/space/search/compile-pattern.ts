/** Compiles regular expressions of callers, and turns errors into errors of this program. */
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { compilePattern as compile, type Pattern, type PatternFlags } from '../../regex/pattern.ts'
import { PatternError } from '../../regex/pattern-errors.ts'

/**
 * @throws INVALID_REGEX_ERROR that names the position of the invalid character, counted from 1; the `spans` method of
 *   the pattern throws VALIDATION_ERROR for a text that would take too long
 */
export function compilePattern(source: string, flags: PatternFlags): Pattern {
  const pattern = withCallerErrors(() => compile(source, flags))
  return { ...pattern, spans: (text, limit) => withCallerErrors(() => pattern.spans(text, limit)) }
}

function withCallerErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw error.reason === 'syntax'
      ? new ScriptoriumError('INVALID_REGEX_ERROR', error.message)
      : invalid(error.message)
  }
}
