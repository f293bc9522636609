/**
 * `scriptorium proposals`: lists pending proposals, and approves or rejects them. What a person approves is printed in
 * full first, or named by its fingerprint.
 */
import { endpoints } from '../../tools/index.ts'
import { invalid } from '../base/errors.ts'
import { PROPOSALS_PER_ANSWER_MAX } from '../base/limits.ts'
import { toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { runCall } from '../call/run.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { ApproveAnswer } from '../space/proposals/approve-proposal.ts'
import { type ProposalItem, type ProposalsAnswer, proposalLine } from '../space/proposals/list-proposals.ts'
import { askOnTerminal } from './ask-on-terminal.ts'
import type { CommandResult } from './printing.ts'

export type ProposalsAction = 'list' | 'show' | 'approve' | 'reject'

export interface ProposalFlags {
  /** A message to the agent. */
  note?: string
  /** The fingerprint of what is approved. */
  fingerprint?: string
}

/**
 * @param operand  the ID of a proposal; for approval, `all` means every pending one
 * @param ask  asks a person for confirmation
 */
export async function runProposals(
  space: OpenSpace,
  action: ProposalsAction,
  operand: string,
  { note, fingerprint }: ProposalFlags,
  ask = askOnTerminal,
): Promise<CommandResult & { isComplete: boolean }> {
  const call = await caller(space)
  switch (action) {
    case 'list': {
      const items = await list(call, { state: 'all', limit: PROPOSALS_PER_ANSWER_MAX })
      return {
        value: { items },
        lines: items.length === 0 ? [['No proposals.']] : items.map((item) => [proposalLine(item)]),
        isComplete: true,
      }
    }
    case 'show': {
      const item = await readWhole(call, operand)
      return { value: item, lines: showLines(item).map((line) => [line]), isComplete: true }
    }
    case 'approve': {
      if (operand === 'all' && fingerprint !== undefined)
        throw invalid('Expected the ID of one proposal with --fingerprint, found all; name the one that it is of.')
      const waiting = operand === 'all' ? await list(call, { state: 'waiting', limit: PROPOSALS_PER_ANSWER_MAX }) : []
      // Oldest first, since later ones may depend on earlier ones.
      const ids = operand === 'all' ? waiting.map(({ proposalId }) => proposalId).reverse() : [operand]
      const approved: ApproveAnswer[] = []
      for (const proposalId of ids) {
        const agreed = fingerprint ?? (await askFor(call, proposalId, ask))
        // Whatever follows may need this one.
        if (agreed === undefined) break
        approved.push((await call('proposals_approve', { proposalId, fingerprint: agreed })) as ApproveAnswer)
      }
      const lines = approved.map((one) => [`Approved ${one.proposalId}: ${one.summary} (call ${one.callId})`])
      const none = ids.length === 0 ? 'No proposal waits.' : 'Nothing was approved.'
      return {
        value: { items: approved },
        lines: lines.length === 0 ? [[none]] : lines,
        isComplete: approved.length === ids.length,
      }
    }
    case 'reject': {
      const value = await call('proposals_reject', { proposalId: operand, note })
      return { value, lines: [[`Rejected ${operand}.`]], isComplete: true }
    }
  }
}

type Call = (name: string, args: object, dryRun?: boolean) => Promise<object>

const list = async (call: Call, args: object): Promise<ProposalItem[]> =>
  ((await call('proposals_list', args)) as ProposalsAnswer).items

/** Reads all parts of a proposal. */
async function readWhole(call: Call, proposalId: string): Promise<ProposalItem & { diff: string }> {
  const diffs: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { items, pagination } = (await call('proposals_list', { proposalId, cursor })) as ProposalsAnswer
    const [item] = items
    if (item === undefined) throw new Error('Expected the proposal that was asked for.')
    diffs.push(item.diff ?? '')
    cursor = pagination?.cursor
    if (cursor === undefined) return { ...item, diff: diffs.join('\n') }
  }
}

function showLines(item: ProposalItem & { diff: string }): string[] {
  const agreement =
    item.fingerprint === undefined
      ? 'An earlier version stored it. scriptorium proposals approve shows all that it would change now.'
      : `Its fingerprint is ${item.fingerprint}.`
  return [proposalLine(item), ...item.diff.split('\n'), agreement]
}

/**
 * Prints all that a proposal would change now, and asks.
 *
 * @returns the fingerprint if a person agrees to it
 * @throws VALIDATION_ERROR if there is no terminal
 */
async function askFor(call: Call, proposalId: string, ask: typeof askOnTerminal): Promise<string | undefined> {
  const { dryRun, fingerprint, asked, warning } = (await call(
    'proposals_approve',
    { proposalId },
    true,
  )) as ApproveAnswer & { dryRun: { summary: string; diff: string }; warning?: string }
  const [item] = await list(call, { proposalId })
  const lines = [...(item === undefined ? [] : [proposalLine(item)]), ...`${dryRun.diff}\n${asked ?? ''}`.split('\n')]
  // Which newer changes of others it would replace.
  if (warning !== undefined) lines.push(warning)
  const instead = `Read it with scriptorium proposals show ${proposalId}, and name its fingerprint as --fingerprint.`
  return (await ask(lines, `Approve ${proposalId}?`, instead)) ? fingerprint : undefined
}

/** Calls endpoints as the participant who created the space. */
async function caller(space: OpenSpace): Promise<Call> {
  const catalog = toolCatalogFor(endpoints, 'full')
  const link = await space.createAccessLink('full', [])
  return async (name, args, dryRun = false) => {
    const endpoint = catalog.find(name)
    if (endpoint === undefined) throw new Error(`Expected the endpoint ${name}.`)
    const answer = await runCall(endpoint, args, { space, link }, { dryRun })
    const warning = dryRun && answer.note !== undefined ? { warning: answer.note } : {}
    return { ...('object' in answer ? answer.object : {}), ...warning }
  }
}
