/**
 * What a browser keeps for its pages: pinned documents, what is open in the tree, and when its person was on Home. None of
 * it opens anything.
 */

import { readCookie } from '../base/read-cookie.ts'
import { isForLater, type PageCall } from './page-call.ts'
import { refused } from './page-refusal.ts'
import type { DocumentEntry } from './page-tools.ts'
import { text } from './texts/text.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60
const MAX_PINS = 30
/** Milliseconds after which somebody who comes back was away. */
const AWAY_MS = 30 * 60_000

/** Places of the tree that somebody opened or closed. Of more, the first ones are as if they never were. */
const MAX_FOLDS = 30

const ID = /^\d{12}$/
const FOLD = /^-?(?:\d{12}|unsorted|templates)$/
const FOLDS = 'scriptorium-tree'
const PINS = 'scriptorium-pins'
const VISIT = 'scriptorium-visit'

const read = (call: PageCall, name: string): string =>
  readCookie(call.request.request.headers.get('cookie'), name) ?? ''

/** A `Set-Cookie` header. @param seconds  null for as long as the browser is open */
function kept(call: PageCall, name: string, value: string, seconds: number | null = YEAR_SECONDS): string {
  const { base, origin } = call.request
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  const age = seconds === null ? '' : `; Max-Age=${seconds}`
  return `${name}=${value}; Path=${base}${age}; HttpOnly; SameSite=Lax${secure}`
}

/** The IDs of pinned documents, in the order in which they were pinned. */
export const pinsOf = (call: PageCall): string[] =>
  read(call, PINS)
    .split('.', MAX_PINS)
    .filter((id) => ID.test(id))

/** The pinned documents that the link reaches, without those in the trash. */
export async function readPinned(call: PageCall): Promise<DocumentEntry[]> {
  const ids = pinsOf(call)
  if (ids.length === 0 || !call.has('documents_list')) return []
  const listed = call.kind === 'full' ? await readDocuments(call, ids) : [await call.run('documents_list')]
  const found = listed.flatMap((one) => one?.items ?? [])
  return ids.flatMap((id) => found.find((one) => one.id === id && !one.isDeleted && one.location !== 'trash') ?? [])
}

/** One that was deleted for good is not found, and with it none. */
async function readDocuments(call: PageCall, ids: string[]) {
  const all = await call.find('documents_list', { documentIds: ids })
  if (all !== undefined) return [all]
  return Promise.all(ids.map((id) => call.find('documents_list', { documentIds: [id] })))
}

/**
 * Pins a document, or releases it.
 *
 * @throws VALIDATION_ERROR for what is no ID, and for more documents than can be pinned
 */
export function withPin(call: PageCall, id: string, isPinned: boolean): string {
  if (!ID.test(id)) throw refused(text('Expected the ID of a document, found none; load the page again.'))
  const others = pinsOf(call).filter((one) => one !== id)
  if (isPinned && others.length >= MAX_PINS)
    throw refused(
      text('Expected at most {most} pinned documents, found that many; unpin one first.', { most: MAX_PINS }),
    )
  return kept(call, PINS, (isPinned ? [...others, id] : others).join('.'))
}

/** What was opened in the tree, and what was closed: IDs of folders, documents and pages, and locations. */
export const foldsOf = (call: PageCall): ReadonlyMap<string, boolean> =>
  new Map(
    read(call, FOLDS)
      .split('.', MAX_FOLDS)
      .filter((one) => FOLD.test(one))
      .map((one) => [one.replace('-', ''), !one.startsWith('-')]),
  )

/** Opens or closes a place of the tree. @throws VALIDATION_ERROR for what is none */
export function withFold(call: PageCall, place: string, isOpen: boolean): string {
  if (!FOLD.test(place) || place.startsWith('-'))
    throw refused(text('Expected the ID of a folder, document or page, found none; load the page again.'))
  const folds = new Map(foldsOf(call))
  folds.delete(place)
  const all = [...folds, [place, isOpen] as const].slice(-MAX_FOLDS)
  return kept(call, FOLDS, all.map(([one, open]) => (open ? one : `-${one}`)).join('.'), null)
}

/** When this browser was on Home before: what happened since then is new. */
export interface LastVisit {
  /** Milliseconds since 1970; undefined on the first visit. */
  since: number | undefined
  /** Keeps this visit. */
  cookie: string
}

/** Pages that are opened one soon after the other are one visit. */
export function lastVisit(call: PageCall): LastVisit {
  const { now } = call.request
  const [before, latest] = read(call, VISIT).split('.').map(Number)
  const isKnown = latest !== undefined && latest > 0 && latest <= now
  const since = isKnown && now - latest < AWAY_MS ? before : isKnown ? latest : undefined
  const isSince = since !== undefined && since > 0 && since <= now
  // A page that is read for later is no visit.
  const visit = isForLater(call.request.request) ? read(call, VISIT) : `${isSince ? since : 0}.${now}`
  return { since: isSince ? since : undefined, cookie: kept(call, VISIT, visit) }
}
