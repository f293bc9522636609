/** Approves and rejects proposals. Approving one requires the reach and the access for every change in it. */
import { auditRowsByNumbers } from '../../../storage/audit-log.ts'
import { documentsOfCalls } from '../../../storage/history.ts'
import { decideProposal } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { beginningOfDiff } from '../../difference/diff-parts.ts'
import { type DescribedCall, hashChanges } from '../history/describe-call.ts'
import { noteReplaced } from '../history/replaced-changes.ts'
import { addAuditEntry } from '../model/audit-log.ts'
import { type GivenId, shortIds } from '../model/ids.ts'
import type { PrepareContext } from '../model/prepare-context.ts'
import type { Space } from '../model/space.ts'
import { disposeSteps, type PreparedStep, runSteps } from '../model/steps.ts'
import { askedArguments } from './asked-arguments.ts'
import {
  fingerprintOf,
  getProposal,
  readReach,
  type StoredStep,
  stateOf,
  waitingFromSameConnection,
} from './proposal.ts'
import { proposedFiles } from './proposed-files.ts'
import { asProposed, describeRehearsal, type Rehearsal, rehearseProposal } from './rehearse-proposal.ts'
import { prepareProposal, storedSteps, tooLong } from './store-proposal.ts'

export interface ApproveInput {
  proposalId: GivenId
  /** The fingerprint of what the person agrees to. Only a dry run needs none. */
  fingerprint?: string | undefined
  /** The calls as edited by the person. They run instead of the proposed ones. */
  steps?: readonly StoredStep[] | undefined
}

/** A proposal that is ready to run, or the reason why it is not. */
export type PreparedApproval = ReadyApproval | RefusedApproval

interface RefusedApproval {
  refusal: ScriptoriumError
}

interface ReadyApproval extends AsyncDisposable {
  proposalId: GivenId
  steps: readonly PreparedStep[]
  rehearsal: Rehearsal
  /** Of what the rehearsal has changed. */
  fingerprint: string
  /** True if the person agrees to it. */
  isAgreed: boolean
}

/**
 * Prepares the calls of a proposal, and finds out what they would change now. Calls that the person has edited run as
 * calls of the connection that proposed, and need not draw the same IDs.
 *
 * A refusal is returned for {@link approveProposal} to throw, since a repeated call with the same idempotency key must
 * get the stored response.
 */
export async function prepareApproval(input: ApproveInput, context: PrepareContext): Promise<PreparedApproval> {
  try {
    return await makeReady(input, context)
  } catch (error) {
    if (error instanceof ScriptoriumError) return { refusal: error }
    throw error
  }
}

/**
 * @throws NOT_FOUND_ERROR; CONFLICT for a proposal that was decided or waits for an earlier one, and if the resulting
 *   change differs from what the person agrees to; FORBIDDEN for one's own proposal; errors of the proposed calls
 */
async function makeReady(
  { proposalId, fingerprint: agreed, steps: changed }: ApproveInput,
  context: PrepareContext,
): Promise<ReadyApproval> {
  const { row, access } = await context.read(async (space) => {
    await space.resolveIds([proposalId])
    const row = await getDecidable(space, proposalId)
    await assertNoneEarlier(space, row)
    return { row, access: space.link.access }
  })
  const prepare = () => prepareProposal(row, readReach(row, access), context, changed)
  const rehearsed = await prepare()
  const recorded = await context
    .rehearse((space) => rehearseProposal(space, row, rehearsed, access))
    .finally(() => disposeSteps(rehearsed))
  const rehearsal = await describeRehearsal(recorded)
  const calls = changed === undefined ? row.steps : JSON.stringify(storedSteps(rehearsed))
  const fingerprint = fingerprintOf(calls, rehearsal.changes)
  const isAgreed = agreed !== undefined
  if (isAgreed && agreed !== fingerprint) throw fingerprintMismatch(row, rehearsal, fingerprint)
  const steps = await prepare()
  return { proposalId, steps, rehearsal, fingerprint, isAgreed, [Symbol.asyncDispose]: () => disposeSteps(steps) }
}

/** Names the fingerprint only where all of what it stands for is shown. */
function fingerprintMismatch(row: ProposalRow, found: DescribedCall, fingerprint: string): ScriptoriumError {
  const { diff, isDiffComplete } = beginningOfDiff(found.diff)
  const advice = isDiffComplete
    ? `to agree to this, approve it with fingerprint ${fingerprint}`
    : 'to read all of it, with its fingerprint, approve it as a dry run'
  return new ScriptoriumError(
    'CONFLICT',
    `Expected proposal ${row.id} to change what was agreed to, found that it would now change something else: ${found.summary}. Nothing was written; ${advice}.`,
    [{ path: 'diff', message: diff }],
  )
}

const notAgreed = (): ScriptoriumError =>
  invalid(
    'Expected the fingerprint of what is agreed to, found none; read all of the proposal, the last part of which has it, or approve it as a dry run to see what it would change now.',
  )

