/**
 * Snippets: the words around matches, with the matches in bold. They are created here because SQLite's snippet() takes
 * seconds for a long block with many hits.
 */
import { saturate } from './rank-documents.ts'
import { RANKING_WEIGHTS } from './ranking-weights.ts'
import { createTermMatcher, type Term } from './search-terms.ts'
import { stem } from './stem.ts'
import { splitWords, type Word } from './word-segmentation.ts'

/** An occurrence of a term in a text. */
export interface TermMatch {
  term: Term
  from: number
  to: number
  /** True if only a prefix of the word matches. */
  isPrefix: boolean
}

/** The number of characters of a block that are searched for matches, if there are matches among them. */
export const MAX_SEARCHED_LENGTH = 20_000

/**
 * Finds the terms in a text, in order.
 *
 * @param usesPrefixes  true if words that only start with a term count, too
 */
export function createTermFinder(terms: readonly Term[], usesPrefixes: boolean): (text: string) => TermMatches {
  const byFirst = Map.groupBy(terms, firstStem)
  const matchers = new Map(terms.map((term) => [term, createTermMatcher(term)]))
  // All forms of a word start with the same two letters. Other words need no closer look.
  const beginnings = new Set(terms.map(({ words }) => words[0]?.slice(0, 2)))
  return (text) => {
    const words = splitWords(text)
    const matches: TermMatch[] = []
    for (let at = 0; at < words.length; at++) {
      if (!beginnings.has(words[at]?.word.slice(0, 2))) continue
      for (const term of usesPrefixes ? terms : (byFirst.get(stem(words[at]?.word ?? '')) ?? [])) {
        const matchesAt = matchers.get(term)
        const isExact = matchesAt?.(words, at, false)
        if (!isExact && !(usesPrefixes && matchesAt?.(words, at, true))) continue
        matches.push({ term, from: words[at]?.from ?? 0, to: lastWordOf(words, at, term).to, isPrefix: !isExact })
      }
    }
    return { matches, length: words.length }
  }
}

/** The matches in a text, and its number of words. */
interface TermMatches {
  matches: TermMatch[]
  length: number
}

const firstStem = ({ words }: Term): string => stem(words[0] ?? '')

const lastWordOf = (words: readonly Word[], at: number, { words: { length } }: Term): Word =>
  words[at + length - 1] ?? { word: '', from: 0, to: 0 }

/** Computes the bm25 score of one text. `weights` are those of its terms. */
export function scoreText(
  { matches, length }: { matches: readonly TermMatch[]; length: number },
  weights: ReadonlyMap<Term, number>,
): number {
  const counts = new Map<Term, number>()
  for (const { term, isPrefix } of matches)
    counts.set(term, (counts.get(term) ?? 0) + (isPrefix ? RANKING_WEIGHTS.prefix : 1))
  const relative = 1 + RANKING_WEIGHTS.length * (length / RANKING_WEIGHTS.averageLength - 1)
  let sum = 0
  for (const [term, count] of counts) sum += (weights.get(term) ?? 0) * saturate(count, relative)
  return sum
}

/** The length of a snippet in characters, and of its part before the first match. */
const SNIPPET_LENGTH = 240
const CONTEXT_BEFORE = 60

/** Returns the part of a text with the most matches, counting each distinct term once. */
export function createSnippet(text: string, matches: readonly { from: number; to: number; term?: unknown }[]): string {
  let best = { from: 0, worth: -1 }
  for (const [index, first] of matches.entries()) {
    const seen = new Set<unknown>()
    for (let at = index; at < matches.length; at++) {
      const match = matches[at]
      if (match === undefined || match.to > first.from + SNIPPET_LENGTH - CONTEXT_BEFORE) break
      seen.add(match.term)
    }
    if (seen.size > best.worth) best = { from: first.from, worth: seen.size }
    if (index > MAX_MATCHES) break
  }
  const from = best.from <= CONTEXT_BEFORE ? 0 : wordStart(text, best.from - CONTEXT_BEFORE, best.from)
  const to = from + SNIPPET_LENGTH >= text.length ? text.length : wordEnd(text, from + SNIPPET_LENGTH)
  const shown = boldMatches(text, from, to, matches).replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`
}

const MAX_MATCHES = 1_000

/** The place after the next white space, unless that is beyond `most`. */
function wordStart(text: string, at: number, most: number): number {
  const space = /\s/.exec(text.slice(at, most))
  return space === null ? characterBoundary(text, at) : at + space.index + 1
}

/** The end of a word at or before a place, unless the word is long. */
function wordEnd(text: string, at: number): number {
  const space = /\s\S*$/.exec(text.slice(at - CONTEXT_BEFORE, at))
  return space === null ? characterBoundary(text, at) : at - CONTEXT_BEFORE + space.index
}

/** Moves a place that is inside a surrogate pair to its start. */
const characterBoundary = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)

/** A Markdown link, or a bare address. The length of a scheme is limited, so that this takes linear time. */
const LINK = /!?\[[^[\]]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)|<?\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>]*>?/gi
/** How far around a window links are searched for, in characters. */
const LINK_LENGTH = 5_000

/**
 * Extends matches inside links to the whole link, since bold marks within would break it. Drops matches in links that
 * are cut off.
 */
function aroundLinks(
  text: string,
  from: number,
  to: number,
  matches: readonly { from: number; to: number }[],
): readonly { from: number; to: number }[] {
  const start = Math.max(0, from - LINK_LENGTH)
  const links = [...text.slice(start, to + LINK_LENGTH).matchAll(LINK)].map(({ index, 0: { length } }) => ({
    from: start + index,
    to: start + index + length,
  }))
  if (links.length === 0) return matches
  const shown = matches.filter((match) => match.to > from && match.from < to)
  return shown.flatMap((match) => {
    const [first, last] = [
      links.find((link) => link.from < match.to && match.from < link.to),
      links.findLast((link) => link.from < match.to && match.from < link.to),
    ]
    if (first === undefined || last === undefined) return [match]
    const whole = { from: Math.min(first.from, match.from), to: Math.max(last.to, match.to) }
    return whole.from < from || whole.to > to ? [] : [whole]
  })
}

/** Matches that are separated by nothing or only by white space become bold together. */
function boldMatches(text: string, from: number, to: number, matches: readonly { from: number; to: number }[]): string {
  let output = ''
  let position = from
  let open = -1
  let end = -1
  const close = () => {
    if (open < 0) return
    output += `${text.slice(position, open)}**${text.slice(open, end)}**`
    position = end
    open = -1
  }
  for (const match of aroundLinks(text, from, to, matches)) {
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
  return output + text.slice(position, Math.max(position, to))
}
