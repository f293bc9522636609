/** Terms: parses `include` and builds index queries from it. Source: the interface's shapes, 5. */

import type { WordQuery } from '../../../storage/word-index.ts'
import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { TERM_LENGTH } from '../../base/limits.ts'
import { isAskingWord } from './asking-words.ts'
import { RANKING_WEIGHTS } from './ranking-weights.ts'
import { stem } from './stem.ts'
import { isSpaceless, splitWords, type Word } from './word-segmentation.ts'

/** One word, or several consecutive words. */
export interface Term {
  words: readonly string[]
  /** The term as the caller wrote it. */
  source: string
  /** How many times the entry contains it. */
  times: number
  /** The fraction of its weight that counts. */
  share: number
  /** The term of which this one is a part or another form: `server` and `serverside` of `server-side`. */
  of?: Term
}

/** One entry of `include`. A document with any of its terms meets it. */
export interface SearchEntry {
  source: string
  terms: readonly Term[]
}

/**
 * Parses an entry. An entry in quotes is a phrase, which is one term. In any other entry each word is a term, without
 * stop words unless there are no others. What is written without spaces, such as `snake_case` or `example.org`, is one
 * term. Punctuation between words is ignored.
 *
 * @throws VALIDATION_ERROR for an entry without words, or one that is too long
 */
export function parseEntry(source: string): SearchEntry {
  if (source.length > TERM_LENGTH) {
    throw invalid(
      `Expected at most ${formatNumber(TERM_LENGTH)} characters in an entry of include, found ${formatNumber(source.length)}; ask for its main words.`,
    )
  }
  const terms = isPhrase(source.trim())
    ? [createTerm(source, splitWords(source))]
    : source.split(/\s+/).flatMap((chunk) => splitTerms(chunk.replace(POSSESSIVE, '')))
  const found = terms.filter(({ words }) => words.length > 0)
  if (found.length === 0) {
    throw invalid(
      `Expected words in each entry of include, found ${JSON.stringify(source)}, which has none; search for signs with regexps.`,
    )
  }
  const significant = found.filter(({ words }) => !words.every(isStopWord))
  const own = uniqueTerms(significant.length > 0 ? significant : found).map(weighAsking)
  const known = new Set(own.map(stemsOf))
  const parts = isPhrase(source.trim()) ? [] : own.flatMap(compoundForms)
  return { source, terms: [...own, ...uniqueTerms(parts.filter((part) => !known.has(stemsOf(part))))] }
}

/** Gives a word of asking less weight: `list` in *list the boats*. Alone, it weighs as much as any word. */
const weighAsking = (term: Term): Term =>
  term.words.every(isAskingWord) ? { ...term, share: RANKING_WEIGHTS.asking } : term

/** A possessive ending: `Anna's` searches for Anna. */
const POSSESSIVE = /(?<=\p{L})['’]s?(?=[^\p{L}\p{N}]*$)/iu

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)

const isPhrase = (text: string): boolean => text.length > 2 && /^["“„«].*["”“»]$/s.test(text)

const createTerm = (source: string, words: readonly Word[]): Term => ({
  source,
  words: words.map(({ word }) => word),
  times: 1,
  share: 1,
})

/** The maximum number of segments, in a script without spaces, that make up one term. More of them are a sentence. */
const MAX_PIECES_PER_TERM = 2

function splitTerms(chunk: string): Term[] {
  const words = splitWords(chunk)
  const isSentence = words.length > MAX_PIECES_PER_TERM && words.some(({ word }) => isSpaceless(word))
  return isSentence ? words.map((word) => createTerm(word.word, [word])) : [createTerm(chunk, words)]
}

/** Merges repeated terms, since long questions repeat the words that they are about. */
function uniqueTerms(terms: readonly Term[]): Term[] {
  const same = Map.groupBy(terms, stemsOf)
  return [...same.values()].flatMap((forms) => forms.slice(-1).map((term) => ({ ...term, times: forms.length })))
}

const stemsOf = ({ words }: Term): string => words.map(stem).join(' ')

const HYPHENATED = /^\P{L}*\p{L}+(?:[-‐‑]\p{L}+){1,3}\P{L}*$/u
/** The minimum length of a part that is meaningful on its own. */
const MIN_PART_LENGTH = 3

/** The parts of `server-side` as separate terms, and `serverside`. */
function compoundForms(term: Term): Term[] {
  const { source, words } = term
  if (words.length < 2 || !HYPHENATED.test(source) || words.some(isSpaceless)) return []
  const parts = words.filter((word) => word.length >= MIN_PART_LENGTH && !isStopWord(word))
  const joined: Term = { ...term, words: [words.join('')], of: term }
  return [
    joined,
    ...parts.map((word): Term => ({ ...term, source: word, words: [word], share: RANKING_WEIGHTS.part, of: term })),
  ]
}

/** Particles that are written together with verbs: `login`, `backup`. */
const PARTICLES: ReadonlySet<string> = new Set(['in', 'out', 'up', 'off', 'on', 'down', 'over', 'back', 'by'])
/** Single letters that are put before a word: `email`, `xray`. */
const SINGLE_LETTERS: ReadonlySet<string> = new Set(['e', 'x', 't', 'u'])
const SPLITTABLE = /^[a-z]{5,24}$/

