/** Describes groups of calls in a sentence, such as `Robot worked on Plan: 14 blocks added in 2 minutes`. */

import { NAMES_OF_CHANGE, type NamedChange } from '../../space/history/summary-text.ts'
import { type Html, html, trusted } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { HistoryItem } from '../page-tools.ts'
import { markedHtml } from '../shown-text.ts'
import { pageLocale } from '../texts/language.ts'
import { count, text } from '../texts/text.ts'
import { type CallGroup, isNewDocuments } from './call-groups.ts'
import { callerHtml, callText, placesOf } from './call-text.ts'
import { behindText, documentText } from './change-words.ts'
import { documentLink } from './changed-document.ts'

/** Documents that are named one by one, of a group that changed more. */
const NAMED = 2
/** Kinds of changes that are counted one by one. */
const COUNTED = 3
const MINUTE = 60_000
const HOUR = 60

/** @param within  the title of a document whose history is shown: it is not named */
export function groupText(call: PageCall, { calls, isOwn, isCut = false }: CallGroup, within?: string): Html {
  const [latest] = calls
  const author = isOwn ? html`<b>You</b>` : callerHtml(latest, call.pictures)
  if (calls.length === 1) return authored(author, callText(latest, call.links, within === undefined ? {} : { within }))
  const documents = documentsOf(calls)
  const counted = changesText(calls)
  const changes = counted === '' ? undefined : markedHtml(counted)
  const time = durationText(calls)
  if (calls.every(isNewDocuments)) return html`${author} added ${namesHtml(call, documents, isCut)}${time}`
  if (isFiles(calls)) {
    return html`${author} added ${call.formats.number(calls.length)} files${within === undefined && html` to ${namesHtml(call, documents)}`}${time}`
  }
  if (within !== undefined || documents.length === 0) {
    return changes === undefined
      ? html`${authored(author, callText(latest, call.links))}, ${call.formats.number(calls.length)} times${time}`
      : html`${author} made changes: ${changes}${time}`
  }
  return html`${author} worked on ${namesHtml(call, documents)}${changes && html`: ${changes}`}${time}`
}

/** The sentence of a call begins with its verb. German has it at the end. */
const authored = (author: Html, what: Html): Html =>
  pageLocale().language === 'en'
    ? html`${author} ${trusted(String(what).replace(/^[A-Z]/, (letter) => letter.toLowerCase()))}`
    : html`${author}: ${what}`

function documentsOf(calls: readonly HistoryItem[]): HistoryItem['documents'] {
  const found = new Map<string, HistoryItem['documents'][number]>()
  for (const one of calls.flatMap(({ documents }) => documents))
    if (!found.has(one.documentId)) found.set(one.documentId, one)
  return [...found.values()]
}

/** @param isCut  true if there may be more of them than these, so their number is not known */
function namesHtml(call: PageCall, documents: HistoryItem['documents'], isCut = false): Html {
  // Two names take as much room as one name and the number of one other.
  const named = documents.length > NAMED + 1 ? documents.slice(0, NAMED) : documents
  const others = documents.length - named.length
  const names = named.map((document) => documentLink(call.links, document))
  const isLast = (index: number) => index === names.length - 1 && others === 0 && !isCut
  const behind = isCut
    ? text(' and more')
    : others > 0 && text(' and {others} more', { others: call.formats.number(others) })
  return html`${names.map((name, index) => html`${index > 0 && (isLast(index) ? text(' and ') : ', ')}${name}`)}${behind}`
}

const isFiles = (calls: readonly HistoryItem[]): boolean => calls.every(({ tool }) => tool === 'files_add')

/**
 * Such as `14 blocks added, 1 block changed, moved to the trash`: of all calls together, newest first. What is named is
 * named once. Characters that are not seen have marks.
 */
export function changesText(calls: readonly HistoryItem[]): string {
  const all = calls.flatMap(placesOf).flatMap(({ changes }) => changes)
  const counted = Map.groupBy(
    all.filter(({ noun }) => noun !== 'document'),
    ({ noun, verb }) => `${noun} ${verb}`,
  )
  const largest = [...counted.values()]
    .map(together)
    .sort((one, other) => other.amount - one.amount)
    .slice(0, COUNTED)
  // What happened to the document itself matters however much else did.
  const own = new Set(all.toReversed().flatMap((change) => documentText(change) ?? []))
  return [...largest.map(behindText), ...own].join(', ')
}

/** The same happened several times: with all names if these are few, else with the number. */
function together(changes: readonly NamedChange[]): NamedChange {
  const { noun = 'block', verb = 'changed' } = changes[0] ?? {}
  const names = [...new Set(changes.flatMap((change) => change.names ?? []))]
  const isNamed = changes.every((change) => change.names?.length === change.amount) && names.length <= NAMES_OF_CHANGE
  if (isNamed) return { noun, verb, amount: names.length, names }
  return { noun, verb, amount: changes.reduce((sum, { amount }) => sum + amount, 0) }
}

/** How long it took, from a minute on. */
function durationText(calls: CallGroup['calls']): string {
  const [latest] = calls
  const minutes = Math.round((Date.parse(latest.at) - Date.parse((calls.at(-1) ?? latest).at)) / MINUTE)
  if (minutes < 1) return ''
  if (minutes < HOUR) return count(minutes, { one: ' in a minute', other: ' in {n} minutes' })
  return count(Math.round(minutes / HOUR), { one: ' in an hour', other: ' in {n} hours' })
}
