/**
 * Reads hits of terms until enough documents meet all entries, or none are left.
 *
 * The newest hits of every term are read first. Where they do not suffice, the other documents are gone through from
 * new to old, some thousands at once: first those of the entry with the fewest documents, and of these those that meet
 * the next one. So the words that most documents have are looked up only for the few documents that have the others.
 */

import { DOCUMENTS_PER_SEARCH } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { HitReader, NUMBERS_AT_ONCE } from './hit-reader.ts'
import type { SearchScope } from './search-scope.ts'
import { canMatchPrefix, exactQuery, prefixQuery, type SearchEntry, type Term } from './search-terms.ts'
import { correctedTerm, MAX_CORRECTED_TERMS, termsWrittenApart } from './word-forms.ts'

/** A term with its hits, as far as they were read. */
export interface TermHits {
  term: Term
  /** The index of the entry that it is of. */
  entry: number
  hits: HitReader
  /** Blocks that have the word itself, where words that begin so were looked for as well. */
  exactBlocks?: ReadonlySet<number> | undefined
  /** The term that was asked, where this one stands for it. */
  correctedFrom?: Term
}

/** How much is read at once. */
export interface HitLimits {
  /** Hits that are read at first, of all terms together, and the least of one. */
  first: number
  perTerm: number
  /** Documents that one entry has and that the others are asked about one by one. */
  maxProbed: number
  /** Hits of the most common term in the documents that are gone through at first; later more. */
  batchSize: number
}

export const HIT_LIMITS: HitLimits = { first: 24_000, perTerm: 2_000, maxProbed: 256, batchSize: 5_000 }

/** The hits that were read, and what they tell. */
export interface ReadTerms {
  terms: TermHits[]
  /** Documents that meet all entries: all of them, or as many as were wanted at least. */
  met: DocumentNumbers
  /** Whether they are all. */
  isComplete: boolean
}

/** Numbers of documents: a set, or a map by them. */
export type DocumentNumbers = ReadonlySet<number> | ReadonlyMap<number, unknown>

/**
 * Reads hits of the terms of all entries, in the order of the entries.
 *
 * @param wanted  how many documents are enough
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
  for (const [term, hits] of await termsWrittenApart(space, scope, asked)) {
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

/** Beginnings of words fill up what the whole words of an entry leave short. */
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

/** Words that stand nowhere in the scope are replaced by those that they were probably meant to be. */
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

/** The documents that were found to have any of the terms of one entry. */
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
 * Where one entry is met by few documents, whether these meet the others need not be found among all hits.
 *
 * @returns the documents that meet all entries; undefined where no entry is met by few
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
    // Each question for beginnings takes as long as one for all of them.
    if (exactBlocks !== undefined) await hits.read(space, scope, Infinity)
    else await readMissing(space, hits, fewest)
  }
  return intersectEntries(byEntry)
}

/** Reads the hits of documents that were not read yet. */
const readMissing = (space: Space, hits: HitReader, documents: DocumentNumbers): Promise<void> =>
  hits.readDocuments(
    space,
    [...documents.keys()].filter((document) => document < hits.knownFrom && !hits.byDocument.has(document)),
  )

/** Goes on below the documents of which the hits that were read tell everything, until enough meet all entries. */
async function searchOlderDocuments(
  space: Space,
  scope: SearchScope,
  byEntry: readonly TermHits[][],
  { batchSize }: HitLimits,
  wanted: number,
): Promise<{ met: DocumentNumbers; isComplete: boolean }> {
  // Of beginnings SQLite gathers all hits, however few are asked for: they are read to the end at once.
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
    // Where few documents meet all entries, fewer and longer steps cost less.
    numbers = Math.min(numbers * 2, NUMBERS_AT_ONCE)
    await yieldToEventLoop()
  }
  // Their place is computed from all of their hits.
  for (const { hits } of terms) await readMissing(space, hits, found)
  return { met: found, isComplete: to === 0 }
}

/** Whether a document from this number on has any of the terms is known from the hits that were read. */
const entryKnownFrom = (entryTerms: readonly TermHits[]): number =>
  Math.max(...entryTerms.map(({ hits }) => hits.knownFrom))

/** The documents with numbers from one on and below another that meet all entries. */
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
