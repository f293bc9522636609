/**
 * Groups calls as people would describe them: what one author did in one document without a longer pause. Calls of
 * several authors at the same time are in one group each.
 */

import { PAGE_CLIENT } from '../../space/model/space.ts'
import type { HistoryItem } from '../page-tools.ts'
import { callerName, isNewDocument, isPlaceless, placesOf } from './call-text.ts'

export interface CallGroup {
  /** Newest first. */
  calls: [HistoryItem, ...HistoryItem[]]
  /** True if they are changes that the reader made on the pages. */
  isOwn: boolean
  /** True if calls before those that were read may belong to it. */
  isCut?: boolean
}

/** Milliseconds. What somebody types has longer pauses. */
const PAUSE_MS = 10 * 60_000
const OWN_PAUSE_MS = 60 * 60_000
/** In the history of one document, each group is a version to go back to. */
export const VERSION_PAUSE_MS = 2 * 60_000

/** True if the call changed something that somebody can see. */
export const hasChanged = ({ summary, documents, tool, undoes }: HistoryItem): boolean =>
  summary !== '' || documents.length > 0 || undoes !== undefined || isPlaceless(tool)

/**
 * @param items  newest first
 * @param reader  the name of the person who reads the list
 * @param pauses  milliseconds without a call after which another group begins
 * @param hasEarlier  true if there are calls before these
 * @returns groups by their latest call, newest first. Calls that changed nothing are left out.
 */
export function groupCalls(
  items: readonly HistoryItem[],
  reader?: string,
  pauses = { ofOthers: PAUSE_MS, own: OWN_PAUSE_MS },
  hasEarlier = false,
): CallGroup[] {
  const groups: CallGroup[] = []
  const open = new Map<string, CallGroup>()
  for (const item of items) {
    if (!hasChanged(item)) continue
    const isOwn = item.client === PAGE_CLIENT && item.author === reader
    const key = `${authorKey(item)} ${whatKey(item)}`
    const group = open.get(key)
    const earliest = group?.calls.at(-1)?.at ?? ''
    const pause = isOwn ? pauses.own : pauses.ofOthers
    const isSame = item.undoes === undefined && item.undoneBy === undefined
    if (group !== undefined && isSame && Date.parse(earliest) - Date.parse(item.at) <= pause) group.calls.push(item)
    else {
      const begun: CallGroup = { calls: [item], isOwn }
      groups.push(begun)
      if (isSame) open.set(key, begun)
    }
  }
  const end = Date.parse(items.at(-1)?.at ?? '')
  for (const group of hasEarlier ? open.values() : []) {
    const pause = group.isOwn ? pauses.own : pauses.ofOthers
    if (Date.parse(group.calls.at(-1)?.at ?? '') - end <= pause) group.isCut = true
  }
  return groups
}

/** Single calls over a link, such as those of REST, have no connection. */
export const authorKey = (item: HistoryItem): string =>
  item.connection ?? `${item.linkId ?? item.author} ${callerName(item)}`

/** True for a call that made documents; not for the inbox or a day that began with what was written into it. */
export function isNewDocuments(item: HistoryItem): boolean {
  const places = placesOf(item)
  const isMade = places.length > 0 && places.every(({ changes }) => changes.some(isNewDocument))
  return isMade && !item.tool.startsWith('tasks_') && item.tool !== 'blocks_add'
}

/** New documents are one group, and so is what has no document. Everything else is grouped by document. */
function whatKey(item: HistoryItem): string {
  const { documents, tool } = item
  if (isNewDocuments(item)) return 'new documents'
  if (documents.length === 1) return documents[0]?.documentId ?? ''
  return documents.length === 0 ? tool : documents.map(({ documentId }) => documentId).join(' ')
}
