/**
 * Proposals: changes that agents propose, for a person to decide. A person can approve only what the page has shown in
 * full: a card that shows the beginning of a proposal leads to the rest and has no button for approving it.
 */

import { PROPOSAL_NOTE_LENGTH } from '../../base/limits.ts'
import { type DocumentDifference, parseUnifiedDiff } from '../../difference/read-diff.ts'
import { mustPropose } from '../../space/model/access.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ProposalItem } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'
import { callerHtml, callText, placesOf } from './call-text.ts'
import { differenceHtml } from './difference.ts'
import { readListNames, withListNames } from './list-names.ts'
import { mediaHtml, mediaOf } from './proposed-media.ts'
import { remainingPartsHtml } from './rehearsed-approval.ts'

/** Number of proposals to read at once. */
const LISTED = 50
/** Lines and characters of a diff up to which a card shows all of it, in the right column and in a list. */
const ROOM = { side: { lines: 24, length: 1_500 }, list: { lines: 200, length: 20_000 } }
/** Changed lines that a card in the right column shows of a longer one. */
const SIDE_LINES = 6

/**
 * Pending proposals, oldest first; empty for those who neither decide nor propose. What a link that decides has suggested
 * itself waits for others.
 */
export async function readWaiting(call: PageCall): Promise<ProposalItem[]> {
  const { link } = call.request.caller
  if (!call.has('proposals_list') || !(call.may('decide') || mustPropose(link))) return []
  const { items } = await call.run('proposals_list', { state: 'waiting', limit: LISTED })
  const { id } = link
  const isOwn = ({ linkId }: ProposalItem) => call.may('decide') && id !== undefined && linkId === id
  return items.filter((item) => !isOwn(item)).reverse()
}

/** A proposal with its steps and a part of what it would change. */
export interface ShownProposal {
  item: ProposalItem
  /** Leads to the next part, and says how many are left. */
  next?: { cursor: string; remaining: number }
}

/** @param cursor  of a part after the first @throws NOT_FOUND_ERROR; CURSOR_INVALID */
export async function readProposal(call: PageCall, id: string, cursor?: string): Promise<ShownProposal> {
  const { items, pagination } = await call.run('proposals_list', {
    proposalId: id,
    ...(cursor !== undefined && { cursor }),
  })
  const [item] = items
  if (item === undefined) throw new Error('Expected the proposal that was asked for.')
  return { item, ...(pagination && { next: pagination }) }
}

/** Groups proposals by agent, oldest first. */
export const byProposer = <Item extends Pick<ProposalItem, 'linkId' | 'author' | 'client'>>(
  items: readonly Item[],
): Item[][] => [...Map.groupBy(items, ({ linkId, author, client }) => linkId ?? `${author} ${client}`).values()]

/** The first pending proposals, for the right column. */
export async function waitingHtml(call: PageCall, waiting: readonly ProposalItem[]): Promise<Html> {
  const [first] = waiting
  const shown = first === undefined ? undefined : await call.find('proposals_list', { proposalId: first.proposalId })
  const [item] = shown?.items ?? []
  return html`<section class="waiting" id="waiting" data-stable>${
    item !== undefined &&
    html`<h2>Waiting for you <a href="${call.href('/waiting')}">${waiting.length === 1 ? text('Review') : text('Review all {waiting}', { waiting: waiting.length })}</a></h2>
${await cardHtml(call, { item, ...(shown?.pagination && { next: shown.pagination }) }, { size: 'side' })}`
  }</section>`
}

interface CardOptions {
  /** How much of it to show: a few lines, those that a list has room for, or the whole part that was read. */
  size: 'side' | 'list' | 'page'
  /** What to offer in place of the forms that decide. */
  acts?: Html
  /** What to show below the difference. */
  below?: Html | false
}

/** True if a card of this size shows all of a proposal. */
export function isShownInFull({ item, next }: ShownProposal, size: CardOptions['size']): boolean {
  if (next !== undefined || item.fingerprint === undefined) return false
  if (size === 'page') return true
  const { diff = '' } = item
  const media = mediaOf(item)
  if (diff.length + media.length > ROOM[size].length || (size === 'side' && media.count > 0)) return false
  return diff.split('\n').length <= ROOM[size].lines
}

/** A proposal with its diff and actions. */
export async function cardHtml(call: PageCall, shown: ShownProposal, options: CardOptions): Promise<Html> {
  const { size, acts, below = false } = options
  const { proposalId, at, tool, summary, diff = '' } = shown.item
  const compared = parseUnifiedDiff(diff)
  await readListNames(
    call,
    [...placesOf(shown.item), ...compared].map(({ title }) => title),
  )
  const documents = withListNames(call, compared)
  const isWhole = isShownInFull(shown, size)
  const content = isWhole || size === 'page' ? documents : beginningOf(documents, size)
  return html`<div class="card waits" id="proposal-${proposalId}">
<p class="meta">${callerHtml(shown.item, call.pictures)} proposes, ${call.formats.time(at)}</p>
<p class="what">${callText({ tool, summary, documents: [] }, call.links, { isProposed: true })}</p>
${await differenceHtml(call.comparer, content, documents.length > 1, { isWhole: shown.next === undefined && content === documents })}
${(isWhole || size === 'page') && shown.next === undefined && mediaHtml(call, shown.item)}${!isWhole && size !== 'page' && html`<p class="about">This is only the beginning.</p>`}${size === 'page' && shown.next !== undefined && nextPartHtml(call, proposalId, shown.next)}${below}${acts ?? (call.may('decide') ? actionsHtml(call, shown, { isWhole, size }) : html`<div class="acts"><a class="button" href="${proposalHref(call, proposalId)}">Show</a></div>`)}
</div>`
}

