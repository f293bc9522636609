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
import type { ApproveAnswer, ApproveInput } from '../space/proposals/approve-proposal.ts'
import { type ProposalItem, type ProposalsAnswer, proposalLine } from '../space/proposals/list-proposals.ts'
import type { PartsAnswer, ProposedPart } from '../space/proposals/parts/list-parts.ts'
import type { RejectAnswer } from '../space/proposals/reject-proposal.ts'
import { askOnTerminal } from './ask-on-terminal.ts'
import { type CommandResult, differenceLines } from './printing.ts'

export type ProposalsAction = 'list' | 'show' | 'approve' | 'reject'

export interface ProposalFlags {
  /** A message to the agent. */
  note?: string
  /** The fingerprint of what is approved. */
  fingerprint?: string
  /** Keys of parts, separated by commas. */
  part?: string
}

const COLUMNS = ['ID', 'Time', 'Who', 'State', 'Decided by', 'Tool', 'What']

function proposalRow({ proposalId, at, author, client, tool, summary, state, accepted, decidedBy = '' }: ProposalItem) {
  const who = client === undefined ? author : `${author} (${client})`
  const decided = accepted === undefined ? state : `${state}, accepted: ${accepted}`
  return [proposalId, `${at.slice(0, 19)}Z`, who, decided, decidedBy, tool, summary]
}

/**
 * @param operand  the ID of a proposal; for approval, `all` means every pending one
 * @param ask  asks a person for confirmation
 */
export async function runProposals(
  space: OpenSpace,
  action: ProposalsAction,
  operand: string,
  { note, fingerprint, part }: ProposalFlags,
  ask = askOnTerminal,
): Promise<CommandResult & { isComplete: boolean }> {
  const call = await caller(space)
  const parts = part?.split(',').map((key) => key.trim())
  switch (action) {
    case 'list': {
      const items = await list(call, { state: 'all', limit: PROPOSALS_PER_ANSWER_MAX })
      const value = { items }
      if (items.length === 0) return { value, lines: [['No proposals.']], isComplete: true }
      const table = { columns: COLUMNS, rows: items.map(proposalRow) }
      return { value, lines: items.map((item) => [proposalLine(item)]), table, isComplete: true }
    }
    case 'show': {
      const item = await readWhole(call, operand)
      const { items } = (await call('proposals_parts', { proposalId: operand })) as PartsAnswer
      const lines = [...showLines(item), ...(item.parts === undefined ? [] : items.map((one) => [partLine(one)]))]
      return { value: { ...item, waitingParts: items }, lines, isComplete: true }
    }
    case 'approve': {
      if (operand === 'all' && fingerprint !== undefined)
        throw invalid('Expected the ID of one proposal with --fingerprint, found all; name the one that it is of.')
      if (operand === 'all' && parts !== undefined)
        throw invalid('Expected the ID of one proposal with --part, found all; name the one that it is a part of.')
      const waiting = operand === 'all' ? await list(call, { state: 'waiting', limit: PROPOSALS_PER_ANSWER_MAX }) : []
      // Oldest first, since later ones may need earlier ones.
      const ids = operand === 'all' ? waiting.map(({ proposalId }) => proposalId).reverse() : [operand]
      const approved: ApproveAnswer[] = []
      for (const proposalId of ids) {
        const agreed = fingerprint ?? (await askFor(call, { proposalId, parts }, ask))
        // Whatever follows may need this one.
        if (agreed === undefined) break
        approved.push((await call('proposals_approve', { proposalId, parts, fingerprint: agreed })) as ApproveAnswer)
      }
      const lines = approved.map((one) => [
        `Approved ${one.proposalId}${howMuch(one)}: ${one.summary} (call ${one.callId})`,
      ])
      const none = ids.length === 0 ? 'No proposal waits.' : 'Nothing was approved.'
      return {
        value: { items: approved },
        lines: lines.length === 0 ? [[none]] : lines,
        isComplete: approved.length === ids.length,
      }
    }
    case 'reject': {
      const value = (await call('proposals_reject', { proposalId: operand, parts, note })) as RejectAnswer
      const what = parts === undefined ? operand : `${(value.parts ?? parts).join(', ')} of ${operand}`
      return { value, lines: [[`Rejected ${what}.`]], isComplete: true }
    }
  }
}

/** How much of a proposal is accepted, while parts of it wait. */
const howMuch = ({ accepted, remaining = 0 }: ApproveAnswer): string =>
  accepted === undefined || remaining === 0 ? '' : ` (accepted: ${accepted})`

/** A waiting part in one line: `Part 100000000008 (added): "three", fingerprint 5f1c…`. */
function partLine({ part, kind, before, after, fingerprint, needs = [], refused }: ProposedPart): string {
  const text = JSON.stringify(after ?? before ?? '')
  const along = needs.length === 0 ? '' : `, with ${needs.join(', ')}`
  const why =
    fingerprint === undefined
      ? `cannot be accepted now${refused === undefined ? '' : `: ${refused}`}`
      : `fingerprint ${fingerprint}`
  return `Part ${part} (${kind}): ${text}${along}, ${why}`
}

type Call = (name: string, args: object, dryRun?: boolean) => Promise<object>

/** All of them, however many answers that takes. */
async function list(call: Call, args: object): Promise<ProposalItem[]> {
  const all: ProposalItem[] = []
  for (let cursor: string | undefined; ; ) {
    const { items, pagination } = (await call('proposals_list', { ...args, cursor })) as ProposalsAnswer
    all.push(...items)
    cursor = pagination?.cursor
    if (cursor === undefined) return all
  }
}

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

function showLines(item: ProposalItem & { diff: string }): string[][] {
  const agreement =
    item.fingerprint === undefined
      ? 'An earlier version stored it. scriptorium proposals approve shows all that it would change now.'
      : `Its fingerprint is ${item.fingerprint}.`
  return [[proposalLine(item)], ...differenceLines(item.diff), [agreement]]
}

/**
 * Prints all that a proposal would change now, and asks.
 *
 * @returns the fingerprint if a person agrees to it
 * @throws VALIDATION_ERROR if there is no terminal
 */
async function askFor(
  call: Call,
  approval: Pick<ApproveInput, 'parts'> & { proposalId: string },
  ask: typeof askOnTerminal,
): Promise<string | undefined> {
  const { proposalId } = approval
  const { dryRun, fingerprint, asked, warning } = (await call('proposals_approve', approval, true)) as ApproveAnswer & {
    dryRun: { summary: string; diff: string }
    warning?: string
  }
  const [item] = ((await call('proposals_list', { proposalId })) as ProposalsAnswer).items
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
