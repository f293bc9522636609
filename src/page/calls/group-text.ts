/** Describes groups of calls in a sentence, such as `Robot worked on Plan: 14 blocks added in 2 minutes`. */

import { formatNumber } from '../../base/format-number.ts'
import { type Html, html, trusted } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { HistoryItem } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { type CallGroup, isNewDocuments } from './call-groups.ts'
import { callerHtml, callText, parseSummary } from './call-text.ts'

/** Documents that are named one by one, of a group that changed more. */
const NAMED = 2
/** Kinds of changes that are counted one by one. */
const COUNTED = 3
const MINUTE = 60_000
const HOUR = 60

/** @param within  the title of a document whose history is shown: it is not named */
export function groupText(call: PageCall, { calls, isOwn }: CallGroup, within?: string): Html {
  const [latest] = calls
  const author = isOwn ? html`<b>You</b>` : callerHtml(latest, call.pictures)
  if (calls.length === 1)
    return html`${author} ${lowerCase(callText(latest, call.links, within === undefined ? {} : { within }))}`
  const documents = documentsOf(calls)
  const changes = changesText(calls)
  const time = durationText(calls)
  if (calls.every(isNewDocuments)) return html`${author} added ${namesHtml(call, documents)}${time}`
  if (isFiles(calls)) {
    return html`${author} added ${formatNumber(calls.length)} files${within === undefined && html` to ${namesHtml(call, documents)}`}${time}`
  }
  if (within !== undefined || documents.length === 0) {
    const text = changes === '' ? lowerCase(callText(latest, call.links)) : `made changes: ${changes}`
    return html`${author} ${text}${changes === '' && html`, ${formatNumber(calls.length)} times`}${time}`
  }
  return html`${author} worked on ${namesHtml(call, documents)}${changes !== '' && `: ${changes}`}${time}`
}

/** The sentence of a call begins with its verb. */
const lowerCase = (text: Html): Html => trusted(String(text).replace(/^[A-Z]/, (letter) => letter.toLowerCase()))

function documentsOf(calls: readonly HistoryItem[]): HistoryItem['documents'] {
  const found = new Map<string, HistoryItem['documents'][number]>()
  for (const one of calls.flatMap(({ documents }) => documents))
    if (!found.has(one.documentId)) found.set(one.documentId, one)
  return [...found.values()]
}

function namesHtml(call: PageCall, documents: HistoryItem['documents']): Html {
  // Two names take as much room as one name and the number of one other.
  const named = documents.length > NAMED + 1 ? documents.slice(0, NAMED) : documents
  const others = documents.length - named.length
  const names = named.map(
    ({ documentId, title }) => html`<a href="${call.links.block(documentId)}"><b>${shownText(title)}</b></a>`,
  )
  return html`${names.map((name, index) => html`${index > 0 && (index === names.length - 1 && others === 0 ? ' and ' : ', ')}${name}`)}${others > 0 && ` and ${formatNumber(others)} more`}`
}

const isFiles = (calls: readonly HistoryItem[]): boolean => calls.every(({ tool }) => tool === 'files_add')

/** Such as `14 blocks added, 1 block changed`: of all calls together. */
export function changesText(calls: readonly HistoryItem[]): string {
  const counts = new Map<string, number>()
  const counted = calls.flatMap(({ summary }) => parseSummary(summary)).flatMap(({ changes }) => changes)
  for (const change of counted) {
    const [, count = '', noun = '', verb = ''] = /^(\d+) ([a-z]+?)s? ([a-z]+)$/.exec(change) ?? []
    if (noun !== '') counts.set(`${noun} ${verb}`, (counts.get(`${noun} ${verb}`) ?? 0) + Number(count))
  }
  const largest = [...counts].sort(([, one], [, other]) => other - one).slice(0, COUNTED)
  return largest
    .map(([key, count]) => {
      const [noun = '', verb = ''] = key.split(' ')
      return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'} ${verb}`
    })
    .join(', ')
}

/** How long it took, from a minute on. */
function durationText(calls: CallGroup['calls']): string {
  const [latest] = calls
  const minutes = Math.round((Date.parse(latest.at) - Date.parse((calls.at(-1) ?? latest).at)) / MINUTE)
  if (minutes < 1) return ''
  if (minutes < HOUR) return minutes === 1 ? ' in a minute' : ` in ${minutes} minutes`
  const hours = Math.round(minutes / HOUR)
  return hours === 1 ? ' in an hour' : ` in ${hours} hours`
}
