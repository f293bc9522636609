/**
 * Searches many texts, or long ones, without holding up anything else: what is short at once, the rest on threads.
 */

import { invalid, ScriptoriumError } from '../base/errors.ts'
import { PATTERN_SECONDS } from '../base/limits.ts'
import { recordWait, yieldToEventLoop } from '../base/scheduling.ts'
import type { Pattern, Span } from './pattern.ts'
import { type Outcome, searchAside } from './threads.ts'

/** A text that matches, by its index, and its first spans. */
export interface Hit {
  index: number
  spans: Span[]
}

/** Spans of one text when the call does not say. */
const SPANS_PER_TEXT = 100
/** Characters, and characters times steps, of a text that is searched at once: 5 ms at worst, seldom one. */
const SHORT = 32_768
const SHORT_WORK = 50_000
/** Milliseconds of texts that are searched at once, one after another. */
const AT_ONCE = 5
/** Texts, characters, and characters times steps, of a part for a thread: a quarter of a second at worst. */
const PART_TEXTS = 1_000
const PART_LENGTH = 1 << 20
const PART_WORK = 4_000_000

/**
 * Those of the texts that the pattern matches, in their order, each with its first `most` spans. The event loop is
 * never held for more than some milliseconds, and other scans go on at the same time.
 *
 * @throws VALIDATION_ERROR when it takes longer than {@link PATTERN_SECONDS}, the time it waits for others apart
 */
export async function scanTexts(pattern: Pattern, texts: readonly string[], most = SPANS_PER_TEXT): Promise<Hit[]> {
  const { hits, searched } = await scanSome(pattern, texts, most)
  if (searched < texts.length) throw tooSlow(searched, texts.length)
  return hits
}

/** What a scan found in the time that it had. */
export interface Scanned {
  hits: Hit[]
  /** How many of the texts were searched, from the first: all of them, or fewer where it took too long. */
  searched: number
}

/**
 * The same as far as it comes in a time: the texts after those that were searched may match as well.
 *
 * @param seconds  of work on threads
 */
export async function scanSome(
  pattern: Pattern,
  texts: readonly string[],
  most: number,
  seconds = PATTERN_SECONDS,
): Promise<Scanned> {
  const hits: Hit[] = []
  // Compiling the pattern took its time as well.
  await yieldToEventLoop()
  const begun = scanAtOnce(pattern, texts, most, hits)
  let used = 0
  for (let from = begun; from < texts.length; ) {
    const to = endOfPart(texts, from, pattern.steps)
    const part = { source: pattern.source, ...pattern.flags, texts: texts.slice(from, to), most }
    const left = seconds * 1000 - used
    if (left <= 0) return { hits, searched: from }
    const heavy = (texts[from]?.length ?? 0) * pattern.steps > PART_WORK
    const asked = performance.now()
    const { result: answer, elapsed: took } = await searchAside({ part, used, left, heavy })
    used += took
    recordWait(Math.max(0, performance.now() - asked - took))
    if (answer === 'timeout') return { hits, searched: from }
    addHits(answer, from, hits)
    from = to
  }
  return { hits, searched: texts.length }
}

/** @returns the index of the first text that is left for the threads */
function scanAtOnce(pattern: Pattern, texts: readonly string[], most: number, hits: Hit[]): number {
  const end = performance.now() + AT_ONCE
  for (const [index, text] of texts.entries()) {
    const isLong = text.length > SHORT || text.length * pattern.steps > SHORT_WORK
    if (isLong || performance.now() > end) return index
    const spans = pattern.spans(text, most)
    if (spans.length > 0 || (most < 1 && pattern.test(text))) hits.push({ index, spans })
  }
  return texts.length
}

/** At least one text, and as many more as make up a part. */
function endOfPart(texts: readonly string[], from: number, steps: number): number {
  const longest = Math.min(PART_LENGTH, PART_WORK / steps)
  let to = from + 1
  let length = texts[from]?.length ?? 0
  for (; to < texts.length && to - from < PART_TEXTS; to++) {
    length += texts[to]?.length ?? 0
    if (length > longest) break
  }
  return to
}

function addHits(outcome: Outcome, from: number, hits: Hit[]): void {
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

/** The error of a scan that took too long, for whom a part of it is of no use. */
export const tooSlow = (searched: number, all: number) =>
  invalid(
    `Expected a pattern that is searched for within ${PATTERN_SECONDS} seconds, found one that takes longer: ${searched.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} texts were searched; search in fewer of them, or use shorter repetitions.`,
  )
