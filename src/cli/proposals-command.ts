/** `scriptorium proposals`: lists pending proposals, and approves or rejects them. */
import { endpoints } from '../../tools/index.ts'
import { invalid } from '../base/errors.ts'
import { PROPOSALS_PER_ANSWER_MAX } from '../base/limits.ts'
import { toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { runCall } from '../call/run.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { type ProposalItem, type ProposalsAnswer, proposalLine } from '../space/proposals/list-proposals.ts'
import type { CommandResult } from './printing.ts'

export type ProposalsAction = 'list' | 'show' | 'approve' | 'reject'

export interface ProposalFlags {
  /** A message to the agent. */
  note?: string
  /** The fingerprint of the approved diff. */
  fingerprint?: string
}

/** @param operand  the ID of a proposal; for approval, `all` means every pending one */
export async function runProposals(
  space: OpenSpace,
  action: ProposalsAction,
  operand: string,
  { note, fingerprint }: ProposalFlags,
): Promise<CommandResult> {
  const call = await caller(space)
  const list = async (args: object): Promise<ProposalItem[]> =>
    ((await call('proposals_list', args)) as ProposalsAnswer).items
  switch (action) {
    case 'list': {
      const items = await list({ state: 'all', limit: PROPOSALS_PER_ANSWER_MAX })
      return {
        value: { items },
        lines: items.length === 0 ? [['No proposals.']] : items.map((item) => [proposalLine(item)]),
      }
    }
    case 'show': {
      const [item] = await list({ proposalId: operand })
      const text = [item?.diff ?? '', `Its fingerprint is ${item?.fingerprint}.`].join('\n')
      const lines = [item === undefined ? '' : proposalLine(item), ...text.split('\n')]
      return { value: item, lines: lines.map((line) => [line]) }
    }
    case 'approve': {
      if (operand === 'all' && fingerprint !== undefined)
        throw invalid('Expected the ID of one proposal with --fingerprint, found all; name the one that it is of.')
      const waiting = operand === 'all' ? await list({ state: 'waiting', limit: PROPOSALS_PER_ANSWER_MAX }) : []
      // Oldest first, since later ones may depend on earlier ones.
      const ids = operand === 'all' ? waiting.map(({ proposalId }) => proposalId).reverse() : [operand]
      const approved: Approved[] = []
      for (const proposalId of ids)
        approved.push((await call('proposals_approve', { proposalId, fingerprint })) as Approved)
      const lines = approved.map((one) => [`Approved ${one.proposalId}: ${one.summary} (call ${one.callId})`])
      return { value: { items: approved }, lines: lines.length === 0 ? [['No proposal waits.']] : lines }
    }
    case 'reject':
      return { value: await call('proposals_reject', { proposalId: operand, note }), lines: [[`Rejected ${operand}.`]] }
  }
}

interface Approved {
  proposalId: string
  callId: string
  summary: string
}

/** Calls endpoints as the participant who created the space. */
async function caller(space: OpenSpace): Promise<(name: string, args: object) => Promise<object>> {
  const catalog = toolCatalogFor(endpoints, 'full')
  const link = await space.createAccessLink('full', [])
  return async (name, args) => {
    const endpoint = catalog.find(name)
    if (endpoint === undefined) throw new Error(`Expected the endpoint ${name}.`)
    const answer = await runCall(endpoint, args, { space, link })
    return 'object' in answer ? answer.object : {}
  }
}
