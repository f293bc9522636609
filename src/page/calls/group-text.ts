/** Describes groups of calls in a sentence, such as `Robot worked on Plan: 14 blocks added in 2 minutes`. */

import { type Html, html, trusted } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { HistoryItem } from '../page-tools.ts'
import { pageLocale } from '../texts/language.ts'
import { count, text } from '../texts/text.ts'
import { type CallGroup, isNewDocuments } from './call-groups.ts'
import { callerHtml, callText, parseSummary } from './call-text.ts'
import { behindText, type CountedWords, countedWords, documentText } from './change-words.ts'
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
  const changes = changesText(calls)
  const time = durationText(calls)
  if (calls.every(isNewDocuments)) return html`${author} added ${namesHtml(call, documents, isCut)}${time}`
  if (isFiles(calls)) {
    return html`${author} added ${call.formats.number(calls.length)} files${within === undefined && html` to ${namesHtml(call, documents)}`}${time}`
  }
  if (within !== undefined || documents.length === 0) {
    return changes === ''
      ? html`${authored(author, callText(latest, call.links))}, ${call.formats.number(calls.length)} times${time}`
      : html`${author} made changes: ${changes}${time}`
  }
  return html`${author} worked on ${namesHtml(call, documents)}${changes !== '' && `: ${changes}`}${time}`
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

/** Such as `14 blocks added, 1 block changed, moved to the trash`: of all calls together, newest first. */
export function changesText(calls: readonly HistoryItem[]): string {
  const counts = new Map<string, CountedWords>()
  const changes = calls.flatMap(({ summary }) => parseSummary(summary)).flatMap(({ changes }) => changes)
  for (const counted of changes.map(countedWords)) {
    if (counted === undefined) continue
    const key = `${counted.noun} ${counted.verb}`
    counts.set(key, { ...counted, amount: counted.amount + (counts.get(key)?.amount ?? 0) })
  }
  const largest = [...counts.values()].sort((one, other) => other.amount - one.amount).slice(0, COUNTED)
  // What happened to the document itself matters however much else did.
  const own = new Set(changes.toReversed().flatMap((change) => documentText(change) ?? []))
  return [...largest.map(behindText), ...own].join(', ')
}

/** How long it took, from a minute on. */
function durationText(calls: CallGroup['calls']): string {
  const [latest] = calls
  const minutes = Math.round((Date.parse(latest.at) - Date.parse((calls.at(-1) ?? latest).at)) / MINUTE)
  if (minutes < 1) return ''
  if (minutes < HOUR) return count(minutes, { one: ' in a minute', other: ' in {n} minutes' })
  return count(Math.round(minutes / HOUR), { one: ' in an hour', other: ' in {n} hours' })
}
