/** Accepting and rejecting single parts of proposals. */
import { ScriptoriumError } from '../../base/errors.ts'
import { approve } from '../calls/rehearsed-approval.ts'
import { backOf, goTo } from '../form-page.ts'
import type { Page } from '../page-declaration.ts'
import { refusedApproval } from './waiting-pages.ts'

const needs = ['proposals_list'] as const

export const acceptPart: Page = {
  route: 'POST /waiting/:id/accept-part',
  needs,
  async handle(call) {
    const proposalId = call.params.id ?? ''
    const parts = call.form.getAll('part')
    try {
      const { callId, remaining } = await approve(call, {
        proposalId,
        parts,
        fingerprint: call.form.get('fingerprint') ?? undefined,
      })
      return goTo(placeAfter(call.form.get('back'), backOf(call, '/waiting'), remaining), 'accepted', { call: callId })
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) throw error
      return refusedApproval(call, proposalId, error)
    }
  },
}

export const rejectPart: Page = {
  route: 'POST /waiting/:id/reject-part',
  needs,
  async handle(call) {
    const note = (call.form.get('note') ?? '').trim()
    const { remaining } = await call.run('proposals_reject', {
      proposalId: call.params.id ?? '',
      parts: call.form.getAll('part'),
      ...(note !== '' && { note }),
    })
    return goTo(placeAfter(call.form.get('back'), backOf(call, '/waiting'), remaining), 'rejected')
  },
}

/** The page of a proposal is left once all of it is decided. */
const placeAfter = (given: string | null, back: string, remaining = 0): string =>
  remaining === 0 && given?.startsWith('/waiting/') ? '/waiting' : back
