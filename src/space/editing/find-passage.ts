/**
 * Finds a passage that an agent quotes. What editors and models change unseen is ignored: line ends, curly quotes,
 * no-break spaces, and whether an accent is part of its letter.
 */

import type { Steps } from '../../base/work-steps.ts'

/** The first and the end index of a passage. */
export interface Place {
  at: number
  end: number
}

/** The places of a passage: exactly as it is if it occurs at all, and otherwise as {@link fold} sees it. */
export function* findPassage(text: string, passage: string): Steps<Place[]> {
  const exact = occurrences(text, passage).map((at) => ({ at, end: at + passage.length }))
  if (exact.length > 0) return exact
  const { text: part } = yield* fold(passage)
  const whole = yield* fold(text)
  const places = occurrences(whole.text, part).map((at) => ({
    at: sourceIndex(whole, at),
    end: sourceIndex(whole, at + part.length),
  }))
  return places.filter((place): place is Place => place.at !== undefined && place.end !== undefined)
}

/** The first occurrence, the next one even if it overlaps the first, and those that overlap none. */
function occurrences(text: string, passage: string): number[] {
  const found: number[] = []
  if (passage === '') return found
  for (let at = text.indexOf(passage); at >= 0; ) {
    found.push(at)
    at = text.indexOf(passage, at + (found.length === 1 ? 1 : passage.length))
  }
  return found
}

/** A part of a text that was folded: where it is in the folded text, and in the source. */
interface FoldedPart {
  at: number
  end: number
  source: number
  sourceEnd: number
}

interface Folded {
  text: string
  /** The parts whose characters changed, from left to right. */
  parts: FoldedPart[]
}

/**
 * Longer runs of marks than 30 stay as they are: no language has them, and bringing one into order takes time that grows
 * with its square. https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
const FOLDED =
  /\r\n?|[\u00a0\u2007\u202f]|[\u2018-\u201b]|[\u201c-\u201f]|\P{M}\p{M}{1,30}(?!\p{M})|[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|[\u2126\u212a\u212b\uf900-\ufaff]/gu

/** Parts to fold before yielding. */
const PARTS_PER_STEP = 10_000

function* fold(text: string): Steps<Folded> {
  const parts: FoldedPart[] = []
  let written = ''
  let done = 0
  for (const { 0: found, index } of text.matchAll(FOLDED)) {
    const folded = foldPart(found)
    if (folded === found) continue
    written += text.slice(done, index)
    done = index + found.length
    parts.push({ at: written.length, end: written.length + folded.length, source: index, sourceEnd: done })
    written += folded
    if (parts.length % PARTS_PER_STEP === 0) yield
  }
  return { text: written + text.slice(done), parts }
}

function foldPart(found: string): string {
  if (found.startsWith('\r')) return '\n'
  if (/^[\u2018-\u201b]$/.test(found)) return "'"
  if (/^[\u201c-\u201f]$/.test(found)) return '"'
  if (/^[\u00a0\u2007\u202f]$/.test(found)) return ' '
  return found.normalize('NFC')
}

/** Where a folded index is in the source; undefined within a part that has other characters there. */
function sourceIndex({ parts }: Folded, index: number): number | undefined {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((parts[middle]?.at ?? 0) < index) low = middle + 1
    else high = middle
  }
  const before = parts[low - 1]
  if (before === undefined) return index
  return index < before.end ? undefined : before.sourceEnd + (index - before.end)
}

/** More than this share of its pairs of characters a passage must have in common with the one that is named. */
const LEAST_SHARE = 0.5
/** How much longer the one that is named may be, so that added words do not hide it. */
const SLACK = 1.25
/** Characters before and after the nearest passage that may be shown, so that it begins and ends between words. */
const WORD_LENGTH = 20
/** The most characters that are shown of it. */
const SHOWN_LENGTH = 120
/** Characters at the beginning of a long passage by which its place is found. */
const HEAD_LENGTH = 16

/**
 * The passage of the text that has the most pairs of characters in common with another one; undefined if none has more
 * than half of them. It is only to be named, so that an agent can quote it: what it differs in may be what matters.
 *
 * Yields after some thousands of characters. The work is one step for each character of the text.
 */
export function* nearestPassage(text: string, passage: string): Steps<string | undefined> {
  const lower = text.toLowerCase()
  // A few letters are longer in lower case. Then their indexes would not be those of the text.
  const whole = lower.length === text.length ? lower : text
  const part = (yield* fold(passage)).text.toLowerCase()
  const missing = countPairs(part)
  const width = Math.ceil(SLACK * (part.length - 1)) + 1
  let shared = 0
  let best = { at: 0, shared: 0 }
  for (let at = 0; at + 1 < whole.length; at++) {
    // A pair is shared as often as the passage has it, and no more often.
    if (add(missing, pairAt(whole, at), -1) > 0) shared++
    const left = at - width
    if (left >= 0 && add(missing, pairAt(whole, left), 1) >= 0) shared--
    if (shared > best.shared) best = { at: Math.max(0, left + 1), shared }
    if (at % 10_000 === 9_999) yield
  }
  if (best.shared <= LEAST_SHARE * (part.length - 1)) return undefined
  let [from, to] = [best.at, Math.min(text.length, best.at + width + 1)]
  while (from < to - 1 && !missing.has(pairAt(whole, from))) from++
  while (to - 2 > from && !missing.has(pairAt(whole, to - 2))) to--
  const head = whole.indexOf(part.slice(0, HEAD_LENGTH), from)
  const start = head >= 0 && head < to ? head : from
  let same = start
  while (same < to && whole.charAt(same) === part.charAt(same - start)) same++
  return shownAround(text, from, to, same)
}

function countPairs(text: string): Map<number, number> {
  const counts = new Map<number, number>()
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = pairAt(text, at)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

/** Adds to the number of a pair, and answers with what it was. Pairs that the passage does not have are not counted. */
function add(counts: Map<number, number>, pair: number, step: 1 | -1): number {
  const count = counts.get(pair)
  if (count !== undefined) counts.set(pair, count + step)
  return count ?? Number.NEGATIVE_INFINITY
}

const pairAt = (text: string, at: number): number => text.charCodeAt(at) * 0x1_00_00 + text.charCodeAt(at + 1)

/** Whole words, at most so many characters, around the first difference. */
function shownAround(text: string, at: number, end: number, different: number): string {
  const isWord = (index: number) => /[\p{L}\p{N}\p{M}]/u.test(text.charAt(index))
  let [from, to] = [at, end]
  while (from > 0 && at - from < WORD_LENGTH && isWord(from - 1) && isWord(from)) from--
  while (to < text.length && to - end < WORD_LENGTH && isWord(to) && isWord(to - 1)) to++
  if (to - from <= SHOWN_LENGTH) return text.slice(from, to)
  const start = Math.max(from, Math.min(different - SHOWN_LENGTH / 2, to - SHOWN_LENGTH))
  const stop = Math.min(to, start + SHOWN_LENGTH)
  return `${start > from ? '…' : ''}${text.slice(start, stop)}${stop < to ? '…' : ''}`
}
