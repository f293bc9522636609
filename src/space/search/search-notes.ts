/** What an answer of a search says about itself: why a document was found, and what was not. */
import { formatCount } from '../../base/format-number.ts'
import type { Ranking, TermPlace } from './rank-documents.ts'
import type { ScoredBlock } from './score-blocks.ts'
import type { PreparedSearch } from './search-input.ts'
import type { Term } from './search-terms.ts'
import { splitWords } from './word-segmentation.ts'

export function searchNote(
  { entries, patterns, cursor }: PreparedSearch,
  ranking: Ranking | undefined,
  found: number,
): string | undefined {
  if (found === 0 && cursor !== undefined) return 'No other document matches.'
  if (ranking !== undefined) {
    const { unmatchedEntries, missingTerms, ranked } = ranking
    if (unmatchedEntries.length > 0)
      return `No document that was searched has ${quoteAll(unmatchedEntries)}; ${ASK_AGAIN}.`
    if (ranked.length === 0) {
      return `Each of ${quoteAll(entries.map(({ source }) => source))} is in some document, and no document has all of them; give fewer entries, or all words in one.`
    }
    if (found === 0) return 'Documents have the terms of include, and none of them what regexps ask for.'
    if (missingTerms.length > 0)
      return `Found without ${quoteAll(missingTerms)}, which no document that was searched has; ${ASK_AGAIN}.`
    return undefined
  }
  return found === 0
    ? `No document that was searched matches ${quoteAll(patterns.map(({ source }) => source))}.`
    : undefined
}

/** Measured: two synonyms of the asker's choice find twice as many of the answers to paraphrased questions. */
const ASK_AGAIN = 'if that is not enough, ask again with other words for the same'

/** The number of words that a reason lists. */
const WORDS_PER_REASON = 5

/**
 * Says which words are where in a document, as they are written there: `pottery in the title and 3 blocks`.
 *
 * @param blocks  the best blocks of the document
 */
export function reasonFor(
  places: readonly TermPlace[],
  blocks: readonly ScoredBlock[],
  patternHits: number | undefined,
): string {
  const words = places.slice(0, WORDS_PER_REASON).map(({ term, inTitle, blocks: count }) => {
    const where = [...(inTitle ? ['the title'] : []), ...(count > 0 ? [formatCount(count, 'block')] : [])]
    return `${writtenForm(term, blocks)} in ${where.join(' and ')}`
  })
  const more = places.length > WORDS_PER_REASON ? [`${places.length - WORDS_PER_REASON} more words`] : []
  const patterns = patternHits === undefined ? [] : [`regexps in ${formatCount(patternHits, 'block')}`]
  return [...words, ...more, ...patterns].join('; ')
}

/** The term as these blocks have it, which may be another form of its words. If they have several, the one asked for. */
function writtenForm(term: Term, blocks: readonly ScoredBlock[]): string {
  const asked = askedForm(term)
  const forms = blocks.flatMap(({ text, matches }) =>
    matches.filter((match) => match.term === term).map(({ from, to }) => text.slice(from, to).toLowerCase()),
  )
  return forms.includes(asked) ? asked : (forms[0] ?? asked)
}

/** The words of a term as the caller wrote them, without punctuation around them. */
function askedForm({ source, words }: Term): string {
  const asked = splitWords(source)
  const isSame = asked.length === words.length && asked.every(({ word }, index) => word === words[index])
  return isSame ? source.slice(asked[0]?.from, asked.at(-1)?.to).toLowerCase() : words.join(' ')
}

export function correctionNote(ranking: Ranking | undefined, blocks: readonly ScoredBlock[]): string | undefined {
  if (ranking === undefined || ranking.corrections.length === 0) return undefined
  const words = ranking.corrections.map(
    ({ asked, found }) => `*${writtenForm(found, blocks)}* for *${askedForm(asked)}*`,
  )
  return `Found ${words.join(', ')}.`
}

export function unfinishedNote(count: number): string | undefined {
  if (count === 0) return undefined
  return `${formatCount(count, 'document')} ${count === 1 ? 'was' : 'were'} not searched to the end, since the patterns take too long there; use shorter repetitions.`
}

const quoteAll = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ')
