/**
 * Searches many texts, or long ones, without blocking the event loop: short texts inline, the rest in worker threads.
 */

import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { PATTERN_SECONDS } from '../../base/limits.ts'
import { recordWait, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Pattern, Span } from '../../regex/pattern.ts'
import { type PatternScanResult, scanInWorker } from './pattern-worker-pool.ts'

/** A matching text, by its index, and its first spans. */
export interface PatternMatch {
  index: number
  spans: Span[]
}

/** The number of spans per text if the call does not give one. */
const SPANS_PER_TEXT = 100
/**
 * The maximum length, in characters, and the maximum work, in characters times steps, of a text that is searched
 * inline. That takes 5 ms at worst and seldom 1 ms.
 */
const SHORT_TEXT_LENGTH = 32_768
const SHORT_TEXT_WORK = 50_000
/** The total time for texts that are searched inline, in milliseconds. */
const INLINE_MS = 5
/**
 * The maximum number of texts, of characters, and of characters times steps in a chunk for a worker. It takes a quarter
 * of a second at worst.
 */
const CHUNK_TEXTS = 1_000
const CHUNK_LENGTH = 1 << 20
const CHUNK_WORK = 4_000_000

/**
 * Returns the texts that the pattern matches, in order, each with its first `most` spans. The event loop is never
 * blocked for more than some milliseconds, and other scans run at the same time.
 *
 * @throws VALIDATION_ERROR if the scan takes longer than {@link PATTERN_SECONDS}, not counting the time it waits for
 *   other scans
 */
export async function scanTexts(
  pattern: Pattern,
  texts: readonly string[],
  most = SPANS_PER_TEXT,
): Promise<PatternMatch[]> {
  const { hits, searched } = await scanForTime(pattern, texts, most)
  if (searched < texts.length) throw scanTooSlow(searched, texts.length)
  return hits
}

/** What a scan found within its time limit. */
export interface ScanResult {
  hits: PatternMatch[]
  /** How many of the texts were searched, from the first. Fewer than all of them if it took too long. */
  searched: number
}

/**
 * The same, but returns what it found within a time limit. Texts that were not searched may match as well.
 *
 * @param seconds  of work in worker threads
 */
export async function scanForTime(
  pattern: Pattern,
  texts: readonly string[],
  most: number,
  seconds = PATTERN_SECONDS,
): Promise<ScanResult> {
  const hits: PatternMatch[] = []
  // Compiling the pattern has used up time already.
  await yieldToEventLoop()
  const begun = scanInline(pattern, texts, most, hits)
  let used = 0
  for (let from = begun; from < texts.length; ) {
    const to = endOfChunk(texts, from, pattern.steps)
    const part = { source: pattern.source, ...pattern.flags, texts: texts.slice(from, to), most }
    const left = seconds * 1000 - used
    if (left <= 0) return { hits, searched: from }
    const heavy = (texts[from]?.length ?? 0) * pattern.steps > CHUNK_WORK
    const startedAt = performance.now()
    const { result: answer, elapsed } = await scanInWorker({ part, used, left, heavy })
    used += elapsed
    recordWait(Math.max(0, performance.now() - startedAt - elapsed))
    if (answer === 'timeout') return { hits, searched: from }
    addMatches(answer, from, hits)
    from = to
  }
  return { hits, searched: texts.length }
}

/** @returns the index of the first text that is left for the workers */
function scanInline(pattern: Pattern, texts: readonly string[], most: number, hits: PatternMatch[]): number {
  const end = performance.now() + INLINE_MS
  for (const [index, text] of texts.entries()) {
    const isLong = text.length > SHORT_TEXT_LENGTH || text.length * pattern.steps > SHORT_TEXT_WORK
    if (isLong || performance.now() > end) return index
    const spans = pattern.spans(text, most)
    if (spans.length > 0 || (most < 1 && pattern.test(text))) hits.push({ index, spans })
  }
  return texts.length
}

/** Returns the end of the next chunk. It has at least one text, and more as long as they fit. */
function endOfChunk(texts: readonly string[], from: number, steps: number): number {
  const longest = Math.min(CHUNK_LENGTH, CHUNK_WORK / steps)
  let to = from + 1
  let length = texts[from]?.length ?? 0
  for (; to < texts.length && to - from < CHUNK_TEXTS; to++) {
    length += texts[to]?.length ?? 0
    if (length > longest) break
  }
  return to
}

function addMatches(outcome: PatternScanResult, from: number, hits: PatternMatch[]): void {
  if ('error' in outcome) throw new ScriptoriumError(outcome.error.code, outcome.error.error, outcome.error.details)
  const { found } = outcome
  for (let at = 0; at < found.length; ) {
    const index = from + (found[at++] ?? 0)
    const count = found[at++] ?? 0
    const spans = Array.from({ length: count }, (_, span) => ({
      from: found[at + span * 2] ?? 0,
      to: found[at + span * 2 + 1] ?? 0,
    }))
    hits.push({ index, spans })
    at += count * 2
  }
}

/** The error for a scan that took too long, when partial results are of no use. */
export const scanTooSlow = (searched: number, all: number) =>
  invalid(
    `Expected a pattern that is searched for within ${PATTERN_SECONDS} seconds, found one that takes longer: ${formatNumber(searched)} of ${formatNumber(all)} texts were searched; search in fewer of them, or use shorter repetitions.`,
  )
