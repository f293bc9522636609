/**
 * What calls changed, as data and as a line of text: `"Plan": 3 blocks deleted, 1 block changed`. Agents get the text,
 * which counts and names nothing but documents. Pages and callers over REST get the data, with names: see
 * change-names.ts.
 */
import { formatCount } from '../../base/format-number.ts'
import type { CountedNoun, Verb } from './counted-changes.ts'

/** What is counted. In texts, rows, tasks, pages and collections are blocks. */
const COUNTED = [
  ...(['block', 'document', 'folder', 'property', 'option', 'view', 'comment', 'reminder', 'element'] as const),
] as const satisfies CountedNoun[]
const NAMED = ['row', 'task', 'page', 'collection'] as const
export const CHANGED_NOUNS = [...COUNTED, ...NAMED] as const
export type ChangedNoun = CountedNoun | (typeof NAMED)[number]

/** What happened. In texts, what was renamed or got another icon was changed. */
const COUNTED_VERBS = [
  ...(['added', 'changed', 'moved', 'deleted', 'restored', 'moved to the trash', 'restored from the trash'] as const),
] as const satisfies Verb[]
export const CHANGE_VERBS = [...COUNTED_VERBS, 'renamed', 'icon changed'] as const
export type ChangeVerb = Verb | 'renamed' | 'icon changed'

/** Things of one kind to which the same happened in one place. */
export interface NamedChange {
  noun: ChangedNoun
  verb: ChangeVerb
  amount: number
  /** The names of the first of them. */
  names?: string[] | undefined
  /** The collection that all of them are in, for rows. */
  collection?: { id: string; title: string } | undefined
  /** The properties whose values changed. There may be more if there are more than {@link FIELDS_NAMED}. */
  fields?: string[] | undefined
}

/** Names of things, and of properties, that one change has. */
export const NAMES_OF_CHANGE = 3
export const FIELDS_NAMED = 3

/** What happened in one place. */
export interface PlaceChanges {
  /** The title of the document. Absent outside of documents, as for folders, and for a document that is gone. */
  title?: string | undefined
  /** True for a document that is gone. */
  isGone?: true | undefined
  changes: NamedChange[]
}

/** @param isPartial  true if there is more than is counted */
export function summaryText(places: readonly PlaceChanges[], isPartial: boolean): string {
  const parts = places.map(({ title, isGone, changes }) => {
    const text = changes.map(changeText).join(', ')
    if (isGone) return `${GONE}: ${text}`
    return title === undefined ? text : `${JSON.stringify(title)}: ${text}`
  })
  return [...parts, ...(isPartial ? [MORE] : [])].join('; ')
}

const GONE = 'a deleted document'
const MORE = 'and more that is not counted'

const changeText = ({ noun, verb, amount }: NamedChange): string =>
  noun === 'document' ? verb : `${formatCount(amount, noun)} ${verb}`

/** A text as it was written: see {@link summaryText}. Proposals keep nothing else. */
export interface ReadSummary {
  places: PlaceChanges[]
  isPartial: boolean
  /** Sentences about what changed nothing, such as `Nothing: all is as before.` */
  others: string[]
}

/** Reads a text of {@link summaryText}. */
export function readSummaryText(text: string): ReadSummary {
  const read: ReadSummary = { places: [], isPartial: false, others: [] }
  const pattern = /(?:("(?:[^"\\]|\\.)*"|a deleted document): )?([^;"]+)(?:; |$)/gy
  for (const [, named, all = ''] of text.matchAll(pattern)) {
    if (named === undefined && all === MORE) {
      read.isPartial = true
      continue
    }
    const changes = all.split(', ').flatMap((change) => readChange(change) ?? [])
    if (changes.length === 0) read.others.push(all)
    else if (named === GONE) read.places.push({ isGone: true, changes })
    else read.places.push({ ...(named !== undefined && { title: JSON.parse(named) as string }), changes })
  }
  return read
}

const isOneOf = <One extends string>(list: readonly One[], text: string): text is One =>
  (list as readonly string[]).includes(text)

/** Undefined for what is counted in no known way. */
function readChange(change: string): NamedChange | undefined {
  if (isOneOf(COUNTED_VERBS, change)) return { noun: 'document', verb: change, amount: 1 }
  const [, number = '', plural = '', verb = ''] = /^([\d,]+) ([a-z]+) ([a-z ]+)$/.exec(change) ?? []
  const noun = plural.replace(/ies$/, 'y').replace(/s$/, '')
  if (!isOneOf(COUNTED, noun) || !isOneOf(COUNTED_VERBS, verb)) return undefined
  return { noun, verb, amount: Number(number.replaceAll(',', '')) }
}