/** Korean particles, which are written together with a word before them, also in Latin letters: `AI를`. */
const KOREAN_PARTICLES = [
  ...[
    '가',
    '이',
    '은',
    '는',
    '을',
    '를',
    '의',
    '에',
    '와',
    '과',
    '도',
    '만',
    '로',
    '으로',
    '에서',
    '에게',
    '까지',
    '부터',
  ],
  ...['보다', '처럼', '나', '이나', '라', '이라', '란', '이란', '이다', '입니다', '용', '들'],
]
/** A word too short for its beginning to be searched. */
const SHORT_LATIN = /^[a-z\d]{1,2}$/

/**
 * Other spellings that a word might have: the two words `log` and `in` for `login`, or a short one before a particle. Most
 * of them do not exist.
 */
export function otherSpellings(term: Term): Term[] {
  const [word = ''] = term.words
  if (term.words.length === 1 && term.of === undefined && SHORT_LATIN.test(word)) {
    return KOREAN_PARTICLES.map((particle) => ({ ...term, words: [word + particle], of: term }))
  }
  if (term.words.length > 1 || term.of !== undefined || !SPLITTABLE.test(word)) return []
  const forms: Term[] = []
  for (let at = 1; at < word.length - 1; at++) {
    const [first, second] = [word.slice(0, at), word.slice(at)]
    const isFirst = first.length === 1 ? SINGLE_LETTERS.has(first) : !isStopWord(first)
    const isSecond = PARTICLES.has(second) || (second.length >= MIN_PART_LENGTH && !isStopWord(second))
    if (isFirst && isSecond) forms.push({ ...term, words: [first, second], of: term })
  }
  return forms
}

/** The index query for a term. It matches any common form of its words. */
export const exactQuery = ({ words }: Term): WordQuery => [{ words }]

/**
 * The minimum length of a prefix, and of one that follows other words. In scripts without spaces one letter is enough. A
 * syllable of Korean is two or three letters in one character, and particles follow a noun of two without a space.
 */
const MIN_PREFIX_LENGTH = 3
const MIN_PREFIX_LENGTH_KOREAN = 2
const MIN_PREFIX_LENGTH_AFTER_WORDS = 2

/** True if it makes sense to search for words that start with the term's last word. */
export function canMatchPrefix({ words }: Term): boolean {
  const last = words.at(-1) ?? ''
  const isKorean = /^\p{sc=Hang}+$/u.test(last)
  const alone = isKorean ? MIN_PREFIX_LENGTH_KOREAN : MIN_PREFIX_LENGTH
  return last.length >= (words.length > 1 ? MIN_PREFIX_LENGTH_AFTER_WORDS : alone) || isSpaceless(last)
}

/**
 * The same query, with words that start with the last word. The index holds stems, which may be shorter than the typed
 * prefix: the stem of `university` is `univers`, which does not begin with `universit`. So common endings are tried.
 */
export function prefixQuery(term: Term): WordQuery {
  if (!canMatchPrefix(term)) return exactQuery(term)
  const before = term.words.slice(0, -1)
  const last = term.words.at(-1) ?? ''
  const forms = formsWithOtherStem(last).map((form) => ({ words: [...before, form] }))
  return [{ words: term.words, isPrefix: true }, ...forms]
}

const COMMON_SUFFIXES = [
  ...['e', 's', 'y', 'ed', 'es', 'er', 'al', 'ly', 'ing', 'ion', 'ies', 'ity', 'ive', 'ize', 'ate', 'ous', 'ment'],
  ...['ness', 'ical', 'able', 'ation', 'ization', 'fulness', 'iveness', 'ability'],
]

/** Words that start with the prefix but whose stems do not start with the stem of the prefix, one per stem. */
function formsWithOtherStem(prefix: string): string[] {
  const own = stem(prefix)
  const forms = COMMON_SUFFIXES.map((ending) => [stem(prefix + ending), prefix + ending] as const)
  return [...new Map(forms.filter(([stemmed]) => !stemmed.startsWith(own))).values()]
}

/**
 * Returns a function that checks whether the words of a text match the term at a given place: in some form or, if
 * `begun` is true, as a prefix.
 */
export function createTermMatcher(term: Term): (words: readonly Word[], at: number, begun: boolean) => boolean {
  const stems = term.words.map(stem)
  const last = stems.length - 1
  const lastStem = stems[last] ?? ''
  let otherStems: Set<string> | undefined
  const isOtherStem = (found: string): boolean => {
    otherStems ??= new Set(formsWithOtherStem(term.words[last] ?? '').map(stem))
    return otherStems.has(found)
  }
  const canBePrefix = canMatchPrefix(term)
  return (words, at, isPrefix) => {
    for (const [index, wanted] of stems.entries()) {
      const word = words[at + index]
      if (word === undefined) return false
      const found = stem(word.word)
      if (found === wanted) continue
      if (!isPrefix || !canBePrefix || index < last || !(found.startsWith(lastStem) || isOtherStem(found))) return false
    }
    return true
  }
}

/**
 * English stop words, which say nothing about the topic of a text. They make up half of the sentences that agents send.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing don down during each few for from further had has have having he her here hers him his how i if
  in into is it its itself just ll me more most my no nor not now of off on once only or other our ours out over own re s
  same she should so some such t than that the their theirs them then there these they this those through to too under
  until up us ve very was we were what when where which while who whom whose why will with would you your yours`.split(
    /\s+/,
  ),
)
