/** Approves proposals, whole or in parts. This requires the reach and the access for every change in what is approved. */
import { auditRowsByNumbers } from '../../../storage/audit-log.ts'
import { decideParts, decideProposal } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { beginningOfDiff } from '../../difference/diff-parts.ts'
import { type DescribedCall, hashChanges } from '../history/describe-call.ts'
import { noteReplaced } from '../history/replaced-changes.ts'
import type { GivenId } from '../model/ids.ts'
import type { PrepareContext } from '../model/prepare-context.ts'
import type { Space } from '../model/space.ts'
import type { PreparedStep } from '../model/steps.ts'
import { askedArguments } from './asked-arguments.ts'
import { assertNoneNeeded, getDecidable } from './decidable.ts'
import {
  acceptedText,
  assertPartsWait,
  EDITED,
  isWaiting,
  readParts,
  type StoredPart,
  wholePart,
  withNeeded,
} from './parts/part.ts'
import { type Chosen, disposeParts, type PreparedPart, prepareParts, stepsIn } from './parts/run-parts.ts'
import { canSeeProposal, fingerprintOf, readReach, type StoredStep } from './proposal.ts'
import { proposedFiles } from './proposed-files.ts'
import {
  describeRehearsal,
  type Rehearsal,
  reachesChanges,
  rehearseProposal,
  runProposal,
} from './rehearse-proposal.ts'
import {
  acceptedThere,
  countAccepted,
  type PartDecision,
  placing,
  rehearseRest,
  remainingProposal,
} from './remaining-parts.ts'
import { storedSteps, tooLong } from './store-proposal.ts'

