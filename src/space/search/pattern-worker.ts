/** The worker thread for long pattern scans. */
import { ScriptoriumError } from '../../base/errors.ts'
import { answerInWorker } from '../../base/worker.ts'
import type { Pattern } from '../../regex/pattern.ts'
import { compilePattern } from './compile-pattern.ts'
import type { PatternScanInput, PatternScanResult } from './pattern-worker-pool.ts'

/**
 * The number of compiled patterns that are cached, with the automaton states they have built: at most some megabytes
 * per lookaround.
 */
const CACHED_PATTERNS = 4
const cachedPatterns = new Map<string, Pattern>()

answerInWorker(scanTextsHere)

function scanTextsHere({ source, caseSensitive, texts, most }: PatternScanInput): PatternScanResult {
  try {
    const pattern = compileCached(source, caseSensitive)
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

function compileCached(source: string, caseSensitive: boolean): Pattern {
  const key = `${caseSensitive} ${source}`
  const pattern = cachedPatterns.get(key) ?? compilePattern(source, { caseSensitive })
  // The one used last goes to the end, the one not used for the longest stands first.
  cachedPatterns.delete(key)
  cachedPatterns.set(key, pattern)
  const [oldest] = cachedPatterns.keys()
  if (cachedPatterns.size > CACHED_PATTERNS && oldest !== undefined) cachedPatterns.delete(oldest)
  return pattern
}
