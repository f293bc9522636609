/**
 * Reads hits of terms until enough documents meet all entries, or none are left.
 *
 * The newest hits of every term are read first. Where they do not suffice, the other documents are gone through from
 * new to old, some thousands at once: first those of the entry with the fewest documents, and of these those that meet
 * the next one. So the words that most documents have are looked up only for the few documents that have the others.
 */
import { breathe } from '../../breathe.ts'
import { DOCUMENTS_FOUND } from '../../limits.ts'
import type { Space } from '../space.ts'
import { Hits, NUMBERS_AT_ONCE } from './hits.ts'
import type { Scope } from './scope.ts'
import { beginningQuery, type Entry, exactQuery, hasBeginning, type Term } from './terms.ts'

/** A term with its hits, as far as they were read. */
export interface TermHits {
  term: Term
  /** The index of the entry that it is of. */
  entry: number
  hits: Hits
  /** Blocks that have the word itself, where words that begin so were looked for as well. */
  whole?: ReadonlySet<number>
}

/** How much is read at once. */
export interface HitLimits {
  /** Hits that are read at first, of all terms together, and the least of one. */
  first: number
  ofTerm: number
  /** Documents that one entry has and that the others are asked about one by one. */
  few: number
  /** Hits of the most common term in the documents that are gone through at first; later more. */
  atOnce: number
}

export const HIT_LIMITS: HitLimits = { first: 24_000, ofTerm: 2_000, few: 256, atOnce: 5_000 }

/** Numbers of documents: a set, or a map by them. */
export type Documents = ReadonlySet<number> | ReadonlyMap<number, unknown>

/**
 * Reads hits of the terms of all entries, in the order of the entries.
 *
 * @returns the terms, and the documents that meet all entries: all of them, or {@link DOCUMENTS_FOUND} at least
 */
export async function readHits(
  space: Space,
  scope: Scope,
  entries: readonly Entry[],
  limits: HitLimits,
): Promise<{ terms: TermHits[]; met: Documents }> {
  const terms = entries.flatMap(({ terms }, entry) =>
    terms.map((term): TermHits => ({ term, entry, hits: new Hits(exactQuery(term), false) })),
  )
  const byEntry = entries.map((_, index) => terms.filter(({ entry }) => entry === index))
  let most = Math.max(limits.ofTerm, Math.floor(limits.first / terms.length))
  for (const { hits } of terms) await hits.read(space, scope, most)
  for (const ofEntry of byEntry) await addBeginnings(space, scope, ofEntry, most)
  let met = meeting(byEntry)
  if (met.size < DOCUMENTS_FOUND && byEntry.length > 1) {
    return {
      terms,
      met: (await askOneByOne(space, scope, byEntry, limits)) ?? (await goOnBelow(space, scope, byEntry, limits)),
    }
  }
  while (met.size < DOCUMENTS_FOUND && terms.some(({ hits }) => !hits.isComplete)) {
    most *= 4
    for (const { hits } of terms) await hits.read(space, scope, most)
    met = meeting(byEntry)
  }
  return { terms, met }
}

/** Beginnings of words fill up what the whole words of an entry leave short. */
async function addBeginnings(space: Space, scope: Scope, ofEntry: readonly TermHits[], most: number): Promise<void> {
  if (documentsOf(ofEntry).size >= DOCUMENTS_FOUND || ofEntry.some(({ hits }) => !hits.isComplete)) return
  for (const one of ofEntry) {
    if (!hasBeginning(one.term)) continue
    one.whole = new Set([...one.hits.byDocument.values()].flat())
    one.hits = new Hits(beginningQuery(one.term), true)
    await one.hits.read(space, scope, most)
  }
}

/** The documents that were found to have any of the terms of one entry. */
function documentsOf(ofEntry: readonly TermHits[]): Documents {
  const [first, ...others] = ofEntry
  if (first !== undefined && others.length === 0) return first.hits.byDocument
  const documents = new Set<number>()
  for (const { hits } of ofEntry) for (const document of hits.byDocument.keys()) documents.add(document)
  return documents
}

