/** The thread on which long scans run. */
import { ScriptoriumError } from '../base/errors.ts'
import { answerInWorker } from '../base/worker.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import type { Outcome, Part } from './threads.ts'

/** Patterns that stay compiled, with the states they have made: some megabytes each at most for each lookaround. */
const PATTERNS_KEPT = 4
const kept = new Map<string, Pattern>()

answerInWorker(outcomeOf)

function outcomeOf({ source, caseSensitive, texts, most }: Part): Outcome {
  try {
    const pattern = compiled(source, caseSensitive)
    const found: number[] = []
    for (const [index, text] of texts.entries()) {
      const spans = pattern.spans(text, most)
      if (spans.length === 0 && !(most < 1 && pattern.test(text))) continue
      found.push(index, spans.length)
      for (const { from, to } of spans) found.push(from, to)
    }
    return { found: Int32Array.from(found) }
  } catch (error) {
    if (error instanceof ScriptoriumError) return { error: error.body }
    throw error
  }
}

function compiled(source: string, caseSensitive: boolean): Pattern {
  const key = `${caseSensitive} ${source}`
  const pattern = kept.get(key) ?? compilePattern(source, { caseSensitive })
  // The one used last goes to the end, the one not used for the longest stands first.
  kept.delete(key)
  kept.set(key, pattern)
  const [oldest] = kept.keys()
  if (kept.size > PATTERNS_KEPT && oldest !== undefined) kept.delete(oldest)
  return pattern
}
