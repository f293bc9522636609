/** Finds what is kept as it was written within a line of inline Markdown: code and formulas. */
import { canFence } from './formula.ts'

/** Where code or a formula is in a text, with its fences. */
export interface LiteralSpan {
  noun: 'code' | 'a formula'
  at: number
  end: number
}

/** A run of one or two `$`, or of any number of backticks. */
interface Run {
  at: number
  fence: string
  /** True after a backslash that escapes its first character. Backslashes in code escape nothing. */
  isEscaped: boolean
}

/**
 * The code and the formulas of a text, from left to right. Each run of fences is looked at once for each way in which it
 * can be read, so the work grows with the length of the text.
 *
 *     \` a `code \` $x^2$
 *          ^^^^^^^^ ^^^^^
 */
export function literalSpans(text: string): LiteralSpan[] {
  const runs = [...text.matchAll(/`+|\$+/g)].map(
    ({ 0: fence, index: at }): Run => ({ at, fence, isEscaped: backslashesBefore(text, at) % 2 === 1 }),
  )
  const closing = closingRuns(runs)
  const spans: LiteralSpan[] = []
  let done = 0
  for (const run of runs) {
    const fence = run.isEscaped ? run.fence.slice(1) : run.fence
    const at = run.at + run.fence.length - fence.length
    if (fence === '' || at < done) continue
    const isCode = fence.startsWith('`')
    const end = closing(fence, run.at)
    if (end === undefined || (!isCode && !canFence(fence, text, at + fence.length, end))) continue
    done = end + fence.length
    spans.push({ noun: isCode ? 'code' : 'a formula', at, end: done })
  }
  return spans
}

function backslashesBefore(text: string, at: number): number {
  let start = at
  while (text[start - 1] === '\\') start--
  return at - start
}

/** Returns a function that finds the next run that closes a fence. Each call must be for a place after the last one. */
function closingRuns(runs: readonly Run[]): (fence: string, after: number) => number | undefined {
  const places = new Map<string, number[]>()
  for (const { at, fence, isEscaped } of runs.toReversed()) {
    if (isEscaped && fence.startsWith('$')) continue
    const list = places.get(fence)
    if (list === undefined) places.set(fence, [at])
    else list.push(at)
  }
  return (fence, after) => {
    const list = places.get(fence) ?? []
    while ((list.at(-1) ?? Number.POSITIVE_INFINITY) <= after) list.pop()
    return list.at(-1)
  }
}
