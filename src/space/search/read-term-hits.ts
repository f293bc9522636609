/**
 * Reads hits of terms until enough documents meet all entries, or no hits are left.
 *
 * The newest hits of every term are read first. If they are not enough, older documents are processed from new to old,
 * some thousands at once: first those of the entry with the fewest documents, and then those of them that meet the next
 * entry. This way, very common words are only looked up in the few documents that contain the other words.
 */

import { DOCUMENTS_PER_SEARCH } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { HitReader, NUMBERS_AT_ONCE } from './hit-reader.ts'
import type { SearchScope } from './search-scope.ts'
import { canMatchPrefix, exactQuery, prefixQuery, type SearchEntry, type Term } from './search-terms.ts'
import { correctedTerm, MAX_CORRECTED_TERMS, termsWrittenOtherwise } from './word-forms.ts'

/** A term with the hits that were read so far. */
export interface TermHits {
  term: Term
  /** The index of its entry. */
  entry: number
  hits: HitReader
  /** Blocks that contain the word itself, if words that start with it were searched for as well. */
  exactBlocks?: ReadonlySet<number> | undefined
  /** The term that the caller asked for, if this one is a correction. */
  correctedFrom?: Term
}

/** How much is read at once. */
export interface HitLimits {
  /** Hits that are read at first, for all terms together, and the minimum for one term. */
  first: number
  perTerm: number
  /** If an entry has at most this many documents, they are checked individually for the other entries. */
  maxProbed: number
  /** Hits of the most common term per batch of older documents, at first. Later batches have more. */
  batchSize: number
}

export const HIT_LIMITS: HitLimits = { first: 24_000, perTerm: 2_000, maxProbed: 256, batchSize: 5_000 }

/** The hits that were read, and the documents that result from them. */
export interface ReadTerms {
  terms: TermHits[]
  /** Documents that meet all entries: all of them, or at least as many as were wanted. */
  met: DocumentNumbers
  /** True if these are all of them. */
  isComplete: boolean
}

/** Document numbers: a set, or a map with them as keys. */
export type DocumentNumbers = ReadonlySet<number> | ReadonlyMap<number, unknown>

/**
 * Reads hits of the terms of all entries, in the order of the entries.
 *
 * @param wanted  the number of documents that is enough
 */
export async function readTermHits(
  space: Space,
  scope: SearchScope,
  entries: readonly SearchEntry[],
  limits: HitLimits,
  wanted: number,
): Promise<ReadTerms> {
  const terms = entries.flatMap(({ terms }, entry) =>
    terms.map((term): TermHits => ({ term, entry, hits: new HitReader(exactQuery(term), false) })),
  )
  const asked = terms.map(({ term }) => term)
  for (const [term, hits] of await termsWrittenOtherwise(space, scope, asked)) {
    terms.push({ term, entry: terms.find((one) => one.term === term.of)?.entry ?? 0, hits })
  }
  const byEntry = entries.map((_, index) => terms.filter(({ entry }) => entry === index))
  let limit = Math.max(limits.perTerm, Math.floor(limits.first / terms.length))
  for (const { hits } of terms) await hits.read(space, scope, limit)
  for (const entryTerms of byEntry) await addPrefixHits(space, scope, entryTerms, limit)
  await correctSpelling(space, scope, byEntry, limit)
  let matching = intersectEntries(byEntry)
  if (matching.size < wanted && byEntry.length > 1) {
    const probed = await probeDocuments(space, scope, byEntry, limits)
    if (probed !== undefined) return { terms, met: probed, isComplete: true }
    return { terms, ...(await searchOlderDocuments(space, scope, byEntry, limits, wanted)) }
  }
  const isComplete = () => terms.every(({ hits }) => hits.isComplete)
  while (matching.size < wanted && !isComplete()) {
    limit *= 4
    for (const { hits } of terms) await hits.read(space, scope, limit)
    matching = intersectEntries(byEntry)
  }
  return { terms, met: matching, isComplete: isComplete() }
}

/** Adds prefix matches if the exact matches of an entry are too few. */
async function addPrefixHits(
  space: Space,
  scope: SearchScope,
  entryTerms: readonly TermHits[],
  limit: number,
): Promise<void> {
  if (entryDocuments(entryTerms).size >= DOCUMENTS_PER_SEARCH || entryTerms.some(({ hits }) => !hits.isComplete)) return
  for (const termHits of entryTerms) {
    if (!canMatchPrefix(termHits.term)) continue
    termHits.exactBlocks = new Set([...termHits.hits.byDocument.values()].flat())
    termHits.hits = new HitReader(prefixQuery(termHits.term), true)
    await termHits.hits.read(space, scope, limit)
  }
}

