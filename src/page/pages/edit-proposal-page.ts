/** Editing a proposal before approving it. What its calls would change as edited is shown before they can be carried out. */

import { ScriptoriumError } from '../../base/errors.ts'
import { parseUnifiedDiff } from '../../difference/read-diff.ts'
import { callerHtml } from '../calls/call-text.ts'
import { differenceHtml } from '../calls/difference.ts'
import { editedSteps, stepFieldsHtml } from '../calls/proposal-steps.ts'
import { readProposal } from '../calls/proposals.ts'
import { mediaHtml } from '../calls/proposed-media.ts'
import {
  approve,
  partIn,
  type RehearsedApproval,
  rehearseApproval,
  remainingPartsHtml,
  warningHtml,
} from '../calls/rehearsed-approval.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { ProposalItem } from '../page-tools.ts'
import { refusalText } from '../refusal-text.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'

const needs = ['proposals_list'] as const

export const editProposalPage: Page = {
  route: 'GET /waiting/:id/edit',
  needs,
  async handle(call) {
    const { item } = await readProposal(call, call.params.id ?? '')
    return editPage(call, item, {})
  },
}

/** Previews the edited calls, or carries them out. */
export const editProposal: Page = {
  route: 'POST /waiting/:id/edit',
  needs,
  async handle(call) {
    const { form } = call
    const proposalId = call.params.id ?? ''
    const { item } = await readProposal(call, proposalId)
    const steps = editedSteps(item.steps ?? [], form)
    const edited = { ...item, steps }
    try {
      if (form.get('do') === 'approve') {
        const { callId } = await approve(call, { proposalId, steps, fingerprint: form.get('fingerprint') ?? undefined })
        return { redirect: `/waiting?notice=approved&call=${callId}` }
      }
      const asked = form.get('do') === 'next' ? partIn(form) : { part: 0, of: '' }
      return await editPage(call, edited, { preview: await rehearseApproval(call, { proposalId, steps }, asked) })
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || !error.isRefusal) throw error
      return editPage(call, edited, { fault: refusalText(error) })
    }
  },
}

async function editPage(
  call: PageCall,
  item: ProposalItem,
  { preview, fault }: { preview?: RehearsedApproval; fault?: string },
): Promise<ShownPage> {
  const { proposalId, steps = [] } = item
  const main = html`${barHtml([
    { href: call.href('/waiting'), name: text('Waiting') },
    { href: call.href(`/waiting/${proposalId}`), name: text('Proposal') },
  ])}
<div class="page"><h1>Edit before approving</h1>
<p class="about">${callerHtml(item, call.pictures)} proposed this. What you write here is carried out in its place.</p>
${fault !== undefined && html`<p class="notice" role="alert">${shownText(fault)}</p>`}
<form class="edit" method="post" action="${call.href(`/waiting/${proposalId}/edit`)}">${call.tokenField()}
${stepFieldsHtml(steps)}
<div class="acts"><button name="do" value="show"${preview === undefined && html` class="go"`}>Show what it changes</button> <a class="button plain" href="${call.href(`/waiting/${proposalId}`)}">Cancel</a></div>
${preview !== undefined && (await previewHtml(call, item, preview))}
</form></div>`
  return {
    title: text('Edit a proposal'),
    main,
    current: '/waiting',
    showsWaiting: true,
    showsDataImages: true,
    ...(fault !== undefined && { status: 409 }),
  }
}

/** What the edited calls would change, with the button that carries them out below the last part. */
async function previewHtml(call: PageCall, item: ProposalItem, preview: RehearsedApproval): Promise<Html> {
  const { fingerprint, of, diff, next, left } = preview
  const nextPart = html`<input type="hidden" name="part" value="${next}"><button class="go" name="do" value="next">Next part</button>`
  return html`<input type="hidden" name="of" value="${of}"><input type="hidden" name="fingerprint" value="${fingerprint}">
${warningHtml(preview)}${await differenceHtml(call.comparer, parseUnifiedDiff(diff), true, { isWhole: next === undefined })}
${next === undefined ? html`${mediaHtml(call, item)}<div class="acts"><button class="go" name="do" value="approve">Approve as edited</button></div>` : remainingPartsHtml(call, left, nextPart)}`
}
