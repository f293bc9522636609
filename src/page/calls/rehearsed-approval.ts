/** Dry runs of approvals: what edited calls would change, or proposed ones once the documents have changed. */

import { createHash } from 'node:crypto'
import { joinDiffs, partOfDiff } from '../../difference/diff-parts.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ToolAnswer, ToolInput } from '../page-tools.ts'
import { text } from '../texts/text.ts'

export type Approval = ToolInput<'proposals_approve'>

/** Carries a proposal out. @throws the errors of the tool */
export const approve = (call: PageCall, approval: Approval): Promise<ToolAnswer<'proposals_approve'>> =>
  call.run('proposals_approve', approval)

/** Which part of a dry run to show, and the hash of the text that the earlier parts were of. */
export interface AskedPart {
  part: number
  of: string
}

export function partIn(fields: URLSearchParams): AskedPart {
  const part = Number(fields.get('part') ?? 0)
  return { part: Number.isSafeInteger(part) && part > 0 ? part : 0, of: fields.get('of') ?? '' }
}

export interface RehearsedApproval {
  fingerprint: string
  /** A hash of the whole text. It changes with lines around a change, unlike the fingerprint. */
  of: string
  part: number
  diff: string
  /** The next part, and the number of parts that are left. */
  next: number | undefined
  left: number
  /** Which newer changes of others it would replace. */
  warning?: string
}

/** Shows a part of what an approval would change. A text that has changed since the part before begins again. */
export async function rehearseApproval(
  call: PageCall,
  approval: Approval,
  { part, of }: AskedPart,
): Promise<RehearsedApproval> {
  const { dryRun, fingerprint, asked = '', warning } = await call.rehearse('proposals_approve', approval)
  const whole = joinDiffs(dryRun.diff, asked)
  const hash = createHash('sha256').update(whole).digest('base64url')
  const index = of === hash ? part : 0
  const { diff, next, count } = partOfDiff(whole, index) ?? { diff: whole, next: undefined, count: 1 }
  const shown = { fingerprint, of: hash, part: index, diff, next, left: count - index - 1 }
  return { ...shown, ...(warning !== undefined && { warning }) }
}

/** Says that parts are left, before what leads to the next one. */
export function remainingPartsHtml(call: PageCall, left: number, way: Html): Html {
  const parts = left === 1 ? text('one more part') : text('{left} more parts', { left: call.formats.number(left) })
  return html`<p class="more">This is long: ${parts} to read before you can approve it. ${way}</p>`
}

/** Says which newer changes of others an approval would replace. */
export const warningHtml = ({ warning }: RehearsedApproval): Html | false =>
  warning !== undefined && html`<p role="alert">${warning}</p>`
