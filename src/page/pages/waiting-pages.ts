/** Pending proposals: reading, approving and rejecting them. */

import { ScriptoriumError } from '../../base/errors.ts'
import { parseUnifiedDiff } from '../../difference/read-diff.ts'
import { callerHtml, callerName, callText, placesOf } from '../calls/call-text.ts'
import { differenceHtml } from '../calls/difference.ts'
import { readListNames, withListNames } from '../calls/list-names.ts'
import {
  approveHtml,
  beginningOf,
  byProposer,
  cardHtml,
  decidedEntryHtml,
  isShownInFull,
  PROPOSAL_STATES,
  readProposal,
  readWaiting,
  rejectHtml,
  type ShownProposal,
} from '../calls/proposals.ts'
import { mediaHtml } from '../calls/proposed-media.ts'
import { decidablePartsHtml, onlyRowHtml, readParts } from '../calls/proposed-parts.ts'
import {
  type AskedPart,
  approve,
  partIn,
  rehearseApproval,
  remainingPartsHtml,
  warningHtml,
} from '../calls/rehearsed-approval.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageAnswer, ShownPage } from '../page-declaration.ts'
import type { ProposalItem } from '../page-tools.ts'
import { refusalText } from '../refusal-text.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'

const needs = ['proposals_list'] as const
/** Number of decided proposals to list. */
const DECIDED_LISTED = 50

export const waitingPage: Page = {
  route: 'GET /waiting',
  needs,
  async handle(call) {
    const waiting = await readWaiting(call)
    const isDecided = call.query.get('state') === 'decided'
    const content = isDecided
      ? await decidedHtml(call)
      : html`<div id="proposals" data-stable hx-get="${call.href('/waiting')}" hx-select="#proposals" hx-trigger="spacechange from:body" hx-swap="outerMorph">${await groupsHtml(call, waiting)}</div>`
    const main = html`<div class="page"><h1>Waiting for you</h1>
<nav class="tabs" aria-label="Proposals"><a href="${call.href('/waiting')}"${!isDecided && html` aria-current="page"`}>Waiting</a><a href="${call.href('/waiting', { state: 'decided' })}"${isDecided && html` aria-current="page"`}>Decided</a></nav>
${content}</div>`
    return { title: text('Waiting for you'), main, current: '/waiting', showsWaiting: true, showsDataImages: true }
  },
}

async function groupsHtml(call: PageCall, waiting: readonly ProposalItem[]): Promise<Html> {
  if (waiting.length === 0) {
    return html`<p class="empty">Nothing waits. Changes that agents with access “propose” want to make show up here, and take effect once you approve them.</p>`
  }
  const groups: Html[] = []
  for (const group of byProposer(waiting)) {
    const cards: Html[] = []
    const shown: ShownProposal[] = []
    for (const { proposalId } of group) {
      const one = await readProposal(call, proposalId)
      shown.push(one)
      cards.push(await cardHtml(call, one, { size: 'list' }))
    }
    const isAllShown = shown.every((one) => isShownInFull(one, 'list'))
    groups.push(
      html`<section class="proposer">${isAllShown && shown.length > 1 && call.may('decide') && approveAllHtml(call, shown)}${cards}</section>`,
    )
  }
  return html`${groups}`
}

/** A button that approves all proposals of an agent, each as it was shown. */
function approveAllHtml(call: PageCall, all: readonly ShownProposal[]): Html | false {
  const [first] = all
  if (first === undefined) return false
  return html`<form class="acts" method="post" action="${call.href('/waiting/approve-all')}">${call.tokenField()}${all.map(
    ({ item: { proposalId, fingerprint } }) =>
      html`<input type="hidden" name="proposal" value="${proposalId} ${fingerprint}">`,
  )}<button>Approve all ${all.length} of ${shownText(callerName(first.item))}</button></form>`
}

async function decidedHtml(call: PageCall): Promise<Html> {
  const { items } = await call.run('proposals_list', { state: 'all', limit: DECIDED_LISTED })
  const decided = items.filter(({ state }) => state !== 'waiting')
  await readListNames(
    call,
    decided.flatMap((item) => placesOf(item).map(({ title }) => title)),
  )
  if (decided.length === 0) return html`<p class="empty">What you approved or rejected shows up here.</p>`
  return html`<ul class="calls">${decided.map((item) => decidedEntryHtml(call, item))}</ul>`
}

export const proposalPage: Page = {
  route: 'GET /waiting/:id',
  needs,
  async handle(call) {
    const id = call.params.id ?? ''
    const { query } = call
    if (query.has('now') && call.may('decide')) return proposalNow(call, id, partIn(query))
    return shownProposal(call, await readProposal(call, id, query.get('cursor') ?? undefined))
  },
}