/** Replaces words without a match in the scope by the words that were probably meant. */
async function correctSpelling(
  space: Space,
  scope: SearchScope,
  byEntry: readonly TermHits[][],
  limit: number,
): Promise<void> {
  const terms = byEntry.flat()
  const found = new Set(terms.flatMap(({ term, hits }) => (hits.count > 0 ? [term.of ?? term] : [])))
  const lost = terms.filter(({ term, hits }) => term.of === undefined && !found.has(term) && hits.isComplete)
  for (const termHits of lost.slice(0, MAX_CORRECTED_TERMS)) {
    const { term } = termHits
    const corrected = await correctedTerm(space, scope, term)
    if (corrected === undefined) continue
    termHits.correctedFrom = term
    termHits.term = corrected
    termHits.exactBlocks = undefined
    termHits.hits = new HitReader(exactQuery(corrected), false)
    await termHits.hits.read(space, scope, limit)
  }
}

/** The documents that are known to contain any of the terms of one entry. */
function entryDocuments(entryTerms: readonly TermHits[]): DocumentNumbers {
  const [first, ...others] = entryTerms
  if (first !== undefined && others.length === 0) return first.hits.byDocument
  const documents = new Set<number>()
  for (const { hits } of entryTerms) for (const document of hits.byDocument.keys()) documents.add(document)
  return documents
}

const intersectEntries = (byEntry: readonly TermHits[][]): DocumentNumbers =>
  byEntry.map(entryDocuments).reduce((matching, documents) => new Set(matching.keys()).intersection(documents))

/**
 * If few documents meet one entry, checks these directly for the other entries instead of reading all hits.
 *
 * @returns the documents that meet all entries; undefined if no entry has few documents
 */
async function probeDocuments(
  space: Space,
  scope: SearchScope,
  byEntry: readonly TermHits[][],
  { maxProbed }: HitLimits,
): Promise<DocumentNumbers | undefined> {
  const [fewest] = byEntry
    .filter((entryTerms) => entryTerms.every(({ hits }) => hits.isComplete))
    .map(entryDocuments)
    .sort((one, other) => one.size - other.size)
  if (fewest === undefined || fewest.size > maxProbed) return undefined
  for (const { hits, exactBlocks } of byEntry.flat()) {
    // A prefix query for one document takes as long as one for all of them.
    if (exactBlocks !== undefined) await hits.read(space, scope, Infinity)
    else await readMissing(space, hits, fewest)
  }
  return intersectEntries(byEntry)
}

/** Reads the hits of documents for which none were read yet. */
const readMissing = (space: Space, hits: HitReader, documents: DocumentNumbers): Promise<void> =>
  hits.readDocuments(
    space,
    [...documents.keys()].filter((document) => document < hits.knownFrom && !hits.byDocument.has(document)),
  )

/** Continues with documents older than those whose hits are all known, until enough meet all entries. */
async function searchOlderDocuments(
  space: Space,
  scope: SearchScope,
  byEntry: readonly TermHits[][],
  { batchSize }: HitLimits,
  wanted: number,
): Promise<{ met: DocumentNumbers; isComplete: boolean }> {
  // SQLite collects all hits of a prefix query, however few are requested, so they are read completely at once.
  const terms = byEntry.flat()
  for (const { hits, exactBlocks } of terms) if (exactBlocks !== undefined) await hits.read(space, scope, Infinity)
  const rarestFirst = byEntry.toSorted((one, other) => entryKnownFrom(one) - entryKnownFrom(other))
  const found = new Set(intersectEntries(byEntry).keys())
  let numbers = Math.max(1, Math.floor(batchSize / Math.max(...terms.map(({ hits }) => hits.density))))
  let to = Math.max(...byEntry.map(entryKnownFrom))
  while (to > 0 && found.size < wanted) {
    const from = Math.max(0, to - numbers)
    for (const document of await intersectRange(space, scope, rarestFirst, from, to)) found.add(document)
    to = from
    // If few documents meet all entries, fewer and longer steps are cheaper.
    numbers = Math.min(numbers * 2, NUMBERS_AT_ONCE)
    await yieldToEventLoop()
  }
  // Their rank is computed from all of their hits.
  for (const { hits } of terms) await readMissing(space, hits, found)
  return { met: found, isComplete: to === 0 }
}

/** The document number from which on the hits that were read show whether a document contains any of the terms. */
const entryKnownFrom = (entryTerms: readonly TermHits[]): number =>
  Math.max(...entryTerms.map(({ hits }) => hits.knownFrom))

/** The documents that meet all entries, with numbers from `from` up to but not including `to`. */
async function intersectRange(
  space: Space,
  scope: SearchScope,
  byEntry: readonly TermHits[][],
  from: number,
  to: number,
): Promise<ReadonlySet<number>> {
  let left: ReadonlySet<number> | undefined
  for (const entryTerms of byEntry) {
    const matching = new Set<number>()
    for (const { hits } of entryTerms) {
      if (left !== undefined && hits.isQuickerToLookUp(left.size, from, to)) {
        for (const document of left) {
          if (!matching.has(document) && (await hits.has(space, document))) matching.add(document)
          await yieldToEventLoop()
        }
      } else for (const document of await hits.documentsBetween(space, scope, from, to, left)) matching.add(document)
    }
    left = left === undefined ? matching : matching.intersection(left)
    if (left.size === 0) break
  }
  return left ?? new Set()
}