export interface ApproveInput {
  proposalId: GivenId
  /** The keys of the parts that are accepted, together with those that they need; all if absent. */
  parts?: readonly string[] | undefined
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
  decision: PartDecision
  /** What runs: the accepted parts, or the edited calls. */
  parts: readonly PreparedPart[]
  steps: readonly PreparedStep[]
  rehearsal: Rehearsal
  /** What the parts that wait on would change afterwards. */
  rest: Rehearsal | undefined
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
 * @throws NOT_FOUND_ERROR; CONFLICT for a proposal that was decided or needs another one, and if the resulting
 *   change differs from what the person agrees to; FORBIDDEN for one's own proposal; errors of the proposed calls
 */
async function makeReady(input: ApproveInput, context: PrepareContext): Promise<ReadyApproval> {
  const { proposalId, fingerprint: agreed, steps: edited } = input
  const { decision, access } = await context.read(async (space) => {
    await space.resolveIds([proposalId])
    return { decision: await readDecision(space, input), access: space.link.access }
  })
  const { row, stored, there, accepted, rest } = decision
  const running = edited === undefined ? accepted : [editedPart(row, edited)]
  const place = placing(stored.parts, there, running)
  const prepare = (chosen?: Chosen) => prepareParts(row, running, readReach(row, access), context, place, chosen)
  const rehearsed = await prepare()
  const { recorded, chosen } = await context
    .rehearse((space) => rehearseProposal(space, row, rehearsed, access))
    .finally(() => disposeParts(rehearsed))
  // Since it was proposed, it may have come to change something else.
  const now = { documents: JSON.stringify(recorded.documents), isSpaceWide: Number(recorded.isSpaceWide) }
  if (!(await context.read((space) => canSeeProposal(space, { ...row, ...now })))) throw beyondReach(row)
  const rehearsal = await describeRehearsal(recorded)
  const whole = edited === undefined ? row.steps : JSON.stringify(storedSteps(stepsIn(rehearsed)))
  const calls = input.parts === undefined ? whole : callsOf(accepted)
  const fingerprint = fingerprintOf(calls, rehearsal.changes)
  const isAgreed = agreed !== undefined
  if (isAgreed && agreed !== fingerprint) throw fingerprintMismatch(row, rehearsal, fingerprint)
  const restAfter = isAgreed && rest.length > 0 ? await rehearseRest(decision, access, context) : undefined
  const parts = await prepare(chosen)
  const ready = {
    proposalId,
    decision,
    parts,
    steps: stepsIn(parts),
    rehearsal,
    rest: restAfter,
    fingerprint,
    isAgreed,
  }
  return { ...ready, [Symbol.asyncDispose]: () => disposeParts(parts) }
}

/** What is decided. @throws as {@link makeReady} does */
async function readDecision(space: Space, { proposalId, parts: keys, steps }: ApproveInput): Promise<PartDecision> {
  if (keys !== undefined && steps !== undefined)
    throw invalid('Expected either parts or steps, found both; edited steps take the place of all that waits.')
  const row = await getDecidable(space, proposalId)
  const stored = readParts(row)
  const waiting = stored.parts.filter(isWaiting)
  if (keys !== undefined) assertPartsWait(stored.parts, keys, row.id)
  const accepted = keys === undefined ? waiting : withNeeded(stored.parts, keys)
  await assertNoneNeeded(space, row, steps ?? accepted.flatMap((part) => part.steps))
  const rest = waiting.filter((part) => !accepted.includes(part))
  return { row, stored, accepted, rest, there: await acceptedThere(space, stored.parts) }
}

/** The calls that the fingerprint of parts stands for. Where they put something follows from what was accepted before. */
export const callsOf = (parts: readonly StoredPart[]): string =>
  JSON.stringify(parts.map(({ steps }) => steps.map(({ file: _, ...step }) => step)))

/** Edited calls add the files that the proposed ones in their places do. */
function editedPart(row: ProposalRow, edited: readonly StoredStep[]): StoredPart {
  const before = JSON.parse(row.steps) as readonly StoredStep[]
  const part = wholePart(edited, JSON.parse(row.ids))
  const steps = part.steps.map(({ file, ...step }, index) =>
    step.tool === before[index]?.tool ? { ...step, ...(file !== undefined && { file }) } : step,
  )
  return { ...part, key: EDITED, steps }
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

export interface ApproveAnswer {
  proposalId: string
  /** The call that ran it, for undo. */
  callId: string
  summary: string
  /** Of what was carried out. A dry run returns it for the approval. */
  fingerprint: string
  /** How many parts of the proposal are accepted by now: `2 of 5`. Absent if it has one part. */
  accepted?: string
  /** The keys of the parts that this call has accepted, with those that they need. */
  parts?: string[]
  /** How many parts wait on. */
  remaining?: number
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
  const { proposalId, parts, decision, rehearsal, fingerprint, isAgreed } = approval
  const { tx, link } = space
  if (!isAgreed && !space.isRolledBack) throw notAgreed()
  const row = await getDecidable(space, proposalId)
  if (row.parts !== decision.row.parts || row.steps !== decision.row.steps) throw changedMeanwhile()
  await assertNoneNeeded(space, row, storedSteps(approval.steps))
  // Before the calls run, since they may delete what they name.
  const asked = space.isRolledBack ? await readAsked(space, row, approval) : undefined
  const { proposed, call } = await runProposal(space, row, parts, link.access, link.author)
  await assertAsRehearsed(space, proposed, call, rehearsal)
  // What others changed since it was proposed, which the person may not know.
  const { createdAt } = row
  await noteReplaced(proposed, call, { seen: Number.MAX_SAFE_INTEGER, recent: createdAt }, createdAt)
  const [entry] = await auditRowsByNumbers(tx, [call])
  const callId = entry?.id ?? 0
  const decided = await recordAcceptance(space, row, approval, callId)
  space.loggedCall = call
  space.blocksCreated += proposed.blocksCreated
  space.blocksRead += proposed.blocksRead
  const { summary } = rehearsal
  return {
    ...{ proposalId: space.spellId(row.id), callId: space.spellId(callId), summary, fingerprint, ...decided },
    ...(asked !== undefined && { asked }),
  }
}

/** Records which parts were accepted. Once all are decided, the proposal is. */
async function recordAcceptance(
  space: Space,
  row: ProposalRow,
  { decision, rest: rehearsed, parts: edited }: ReadyApproval,
  call: number,
): Promise<Pick<ApproveAnswer, 'accepted' | 'parts' | 'remaining'>> {
  const { stored, accepted, rest } = decision
  const now = new Set(accepted)
  const parts = stored.parts.map((part): StoredPart => (now.has(part) ? { ...part, state: 'accepted', call } : part))
  const acceptedCount = countAccepted(parts)
  if (rest.length === 0) {
    // Its connection was promised the response of the calls that it has proposed, and of no others.
    const { response, ...others } = stored
    const isEdited = edited.some(({ part }) => part.key === EDITED)
    const kept = isEdited || response === undefined ? others : stored
    const texts = row.parts === null ? {} : { parts: JSON.stringify({ ...kept, parts }) }
    await decideProposal(space.tx, row.n, {
      ...{ state: 'approved', at: space.now, by: space.link.author, call, acceptedCount, ...texts },
    })
  } else {
    const remaining = await remainingProposal(space, row, { ...stored, parts }, rehearsed)
    const released = accepted.flatMap(({ ids }) => ids)
    await decideParts(space.tx, row.n, { ...remaining, at: space.now }, released)
  }
  if (row.partCount === 1) return {}
  return {
    accepted: acceptedText({ ...row, acceptedCount }),
    parts: accepted.map(({ key }) => key),
    remaining: rest.length,
  }
}

/** The arguments that the difference does not show. @throws VALIDATION_ERROR if a person could not read them */
async function readAsked(
  space: Space,
  row: ProposalRow,
  { steps, parts, rehearsal }: Pick<ReadyApproval, 'steps' | 'parts' | 'rehearsal'>,
): Promise<string> {
  // An edited call may do something else in place of adding the file.
  const added = new Map(parts.flatMap(({ part }) => part.steps).map(({ file }, index) => [file, index]))
  const files = (await proposedFiles(space, row)).flatMap((file) => {
    const step = added.get(file.step)
    return step === undefined || steps[step]?.file === undefined ? [] : { ...file, step }
  })
  const asked = await askedArguments(space, storedSteps(steps), rehearsal.diff, files)
  if (asked === undefined) throw tooLong()
  return asked
}

const beyondReach = ({ id }: ProposalRow): ScriptoriumError =>
  new ScriptoriumError(
    'CONFLICT',
    `Expected proposal ${id} to change only what this connection reaches, found that by now it would change something else as well; nothing was written, let somebody decide who reaches all of it.`,
  )

const changedMeanwhile = (): ScriptoriumError =>
  new ScriptoriumError(
    'CONFLICT',
    'Expected what the proposal changes to stay as it was while the proposal was checked, found it changed by another call; nothing was written, approve it again.',
  )

/** @throws CONFLICT if the call changed something other than rehearsed, or something out of the connection's reach */
async function assertAsRehearsed(space: Space, proposed: Space, call: number, rehearsal: Rehearsal): Promise<void> {
  if ((await hashChanges(proposed, call)) !== rehearsal.changes) throw changedMeanwhile()
  if (!(await reachesChanges(space, call))) throw changedMeanwhile()
}