async function shownProposal(call: PageCall, shown: ShownProposal, fault?: string): Promise<ShownPage> {
  const { item, next } = shown
  const { proposalId, state, decidedBy, diff = '' } = item
  const compared = parseUnifiedDiff(diff)
  await readListNames(
    call,
    [...placesOf(item), ...compared].map(({ title }) => title),
  )
  const decided = async () =>
    html`<p class="about">${PROPOSAL_STATES[state]}${decidedBy !== undefined && html` by ${shownText(decidedBy)}`}</p>${await differenceHtml(call.comparer, withListNames(call, compared), true, { isWhole: next === undefined })}${next !== undefined && html`<p class="more"><a class="button" href="${call.href(`/waiting/${proposalId}`, { cursor: next.cursor })}">Next part</a></p>`}`
  const waiting = async () => html`${await cardHtml(call, shown, { size: 'page' })}${await decidableParts(call, item)}`
  const content = await (state === 'waiting' ? waiting() : decided())
  return proposalFrame(call, item, content, fault)
}

/** The parts of a proposal that has several, or the row that is all of it. */
async function decidableParts(call: PageCall, { proposalId, tool, parts = [] }: ProposalItem): Promise<Html | false> {
  if (parts.length > 1) return decidablePartsHtml(call, await readParts(call, proposalId))
  return tool === 'items_add' && onlyRowHtml(call, await readParts(call, proposalId))
}

function proposalFrame(call: PageCall, item: ProposalItem, content: Html, fault: string | undefined): ShownPage {
  const main = html`${barHtml([{ href: call.href('/waiting'), name: text('Waiting') }])}
<div class="page"><h1>${callText({ ...item, documents: [] }, call.links, { isProposed: true })}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${shownText(fault)}</p>`}
${content}</div>`
  return {
    title: text('A proposal'),
    main,
    current: '/waiting',
    showsWaiting: true,
    showsDataImages: true,
    ...(fault !== undefined && { status: 409 }),
  }
}

/** What the calls of a proposal would change now, after the documents have changed. */
async function proposalNow(call: PageCall, id: string, asked: AskedPart, fault?: string): Promise<ShownPage> {
  const { item } = await readProposal(call, id)
  const rehearsed = await rehearseApproval(call, { proposalId: id }, asked)
  const { fingerprint, of, part, diff, next, left } = rehearsed
  const following = call.href(`/waiting/${id}`, { now: '1', of, part: String(next) })
  const button = next === undefined && approveHtml(call, id, fingerprint, text('Approve what it would change now'))
  const before = part === 0 && (await proposedHtml(call, item))
  const content = html`${before}<div class="card waits"><p class="meta">${part === 0 ? text('Now it would change this:') : text('What it would change now, continued:')}</p>${warningHtml(rehearsed)}${await differenceHtml(call.comparer, parseUnifiedDiff(diff), true, { isWhole: next === undefined })}
${next === undefined && mediaHtml(call, item)}${next !== undefined && remainingPartsHtml(call, left, html`<a class="button go" href="${following}">Next part</a>`)}
<div class="acts">${button}${rejectHtml(call, id)}</div></div>`
  return proposalFrame(call, item, content, fault)
}

/** What was proposed, for comparison with what would happen now. */
const proposedHtml = async (call: PageCall, item: ProposalItem): Promise<Html> =>
  html`<div class="card waits"><p class="meta">${callerHtml(item, call.pictures)} proposed this, ${call.formats.time(item.at)}. The documents may have changed since.</p>${await differenceHtml(call.comparer, beginningOf(parseUnifiedDiff(item.diff ?? ''), 'list'), true)}</div>
`

export const approveProposal: Page = {
  route: 'POST /waiting/:id/approve',
  needs,
  async handle(call) {
    const proposalId = call.params.id ?? ''
    const fingerprint = call.form.get('fingerprint') ?? undefined
    try {
      const { callId } = await approve(call, { proposalId, fingerprint })
      return { redirect: `/waiting?notice=approved&call=${callId}` }
    } catch (error) {
      return refusedApproval(call, proposalId, error)
    }
  },
}

/** Shows the proposal again, with the changes that it would make now if they differ. */
export async function refusedApproval(call: PageCall, id: string, error: unknown): Promise<PageAnswer> {
  if (!(error instanceof ScriptoriumError) || !error.isRefusal || error.code === 'NOT_FOUND_ERROR') throw error
  const isStale = error.details?.some(({ path }) => path === 'diff')
  if (!isStale) return shownProposal(call, await readProposal(call, id), refusalText(error))
  const fault = text('The documents were changed since this was proposed. Nothing was written.')
  return proposalNow(call, id, { part: 0, of: '' }, fault)
}

/** Stops at the first proposal that cannot be carried out, since later ones may depend on it. */
export const approveAll: Page = {
  route: 'POST /waiting/approve-all',
  needs,
  async handle(call) {
    for (const entry of call.form.getAll('proposal')) {
      const [proposalId = '', fingerprint] = entry.split(' ')
      try {
        await approve(call, { proposalId, fingerprint })
      } catch (error) {
        return refusedApproval(call, proposalId, error)
      }
    }
    return { redirect: '/waiting?notice=approved' }
  },
}

export const rejectProposal: Page = {
  route: 'POST /waiting/:id/reject',
  needs,
  async handle(call) {
    const note = (call.form.get('note') ?? '').trim()
    await call.run('proposals_reject', { proposalId: call.params.id ?? '', ...(note !== '' && { note }) })
    return { redirect: '/waiting?notice=rejected' }
  },
}
