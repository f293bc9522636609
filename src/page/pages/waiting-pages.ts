/** Pending proposals: approving, editing before approval, and rejecting them. */

import { ScriptoriumError } from '../../base/errors.ts'
import { parseUnifiedDiff } from '../../difference/unified-diff.ts'
import type { ProposalItem } from '../../space/proposals/list-proposals.ts'
import { callerHtml, callerName, callWords } from '../calls/call-words.ts'
import { differenceHtml } from '../calls/difference.ts'
import { editedSteps, stepFieldsHtml } from '../calls/proposal-steps.ts'
import {
  byProposer,
  cardHtml,
  decidedEntryHtml,
  PROPOSAL_STATES,
  readProposal,
  readWaiting,
  rejectHtml,
} from '../calls/proposals.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageAnswer, ShownPage } from '../page-declaration.ts'

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
      : html`<div id="proposals" hx-get="${call.href('/waiting')}" hx-select="#proposals" hx-trigger="spacechange from:body" hx-swap="outerMorph">${await groupsHtml(call, waiting)}</div>`
    const main = html`<div class="page"><h1>Waiting for you</h1>
<nav class="tabs" aria-label="Proposals"><a href="${call.href('/waiting')}"${!isDecided && html` aria-current="page"`}>Waiting</a><a href="${call.href('/waiting', { state: 'decided' })}"${isDecided && html` aria-current="page"`}>Decided</a></nav>
${content}</div>`
    return { title: 'Waiting for you', main, current: '/waiting', showsWaiting: true }
  },
}

async function groupsHtml(call: PageCall, waiting: readonly ProposalItem[]): Promise<Html> {
  if (waiting.length === 0) {
    return html`<p class="empty">Nothing waits. What agents with access “propose” would change shows up here, and happens once you approve it.</p>`
  }
  const groups: Html[] = []
  for (const group of byProposer(waiting)) {
    const cards: Html[] = []
    const shown = await Promise.all(group.map(({ proposalId }) => readProposal(call, proposalId)))
    for (const [index, item] of shown.entries()) cards.push(await cardHtml(call, item, { isFirst: index === 0 }))
    groups.push(
      html`<section class="proposer">${shown.length > 1 && call.may('decide') && approveAllHtml(call, shown)}${cards}</section>`,
    )
  }
  return html`${groups}`
}

/** A button that approves all proposals of an agent, each as it was shown. */
function approveAllHtml(call: PageCall, items: readonly ProposalItem[]): Html | false {
  const [first] = items
  if (first === undefined) return false
  return html`<form class="acts" method="post" action="${call.href('/waiting/approve-all')}">${call.tokenField()}${items.map(
    ({ proposalId, fingerprint }) => html`<input type="hidden" name="proposal" value="${proposalId} ${fingerprint}">`,
  )}<button>Approve all ${items.length} of ${callerName(first)}</button></form>`
}

async function decidedHtml(call: PageCall): Promise<Html> {
  const { items } = await call.run<{ items: ProposalItem[] }>('proposals_list', { state: 'all', limit: DECIDED_LISTED })
  const decided = items.filter(({ state }) => state !== 'waiting')
  if (decided.length === 0) return html`<p class="empty">What you approved or rejected shows up here.</p>`
  return html`<ul class="calls">${decided.map((item) => decidedEntryHtml(call, item))}</ul>`
}

export const proposalPage: Page = {
  route: 'GET /waiting/:id',
  needs,
  async handle(call) {
    const id = call.params.id ?? ''
    return shownProposal(call, await readProposal(call, id), {})
  },
}

/** Information beyond the proposal itself. */
interface Circumstances {
  /** The changes it would make now, if they differ. */
  now?: { diff: string; fingerprint: string }
  /** The reason why it was not carried out. */
  fault?: string
}

async function shownProposal(call: PageCall, item: ProposalItem, { now, fault }: Circumstances): Promise<ShownPage> {
  const waiting = await readWaiting(call)
  const isFirst = byProposer(waiting).some(([first]) => first?.proposalId === item.proposalId)
  const content =
    item.state !== 'waiting'
      ? html`<p class="about">${PROPOSAL_STATES[item.state]}${item.decidedBy !== undefined && html` by ${item.decidedBy}`}</p>${await differenceHtml(call.comparer, parseUnifiedDiff(item.diff ?? ''), true)}`
      : now === undefined
        ? await cardHtml(call, item, { isFirst })
        : await staleHtml(call, item, now)
  const main = html`${barHtml([{ href: call.href('/waiting'), name: 'Waiting' }])}
<div class="page"><h1>${callWords({ ...item, documents: [] }, call.links, { isProposed: true })}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
${content}</div>`
  return {
    title: 'A proposal',
    main,
    current: '/waiting',
    showsWaiting: true,
    ...(fault !== undefined && { status: 409 }),
  }
}

