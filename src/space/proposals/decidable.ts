/** What a person may decide on, and what has to be decided before. */
import { proposalsPromising } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { mustPropose } from '../model/access.ts'
import type { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { idsNamedIn } from './parts/part.ts'
import { canSeeProposal, getProposal, type StoredStep, stateOf } from './proposal.ts'

/** True for a proposal of this connection, on which it does not decide. */
export const isOwnProposal = ({ link }: Space, row: Pick<ProposalRow, 'link'>): boolean =>
  mustPropose(link) || (row.link !== null && row.link === link.id)

/**
 * Returns a waiting proposal of this connection, which may take it back.
 *
 * @throws NOT_FOUND_ERROR; FORBIDDEN for another's; CONFLICT for one that was decided
 */
export async function getWithdrawable(space: Space, id: GivenId): Promise<ProposalRow> {
  const row = await getProposal(space, id)
  if (!isOwnProposal(space, row)) {
    throw new ScriptoriumError('FORBIDDEN', 'Expected a proposal of this connection, found one of another; reject it.')
  }
  return assertWaiting(space, row)
}

/**
 * Returns a proposal that the connection may decide on.
 *
 * @throws NOT_FOUND_ERROR; FORBIDDEN for one's own; CONFLICT for one that was decided
 */
export async function getDecidable(space: Space, id: GivenId): Promise<ProposalRow> {
  const row = await getProposal(space, id)
  if (isOwnProposal(space, row)) {
    throw new ScriptoriumError(
      'FORBIDDEN',
      'Expected a proposal of another connection, found one of this one; a person decides over a connection that did not propose it.',
    )
  }
  return assertWaiting(space, row)
}

async function assertWaiting(space: Space, row: ProposalRow): Promise<ProposalRow> {
  const state = await stateOf(space, row)
  if (state === 'waiting') return row
  const by = row.decidedBy === null ? '' : ` by ${row.decidedBy}`
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected a proposal that waits, found that ${row.id} was ${state}${by}; read those that wait with proposals_list.`,
  )
}

/** A waiting proposal that would create what the calls of another one name. */
export interface NeededProposal {
  row: ProposalRow
  /** An ID that it has promised. */
  id: number
}

/** The waiting proposals within reach that would create what these calls name, oldest first. */
export async function neededProposals(
  space: Space,
  row: Pick<ProposalRow, 'n'>,
  steps: readonly StoredStep[],
): Promise<NeededProposal[]> {
  const named = idsNamedIn(steps)
  if (named.size === 0) return []
  const found: NeededProposal[] = []
  for (const other of await proposalsPromising(space.tx, [...named])) {
    if (other.n === row.n || (await stateOf(space, other)) !== 'waiting') continue
    // What it would create is then as unknown as what never existed.
    if (!(await canSeeProposal(space, other))) continue
    const id = (JSON.parse(other.ids) as number[]).find((one) => named.has(one))
    if (id !== undefined) found.push({ row: other, id })
  }
  return found
}

/** @throws CONFLICT if the calls need what another proposal would create */
export async function assertNoneNeeded(space: Space, row: ProposalRow, steps: readonly StoredStep[]): Promise<void> {
  const [needed] = await neededProposals(space, row, steps)
  if (needed === undefined) return
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected all that proposal ${row.id} needs to be there, found that ${needed.id} waits in proposal ${needed.row.id}; decide on that one first.`,
  )
}