const meeting = (byEntry: readonly TermHits[][]): Documents =>
  byEntry.map(documentsOf).reduce((met, documents) => new Set(met.keys()).intersection(documents))

/**
 * Where one entry is met by few documents, whether these meet the others need not be found among all hits.
 *
 * @returns the documents that meet all entries; undefined where no entry is met by few
 */
async function askOneByOne(
  space: Space,
  scope: Scope,
  byEntry: readonly TermHits[][],
  { few }: HitLimits,
): Promise<Documents | undefined> {
  const [fewest] = byEntry
    .filter((ofEntry) => ofEntry.every(({ hits }) => hits.isComplete))
    .map(documentsOf)
    .sort((one, other) => one.size - other.size)
  if (fewest === undefined || fewest.size > few) return undefined
  for (const { hits, whole } of byEntry.flat()) {
    // Each question for beginnings takes as long as one for all of them.
    if (whole !== undefined) await hits.read(space, scope, Infinity)
    else await readMissing(space, hits, fewest)
  }
  return meeting(byEntry)
}

/** Reads the hits of documents that were not read yet. */
const readMissing = (space: Space, hits: Hits, documents: Documents): Promise<void> =>
  hits.readDocuments(
    space,
    [...documents.keys()].filter((document) => document < hits.reached && !hits.byDocument.has(document)),
  )

/** Goes on below the documents of which the hits that were read tell everything, until enough meet all entries. */
async function goOnBelow(
  space: Space,
  scope: Scope,
  byEntry: readonly TermHits[][],
  { atOnce }: HitLimits,
): Promise<Documents> {
  // Of beginnings SQLite gathers all hits, however few are asked for: they are read to the end at once.
  const terms = byEntry.flat()
  for (const { hits, whole } of terms) if (whole !== undefined) await hits.read(space, scope, Infinity)
  const rarestFirst = byEntry.toSorted((one, other) => reachedBy(one) - reachedBy(other))
  const found = new Set(meeting(byEntry).keys())
  let numbers = Math.max(1, Math.floor(atOnce / Math.max(...terms.map(({ hits }) => hits.density))))
  for (let to = Math.max(...byEntry.map(reachedBy)); to > 0 && found.size < DOCUMENTS_FOUND; ) {
    const from = Math.max(0, to - numbers)
    for (const document of await meetingBetween(space, scope, rarestFirst, from, to)) found.add(document)
    to = from
    // Where few documents meet all entries, fewer and longer steps cost less.
    numbers = Math.min(numbers * 2, NUMBERS_AT_ONCE)
    await breathe()
  }
  // Their place is reckoned from all of their hits.
  for (const { hits } of terms) await readMissing(space, hits, found)
  return found
}

/** Whether a document from this number on has any of the terms is known from the hits that were read. */
const reachedBy = (ofEntry: readonly TermHits[]): number => Math.max(...ofEntry.map(({ hits }) => hits.reached))

/** The documents with numbers from one on and below another that meet all entries. */
async function meetingBetween(
  space: Space,
  scope: Scope,
  byEntry: readonly TermHits[][],
  from: number,
  to: number,
): Promise<ReadonlySet<number>> {
  let left: ReadonlySet<number> | undefined
  for (const ofEntry of byEntry) {
    const having = new Set<number>()
    for (const { hits } of ofEntry) {
      if (left !== undefined && hits.isQuickerToLookUp(left.size, from, to)) {
        for (const document of left) {
          if (!having.has(document) && (await hits.has(space, document))) having.add(document)
          await breathe()
        }
      } else for (const document of await hits.documentsBetween(space, scope, from, to, left)) having.add(document)
    }
    left = left === undefined ? having : having.intersection(left)
    if (left.size === 0) break
  }
  return left ?? new Set()
}
