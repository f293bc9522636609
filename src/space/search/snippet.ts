/**
 * Snippets: the words around matches, with the matches in bold. Made here and not by SQLite's snippet(), which takes
 * seconds for a long block with many hits.
 */
import { saturated } from './rank.ts'
import { stem } from './stem.ts'
import { matcherOf, type Term } from './terms.ts'
import { type Word, wordsIn } from './words.ts'

/** Where a term stands in a text. */
export interface Match {
  term: Term
  from: number
  to: number
  /** Whether the word only begins as it should. */
  isBegun: boolean
}

/** Characters of a block that are searched for matches, if some are in them. */
export const SEARCHED = 20_000

/**
 * Finds the terms in a text, in their order there.
 *
 * @param isBegun  whether words count that only begin as they should
 */
export function finderOf(terms: readonly Term[], isBegun: boolean): (text: string) => Matches {
  const byFirst = Map.groupBy(terms, firstStem)
  const matchers = new Map(terms.map((term) => [term, matcherOf(term)]))
  // Forms and beginnings of a word begin alike: only words that do are worth a closer look.
  const beginnings = new Set(terms.map(({ words }) => words[0]?.slice(0, 2)))
  return (text) => {
    const words = wordsIn(text)
    const matches: Match[] = []
    for (let at = 0; at < words.length; at++) {
      if (!beginnings.has(words[at]?.word.slice(0, 2))) continue
      for (const term of isBegun ? terms : (byFirst.get(stem(words[at]?.word ?? '')) ?? [])) {
        const matchesAt = matchers.get(term)
        const isExact = matchesAt?.(words, at, false)
        if (!isExact && !(isBegun && matchesAt?.(words, at, true))) continue
        matches.push({ term, from: words[at]?.from ?? 0, to: lastOf(words, at, term).to, isBegun: !isExact })
      }
    }
    return { matches, length: words.length }
  }
}

/** The matches in a text, and how many words it has. */
interface Matches {
  matches: Match[]
  length: number
}

const firstStem = ({ words }: Term): string => stem(words[0] ?? '')

const lastOf = (words: readonly Word[], at: number, { words: { length } }: Term): Word =>
  words[at + length - 1] ?? { word: '', from: 0, to: 0 }

/** Words of a block of usual length: what is longer weighs a little less, what is shorter a little more. */
const USUAL_LENGTH = 30
const LENGTH_MATTERS = 0.3

/** bm25 of one text: `weights` are those of its terms. */
export function weighText(
  { matches, length }: { matches: readonly Match[]; length: number },
  weights: ReadonlyMap<Term, number>,
): number {
  const counts = new Map<Term, number>()
  for (const { term, isBegun } of matches) counts.set(term, (counts.get(term) ?? 0) + (isBegun ? 0.6 : 1))
  const relative = 1 - LENGTH_MATTERS + (LENGTH_MATTERS * length) / USUAL_LENGTH
  let sum = 0
  for (const [term, count] of counts) sum += (weights.get(term) ?? 0) * saturated(count, relative)
  return sum
}

/** Characters of a snippet's window, and of those before its first match. */
const WINDOW = 240
const BEFORE = 60

/** The part of a text with most of the matches, each different one counting once. */
export function snippetOf(text: string, matches: readonly { from: number; to: number; term?: unknown }[]): string {
  let best = { from: 0, worth: -1 }
  for (const [index, first] of matches.entries()) {
    const seen = new Set<unknown>()
    for (let at = index; at < matches.length; at++) {
      const match = matches[at]
      if (match === undefined || match.to > first.from + WINDOW - BEFORE) break
      seen.add(match.term)
    }
    if (seen.size > best.worth) best = { from: first.from, worth: seen.size }
    if (index > MOST_MATCHES) break
  }
  const from = best.from <= BEFORE ? 0 : wordStart(text, best.from - BEFORE, best.from)
  const to = from + WINDOW >= text.length ? text.length : wordEnd(text, from + WINDOW)
  const shown = bold(text, from, to, matches).replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`
}

const MOST_MATCHES = 1_000

/** After the next white space, unless that is after `most`. */
function wordStart(text: string, at: number, most: number): number {
  const space = /\s/.exec(text.slice(at, most))
  return space === null ? whole(text, at) : at + space.index + 1
}

/** The end of a word at or before a place, unless the word is long. */
function wordEnd(text: string, at: number): number {
  const space = /\s\S*$/.exec(text.slice(at - BEFORE, at))
  return space === null ? whole(text, at) : at - BEFORE + space.index
}

/** Not between the two halves of a character. */
const whole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)

/** Matches side by side, with white space at most between them, are bold together. */
function bold(text: string, from: number, to: number, matches: readonly { from: number; to: number }[]): string {
  let written = ''
  let done = from
  let open = -1
  let end = -1
  const close = () => {
    if (open < 0) return
    written += `${text.slice(done, open)}**${text.slice(open, end)}**`
    done = end
    open = -1
  }
  for (const match of matches) {
    if (match.from < from || match.from >= to || match.to <= match.from) continue
    if (open >= 0 && (match.from <= end || text.slice(end, match.from).trim() === '')) {
      end = Math.max(end, Math.min(match.to, to))
      continue
    }
    close()
    open = match.from
    end = Math.min(match.to, to)
  }
  close()
  return written + text.slice(done, Math.max(done, to))
}
