/** Summarizes what calls changed: `"Plan": 3 blocks deleted, 1 block changed`. */

import { documentRecords } from '../../../storage/documents.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import {
  type CountedChange,
  type CountedNoun,
  NOUNS,
  reminderVisibility,
  type ShownChanges,
  type Verb,
  visibleChanges,
} from './counted-changes.ts'
import { type PlaceChanges, summaryText } from './summary-text.ts'
import type { DocumentVisibility } from './visible-history.ts'

/** The rows of one noun to which the same happened in one place. */
export interface CountedRows {
  noun: CountedNoun
  verb: Verb
  rows: ReadonlySet<number>
}

/** What happened in one place, in the order in which it is listed. */
export interface CountedPlace {
  /** The number of the document. Null outside of documents, as for folders. */
  document: number | null
  counted: CountedRows[]
}

/** A summary of changes: for each document, its title and what happened in it. */
export interface ChangeSummary {
  text: string
  places: CountedPlace[]
  /** All of it, row by row. */
  changes: readonly CountedChange[]
  /** The numbers of the documents, in order. */
  documents: number[]
  /** How many rows were added, changed or deleted. */
  rows: number
  /** True if the call changed more than what is counted here. */
  isPartial: boolean
}

/** Summarizes what each of these calls changed, within what is visible. */
export async function summarizeCalls(
  space: Space,
  calls: readonly number[],
  isVisible: DocumentVisibility,
): Promise<Map<number, ChangeSummary>> {
  const byCall = await visibleChanges(space, calls, isVisible)
  const names = await documentNames(
    space,
    [...byCall.values()].flatMap(({ changes }) => changes.flatMap(({ document }) => document ?? [])),
  )
  const summaries = new Map<number, ChangeSummary>()
  for await (const [call, shown] of iterateCooperatively(byCall)) summaries.set(call, summarize(shown, names))
  return summaries
}

/** Summarizes what a plan would do, in the same form. */
export async function summarizeChanges(space: Space, changes: readonly CountedChange[]): Promise<ChangeSummary> {
  const isOwn = await reminderVisibility(space, changes)
  return summarize(
    { changes: changes.filter(isOwn), isPartial: false },
    await documentNames(
      space,
      changes.flatMap(({ document }) => document ?? []),
    ),
  )
}

/** IDs and titles of documents, as the connection may see them, by number. */
export type DocumentNames = ReadonlyMap<number, { id: number; title: string }>

export async function documentNames(space: Space, documents: Iterable<number>): Promise<DocumentNames> {
  const records = await documentRecords(space.tx, [...new Set(documents)])
  const titleOf = await visibleTitles(
    space,
    records.map(({ title }) => title),
  )
  return new Map(records.map(({ n, id, title }) => [n, { id, title: titleOf(title) }]))
}

/** Describes changes. A document without a name is called a deleted one. */
export function summarize({ changes, isPartial }: ShownChanges, names: DocumentNames): ChangeSummary {
  const places = countPlaces(changes)
  const counts = places.map(({ document, counted }) => ({
    ...placeName(document, names),
    changes: counted.map(({ noun, verb, rows }) => ({ noun, verb, amount: rows.size })),
  }))
  const documents = places.flatMap(({ document }) => document ?? [])
  return { text: summaryText(counts, isPartial), places, changes, documents, rows: changes.length, isPartial }
}

/** A place as its description names it. */
export function placeName(document: number | null, names: DocumentNames): Pick<PlaceChanges, 'title' | 'isGone'> {
  if (document === null) return {}
  const title = names.get(document)?.title
  return title === undefined ? { isGone: true } : { title }
}

function countPlaces(changes: readonly CountedChange[]): CountedPlace[] {
  const byDocument = new Map<number | null, Map<string, { noun: CountedNoun; verb: Verb; rows: Set<number> }>>()
  const add = (document: number | null, noun: CountedNoun, verb: Verb, row: number) => {
    const counts = byDocument.get(document) ?? new Map()
    byDocument.set(document, counts)
    const counted = counts.get(`${noun}|${verb}`) ?? { noun, verb, rows: new Set<number>() }
    counts.set(`${noun}|${verb}`, counted)
    counted.rows.add(row)
  }
  for (const { table, row, verb, document } of changes) {
    if (!byDocument.has(document)) byDocument.set(document, new Map())
    const noun = NOUNS[table]
    if (noun !== undefined) add(document, noun, verb, row)
  }
  // If a block was added or deleted, so was everything that belongs to it.
  for (const { table, row, document } of changes) {
    const counts = byDocument.get(document)
    if (NOUNS[table] !== undefined) continue
    const isKnown = (['added', 'changed', 'deleted', 'restored'] as const).some((verb) =>
      counts?.get(`block|${verb}`)?.rows.has(row),
    )
    if (!isKnown) add(document, 'block', 'changed', row)
  }
  return [...byDocument].map(([document, counts]) => ({ document, counted: [...counts.values()] }))
}