/** Shows the proposed changes and those that the same calls would make now. */
const staleHtml = async (
  call: PageCall,
  item: ProposalItem,
  { diff, fingerprint }: { diff: string; fingerprint: string },
): Promise<Html> =>
  html`<div class="card waits"><p class="meta">${callerHtml(item)} proposed, ${call.formats.time(item.at)}</p>${await differenceHtml(call.comparer, parseUnifiedDiff(item.diff ?? ''), true)}</div>
<div class="card waits"><p class="meta">The documents were changed since. Now it would change this:</p>${await differenceHtml(call.comparer, parseUnifiedDiff(diff), true)}
<div class="acts"><form method="post" action="${call.href(`/waiting/${item.proposalId}/approve`)}">${call.tokenField()}<input type="hidden" name="fingerprint" value="${fingerprint}"><button class="go">Approve what it would change now</button></form>${rejectHtml(call, item.proposalId)}</div></div>`

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

interface Approval {
  proposalId: string
  fingerprint?: string | undefined
  steps?: object | undefined
}

const approve = (call: PageCall, { proposalId, fingerprint, steps }: Approval): Promise<{ callId: string }> =>
  call.run('proposals_approve', {
    proposalId,
    ...(fingerprint !== undefined && { fingerprint }),
    ...(steps !== undefined && { steps }),
  })

/** Shows the proposal again, with the changes that it would make now if they differ. */
async function refusedApproval(call: PageCall, id: string, error: unknown): Promise<PageAnswer> {
  if (!(error instanceof ScriptoriumError) || error.status >= 500 || error.code === 'NOT_FOUND_ERROR') throw error
  const diff = error.details?.find(({ path }) => path === 'diff')?.message
  const [, fingerprint] = /with fingerprint ([0-9a-f]+)/.exec(error.message) ?? []
  const item = await readProposal(call, id)
  const isStale = diff !== undefined && fingerprint !== undefined
  const fault = isStale ? 'The documents were changed since this was proposed. Nothing was written.' : error.message
  return shownProposal(call, item, { fault, ...(isStale && { now: { diff, fingerprint } }) })
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

export const editProposalPage: Page = {
  route: 'GET /waiting/:id/edit',
  needs,
  async handle(call) {
    return editPage(call, await readProposal(call, call.params.id ?? ''), {})
  },
}

/** Previews the edited calls, or carries them out. */
export const editProposal: Page = {
  route: 'POST /waiting/:id/edit',
  needs,
  async handle(call) {
    const proposalId = call.params.id ?? ''
    const item = await readProposal(call, proposalId)
    const steps = editedSteps(item.steps ?? [], call.form)
    const edited = { ...item, steps }
    try {
      if (call.form.get('do') === 'approve') {
        const { callId } = await approve(call, {
          proposalId,
          steps,
          fingerprint: call.form.get('fingerprint') ?? undefined,
        })
        return { redirect: `/waiting?notice=approved&call=${callId}` }
      }
      const { dryRun } = await call.rehearse('proposals_approve', { proposalId, steps })
      return await editPage(call, edited, { diff: dryRun.diff })
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || error.status >= 500) throw error
      return editPage(call, edited, { fault: error.message })
    }
  },
}

async function editPage(
  call: PageCall,
  item: ProposalItem,
  { diff, fault }: { diff?: string; fault?: string },
): Promise<ShownPage> {
  const { proposalId, steps = [] } = item
  const main = html`${barHtml([
    { href: call.href('/waiting'), name: 'Waiting' },
    { href: call.href(`/waiting/${proposalId}`), name: 'Proposal' },
  ])}
<div class="page"><h1>Edit before approving</h1>
<p class="about">${callerHtml(item)} proposed this. What you write here is carried out in its place.</p>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<form class="edit" method="post" action="${call.href(`/waiting/${proposalId}/edit`)}">${call.tokenField()}
${stepFieldsHtml(steps)}
<div class="acts"><button name="do" value="show"${diff === undefined && html` class="go"`}>Show what it changes</button>${diff !== undefined && html`<button class="go" name="do" value="approve">Approve as edited</button>`} <a class="button plain" href="${call.href(`/waiting/${proposalId}`)}">Cancel</a></div>
${diff !== undefined && (await differenceHtml(call.comparer, parseUnifiedDiff(diff), true))}
</form></div>`
  return {
    title: 'Edit a proposal',
    main,
    current: '/waiting',
    showsWaiting: true,
    ...(fault !== undefined && { status: 409 }),
  }
}