const nextPartHtml = (call: PageCall, id: string, { cursor, remaining }: NonNullable<ShownProposal['next']>): Html =>
  remainingPartsHtml(call, remaining, html`<a class="button go" href="${proposalHref(call, id, cursor)}">Next part</a>`)

const proposalHref = (call: PageCall, id: string, cursor?: string): string =>
  call.href(`/waiting/${id}`, cursor === undefined ? {} : { cursor })

/** What a card has room for. In the right column only changed lines. */
export function beginningOf(documents: readonly DocumentDifference[], size: 'side' | 'list'): DocumentDifference[] {
  let { lines, length } = size === 'side' ? { ...ROOM.side, lines: SIDE_LINES } : ROOM.list
  const shown: DocumentDifference[] = []
  for (const { hunks, ...document } of documents) {
    if (lines <= 0 || length <= 0) break
    const kept = hunks.map((hunk) => ({
      ...hunk,
      lines: hunk.lines.filter(({ sign, text }) => {
        if (size === 'side' && (sign === ' ' || text.trim() === '')) return false
        lines--
        length -= text.length
        return lines >= 0 && length >= 0
      }),
    }))
    shown.push({ ...document, hunks: kept.filter((hunk) => hunk.lines.length > 0) })
  }
  return shown
}

function actionsHtml(
  call: PageCall,
  { item: { proposalId, fingerprint, waitsFor = [], parts = [] }, next }: ShownProposal,
  { isWhole, size }: Pick<CardOptions, 'size'> & { isWhole: boolean },
): Html {
  const path = `/waiting/${proposalId}`
  const approve = !isWhole
    ? size !== 'page' && html`<a class="button go" href="${proposalHref(call, proposalId)}">Read all of it</a>`
    : waitsFor.length === 0
      ? approveHtml(call, proposalId, fingerprint ?? '', text('Approve'))
      : html`<span class="n">Can be approved after <a href="${proposalHref(call, waitsFor[0] ?? '')}">what it needs</a>.</span>`
  const left = parts.filter(({ state }) => state === 'waiting').length
  const isOld = next === undefined && fingerprint === undefined
  return html`<div class="acts">${approve}${size === 'page' && isOld && html`<a class="button go" href="${call.href(path, { now: '1' })}">Show what it would change now</a>`}
${size !== 'page' && left > 1 && html`<a class="button" href="${call.href(path)}#parts">Its ${call.formats.number(left)} parts</a> `}<a class="button" href="${call.href(`${path}/edit`)}">Edit</a>
${size === 'side' ? html`<a class="button plain" href="${call.href(path)}">Reject…</a>` : rejectHtml(call, proposalId)}</div>`
}

/** A button that approves what the page has shown. @param fingerprint  of all of it */
export const approveHtml = (call: PageCall, id: string, fingerprint: string, label: string): Html =>
  html`<form method="post" action="${call.href(`/waiting/${id}/approve`)}">${call.tokenField()}<input type="hidden" name="fingerprint" value="${fingerprint}"><button class="go">${label}</button></form>`

/** A form for rejecting, with an optional message to the agent. */
export const rejectHtml = (call: PageCall, id: string): Html =>
  html`<details class="reject"><summary class="button plain">Reject…</summary><form method="post" action="${call.href(`/waiting/${id}/reject`)}">${call.tokenField()}<label>A word to the agent <input type="text" dir="auto" name="note" maxlength="${PROPOSAL_NOTE_LENGTH}" autocomplete="off"></label><button>Reject</button></form></details>`

/** The states of proposals in words. */
export const PROPOSAL_STATES: Readonly<Record<ProposalItem['state'], TextKey>> = {
  waiting: textKey('waits'),
  approved: textKey('approved'),
  rejected: textKey('rejected'),
  ended: textKey('ended without a decision'),
}

/** A decided proposal in a list. */
export const decidedEntryHtml = (call: PageCall, item: ProposalItem): Html =>
  html`<li><span class="what">${callText({ ...item, documents: [] }, call.links, { isProposed: true })}</span>
<small>${callerHtml(item, call.pictures)}, ${PROPOSAL_STATES[item.state]}${item.decidedBy !== undefined && html` by ${shownText(item.decidedBy)}`}${item.decidedAt !== undefined && html` ${call.formats.time(item.decidedAt)}`}${item.note !== undefined && html`: “${item.note}”`}${item.callId !== undefined && html` · <a href="${call.href(`/calls/${item.callId}`)}">Changes</a>`}</small></li>
`
