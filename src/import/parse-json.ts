/** Parses JSON of other programs, within limits of an import. */
import { formatNumber } from '../base/format-number.ts'
import { exceededJsonBound } from '../base/json-bounds.ts'
import { IMPORT_JSON_LEVELS, IMPORT_JSON_VALUES } from '../base/limits.ts'
import { runToCompletion } from '../base/work-steps.ts'

const BOUNDS = {
  ...{ values: IMPORT_JSON_VALUES, levels: IMPORT_JSON_LEVELS },
  ...{ fields: Number.POSITIVE_INFINITY, nameLength: Number.POSITIVE_INFINITY },
}

/** @throws Error for invalid JSON, and for more values or levels than an import reads */
export function parseJson(text: string): unknown {
  const exceeded = runToCompletion(exceededJsonBound(text, BOUNDS))
  if (exceeded === undefined) return JSON.parse(text)
  const most = formatNumber(BOUNDS[exceeded])
  throw new Error(`Expected JSON of at most ${most} ${exceeded}, found more; split it.`)
}
