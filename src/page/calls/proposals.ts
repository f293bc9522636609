/** Proposals: changes that agents propose, for a person to decide. */

import { type DocumentDifference, parseUnifiedDiff } from '../../difference/unified-diff.ts'
import type { ProposalItem } from '../../space/proposals/list-proposals.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { callerHtml, callWords } from './call-words.ts'
import { differenceHtml } from './difference.ts'

/** Number of proposals to read at once. */
const LISTED = 50
/** Lines of a diff that a card in the right column shows. */
const LINES_SHOWN = 6

/** Pending proposals, oldest first; empty if the connection has no access to proposals. */
export async function readWaiting(call: PageCall): Promise<ProposalItem[]> {
  if (!call.has('proposals_list')) return []
  const { items } = await call.run<{ items: ProposalItem[] }>('proposals_list', { state: 'waiting', limit: LISTED })
  return items.reverse()
}

/** Reads one proposal with its steps and its diff. @throws NOT_FOUND_ERROR */
export async function readProposal(call: PageCall, id: string): Promise<ProposalItem> {
  const { items } = await call.run<{ items: ProposalItem[] }>('proposals_list', { proposalId: id })
  const [item] = items
  if (item === undefined) throw new Error('Expected the proposal that was asked for.')
  return item
}

/** Groups proposals by agent, in the order in which they can be approved. */
export const byProposer = (items: readonly ProposalItem[]): ProposalItem[][] => [
  ...Map.groupBy(items, ({ linkId, author, client }) => linkId ?? `${author} ${client}`).values(),
]

/** The first pending proposals, for the right column. */
export async function waitingHtml(call: PageCall, waiting: readonly ProposalItem[]): Promise<Html> {
  const [first] = waiting
  const shown =
    first === undefined
      ? undefined
      : await call.find<{ items: ProposalItem[] }>('proposals_list', { proposalId: first.proposalId })
  const item = shown?.items[0]
  return html`<section class="waiting" id="waiting">${
    item !== undefined &&
    html`<h2>Waiting for you <a href="${call.href('/waiting')}">${waiting.length === 1 ? 'Review' : `Review all ${waiting.length}`}</a></h2>
${await cardHtml(call, item, { isFirst: true, isBrief: true })}`
  }</section>`
}

interface CardOptions {
  /** True if it can be approved: the proposals of an agent are approved oldest first. */
  isFirst: boolean
  /** True to show only the beginning of its diff. */
  isBrief?: boolean
  /** The label of the link to its page, if nothing can be decided here. */
  wayThere?: string
}

/** A proposal with its diff and actions. */
export async function cardHtml(call: PageCall, item: ProposalItem, options: CardOptions): Promise<Html> {
  const { isFirst, isBrief = false, wayThere = 'Show' } = options
  const { proposalId, at, tool, summary, diff = '' } = item
  const documents = parseUnifiedDiff(diff)
  const path = `/waiting/${proposalId}`
  return html`<div class="card waits" id="proposal-${proposalId}">
<p class="meta">${callerHtml(item)} proposes, ${call.formats.time(at)}</p>
<p class="what">${callWords({ tool, summary, documents: [] }, call.links, { isProposed: true })}</p>
${isBrief ? await briefHtml(call, documents) : await differenceHtml(call.comparer, documents, documents.length > 1)}
${call.may('decide') ? actionsHtml(call, item, { isFirst, isBrief }) : html`<div class="acts"><a class="button" href="${call.href(path)}">${wayThere}</a></div>`}
</div>`
}

function briefHtml(call: PageCall, documents: readonly DocumentDifference[]): Promise<Html> {
  const changed = documents
    .flatMap(({ parts }) => parts.flat())
    .filter(({ sign, text }) => sign !== ' ' && text.trim() !== '')
  return differenceHtml(call.comparer, [{ title: '', notes: [], parts: [changed.slice(0, LINES_SHOWN)] }], false)
}

function actionsHtml(
  call: PageCall,
  { proposalId, fingerprint }: ProposalItem,
  { isFirst, isBrief }: CardOptions,
): Html {
  const path = `/waiting/${proposalId}`
  const approve = html`<form method="post" action="${call.href(`${path}/approve`)}">${call.tokenField()}${fingerprint !== undefined && html`<input type="hidden" name="fingerprint" value="${fingerprint}">`}<button class="go">Approve</button></form>`
  return html`<div class="acts">${isFirst ? approve : html`<span class="n">Can be approved after the one before.</span>`}
<a class="button" href="${call.href(`${path}/edit`)}">Edit</a>
${isBrief ? html`<a class="button plain" href="${call.href(path)}">Reject…</a>` : rejectHtml(call, proposalId)}</div>`
}

/** A form for rejecting, with an optional message to the agent. */
export const rejectHtml = (call: PageCall, id: string): Html =>
  html`<details class="reject"><summary class="button plain">Reject…</summary><form method="post" action="${call.href(`/waiting/${id}/reject`)}">${call.tokenField()}<label>A word to the agent <input type="text" name="note" maxlength="1000" autocomplete="off"></label><button>Reject</button></form></details>`

/** The states of proposals in words. */
export const PROPOSAL_STATES: Readonly<Record<ProposalItem['state'], string>> = {
  waiting: 'waits',
  approved: 'approved',
  rejected: 'rejected',
  ended: 'ended without a decision',
}

/** A decided proposal in a list. */
export const decidedEntryHtml = (call: PageCall, item: ProposalItem): Html =>
  html`<li><span class="what">${callWords({ ...item, documents: [] }, call.links, { isProposed: true })}</span>
<small>${callerHtml(item)}, ${PROPOSAL_STATES[item.state]}${item.decidedBy !== undefined && html` by ${item.decidedBy}`}${item.decidedAt !== undefined && html` ${call.formats.time(item.decidedAt)}`}${item.note !== undefined && html`: “${item.note}”`}${item.callId !== undefined && html` · <a href="${call.href(`/calls/${item.callId}`)}">Changes</a>`}</small></li>
`