/** Returns a proposal that the connection may decide on. */
async function getDecidable(space: Space, id: GivenId): Promise<ProposalRow> {
  const row = await getProposal(space, id)
  if (row.link !== null && row.link === space.link.id) {
    throw new ScriptoriumError(
      'FORBIDDEN',
      'Expected a proposal of another connection, found one of this one; a person decides over a connection that did not propose it.',
    )
  }
  const state = await stateOf(space, row)
  if (state !== 'waiting') {
    const by = row.decidedBy === null ? '' : ` by ${row.decidedBy}`
    throw new ScriptoriumError(
      'CONFLICT',
      `Expected a proposal that waits, found that ${id} was ${state}${by}; read those that wait with proposals_list.`,
    )
  }
  return row
}

export interface ApproveAnswer {
  proposalId: string
  /** The call that ran it, for undo. */
  callId: string
  summary: string
  /** Of what was carried out. A dry run returns it for the approval. */
  fingerprint: string
  /** In a dry run, the arguments that its difference does not show. */
  asked?: string
}

/**
 * Runs a proposal: the same calls, with the same IDs, in the name of the link that proposed them.
 *
 * @throws NOT_FOUND_ERROR; CONFLICT if it was decided already, or if the resulting
 *   change differs from what the person agrees to; VALIDATION_ERROR without a fingerprint; FORBIDDEN for one's own
 *   proposal; errors of the proposed calls
 */
export async function approveProposal(space: Space, approval: PreparedApproval): Promise<ApproveAnswer> {
  if ('refusal' in approval) throw approval.refusal
  const { proposalId, steps, rehearsal, fingerprint, isAgreed } = approval
  const { tx, now, link } = space
  if (!isAgreed && !space.isRolledBack) throw notAgreed()
  const row = await getDecidable(space, proposalId)
  await assertNoneEarlier(space, row)
  // Before the calls run, since they may delete what they name.
  const asked = space.isRolledBack ? await readAsked(space, row, approval) : undefined
  const proposed = await asProposed(space, row, link.access)
  const results = await runSteps(proposed, steps)
  const ids = shortIds(results.flatMap((result) => result.ids))
  const call = await addAuditEntry(proposed, row.tool, ids, link.author)
  await assertAsRehearsed(space, proposed, call, rehearsal)
  // What others changed since it was proposed, which the person may not know.
  const { createdAt } = row
  await noteReplaced(proposed, call, { seen: Number.MAX_SAFE_INTEGER, recent: createdAt }, createdAt)
  const [entry] = await auditRowsByNumbers(tx, [call])
  const callId = entry?.id ?? 0
  await decideProposal(tx, row.n, { state: 'approved', at: now, by: link.author, call: callId })
  space.loggedCall = call
  space.blocksCreated += proposed.blocksCreated
  space.blocksRead += proposed.blocksRead
  const { summary } = rehearsal
  const answer = { proposalId: space.spellId(row.id), callId: space.spellId(callId), summary, fingerprint }
  return asked === undefined ? answer : { ...answer, asked }
}

/** The arguments that the difference does not show. @throws VALIDATION_ERROR if a person could not read them */
async function readAsked(
  space: Space,
  row: ProposalRow,
  { steps, rehearsal }: Pick<ReadyApproval, 'steps' | 'rehearsal'>,
): Promise<string> {
  // An edited call may do something else in place of adding the file.
  const files = (await proposedFiles(space, row)).filter(({ step }) => steps[step]?.file !== undefined)
  const asked = await askedArguments(space, storedSteps(steps), rehearsal.diff, files)
  if (asked === undefined) throw tooLong()
  return asked
}

/** Later proposals may need what earlier ones create. */
async function assertNoneEarlier(space: Space, row: ProposalRow): Promise<void> {
  const [first] = await waitingFromSameConnection(space, row)
  if (first === undefined || first.n === row.n) return
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected the oldest proposal of its connection, found ${row.id}, before which ${first.id} waits; decide on that one first.`,
  )
}

const changedMeanwhile = (): ScriptoriumError =>
  new ScriptoriumError(
    'CONFLICT',
    'Expected what the proposal changes to stay as it was while the proposal was checked, found it changed by another call; nothing was written, approve it again.',
  )

/** @throws CONFLICT if the call changed something other than rehearsed, or something out of the connection's reach */
async function assertAsRehearsed(space: Space, proposed: Space, call: number, rehearsal: Rehearsal): Promise<void> {
  if ((await hashChanges(proposed, call)) !== rehearsal.changes) throw changedMeanwhile()
  const documents = (await documentsOfCalls(space.tx, [call])).map(({ document }) => document)
  const reached = await space.reachableDocuments(documents)
  if (documents.some((document) => !reached.has(document))) throw changedMeanwhile()
}

export interface RejectInput {
  proposalId: GivenId
  /** A message to the agent. */
  note?: string | undefined
}

/** @throws NOT_FOUND_ERROR; CONFLICT for a proposal that was decided; FORBIDDEN for one's own */
export async function rejectProposal(space: Space, { proposalId, note }: RejectInput): Promise<{ proposalId: string }> {
  const row = await getDecidable(space, proposalId)
  await decideProposal(space.tx, row.n, { state: 'rejected', at: space.now, by: space.link.author, note })
  return { proposalId: space.spellId(row.id) }
}
