/** Summarizes what calls changed: `"Plan": 3 blocks deleted, 1 changed`. */

import { documentRecords } from '../../../storage/documents.ts'
import { formatCount } from '../../base/format-number.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import {
  type CountedChange,
  NOUNS,
  reminderVisibility,
  type ShownChanges,
  type Verb,
  visibleChanges,
} from './counted-changes.ts'
import type { DocumentVisibility } from './visible-history.ts'

/** Counts by noun and verb, in the order in which they are listed. */
class Counts {
  readonly #rows = new Map<string, Set<number>>()

  add(noun: string, verb: Verb, row: number): void {
    const key = `${noun}|${verb}`
    const rows = this.#rows.get(key)
    if (rows === undefined) this.#rows.set(key, new Set([row]))
    else rows.add(row)
  }

  has(noun: string, verb: Verb, row: number): boolean {
    return this.#rows.get(`${noun}|${verb}`)?.has(row) ?? false
  }

  toString(): string {
    const parts: string[] = []
    for (const [key, rows] of this.#rows) {
      const [noun = '', verb = ''] = key.split('|')
      parts.push(noun === 'document' ? verb : `${formatCount(rows.size, noun)} ${verb}`)
    }
    return parts.join(', ')
  }
}

/** A summary of changes: for each document, its title and what happened in it. */
export interface ChangeSummary {
  text: string
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
  const byDocument = new Map<number | null, Counts>()
  for (const { table, row, verb, document } of changes) {
    const counts = byDocument.get(document) ?? new Counts()
    byDocument.set(document, counts)
    const noun = NOUNS[table]
    if (noun !== undefined) counts.add(noun, verb, row)
  }
  // If a block was added or deleted, so was everything that belongs to it.
  for (const { table, row, document } of changes) {
    const counts = byDocument.get(document)
    if (counts === undefined || NOUNS[table] !== undefined) continue
    const isKnown = (['added', 'changed', 'deleted', 'restored'] as const).some((one) => counts.has('block', one, row))
    if (!isKnown) counts.add('block', 'changed', row)
  }
  const documents = [...byDocument.keys()].filter((one): one is number => one !== null)
  const parts = [...byDocument].map(([document, counts]) => {
    const text = String(counts)
    if (document === null) return text
    const title = names.get(document)?.title
    return `${title === undefined ? 'a deleted document' : JSON.stringify(title)}: ${text}`
  })
  if (isPartial) parts.push('and more that is not counted')
  return { text: parts.join('; '), documents, rows: changes.length, isPartial }
}
