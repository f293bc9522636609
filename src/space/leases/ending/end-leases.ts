/** Ends leases: the rows become free, and the values that their claims wrote return. */
import { blocksByNumbers } from '../../../../storage/blocks.ts'
import { insertEvent, LEASE_ENDED } from '../../../../storage/events.ts'
import {
  advanceLeaseClock,
  deleteLeases,
  endedLeases,
  hasEndedLeases,
  leasesBeside,
  type StoredLease,
} from '../../../../storage/leases.ts'
import type { BlockRow } from '../../../../storage/schema.ts'
import { treeNumbers } from '../../blocks/block-tree.ts'
import { addAuditEntry } from '../../model/audit-log.ts'
import type { GivenId } from '../../model/ids.ts'
import { OPERATOR_LINK, type Space } from '../../model/space.ts'
import { isCurrent, isHeldBy } from '../leases.ts'
import { reportHolders } from '../report-holders.ts'
import { isRestoredDate, type RestoredDate, restoreDates } from './restored-dates.ts'
import { type RestoredProperty, restoreValues } from './restored-values.ts'

/** Why a lease ended: its time was over, somebody else took the row back, or the claim was undone. */
export const LEASE_END_REASONS = ['expired', 'takenBack', 'undone'] as const
export type LeaseEndReason = (typeof LEASE_END_REASONS)[number]

/** What an event says of a lease that ended. */
export interface LeaseEndDetail {
  reason: LeaseEndReason
  by: string
  client?: string
  /** The key of the caller that held it; see callerKey. Absent in events of earlier versions. */
  caller?: string
  since: number
  /** The number of the block that was held. */
  block: number
}

/** The name under which the end of leases is logged. */
export const CLAIM_ENDED = 'claim_ended'

/** Leases that one transaction ends at most; further ones wait for the next. */
const ENDED_PER_WRITE = 1_000

/**
 * Ends all leases whose time is over, and logs it as a call of its own. Must run before the call has written anything.
 *
 * @returns true if there are more
 */
export async function endExpiredLeases(view: Space): Promise<boolean> {
  if (!(await hasEndedLeases(view.tx, view.leaseTime))) return false
  const space = view.withLink(OPERATOR_LINK)
  const leases = await endedLeases(space.tx, ENDED_PER_WRITE, space.leaseTime)
  await advanceLeaseClock(space.tx, { now: space.now, count: 0, ...space.leaseTime })
  await logReleased(space, await releaseLeases(space, leases))
  await recordLeaseEnds(space, leases, 'expired')
  return leases.length === ENDED_PER_WRITE
}

/**
 * Ends the leases of rows that a call deletes, with all that these rows hold, and logs it as a call of its own. So if the
 * deletion is undone, the rows come back free and with their values of before. Must run before the call has written
 * anything.
 *
 * @param ids  what the call deletes
 */
export async function endDeletedLeases(view: Space, ids: readonly GivenId[]): Promise<void> {
  if (ids.length === 0) return
  await view.resolveIds(ids)
  const numbers = ids.map(({ number }) => number)
  const beside = await leasesBeside(view.tx, numbers, view.leaseTime)
  if (beside.length === 0) return
  const deleted = new Set(await treeNumbers(view, await view.findReachableBlocks(numbers)))
  const leases = beside.filter(({ block }) => deleted.has(block))
  if (leases.length === 0) return
  const space = view.withLink(OPERATOR_LINK)
  const rows = await releaseLeases(space, leases)
  await logReleased(space, rows)
  const current = leases.filter(isCurrent)
  reportHolders(view, rows, current, 'deleted')
  const [expired, taken] = [leases.filter((one) => !isCurrent(one)), current.filter((one) => !isHeldBy(view, one))]
  await recordLeaseEnds(space, expired, 'expired')
  await recordLeaseEnds(space, taken, 'takenBack')
}

async function logReleased(space: Space, rows: readonly BlockRow[]): Promise<void> {
  await addAuditEntry(
    space,
    CLAIM_ENDED,
    rows.map(({ id }) => String(id)),
  )
}

/** What a claim did to one property of an item, or to one date of a task. */
type Restored = RestoredProperty | RestoredDate
const isRestoredProperty = (one: Restored): one is RestoredProperty => !isRestoredDate(one)

/** Frees rows, and returns the values that their claims wrote. @returns the rows */
export async function releaseLeases(space: Space, leases: readonly StoredLease[]): Promise<BlockRow[]> {
  const rows = await blocksByNumbers(
    space.tx,
    leases.map(({ block }) => block),
  )
  const byNumber = new Map(rows.map((row) => [row.n, row]))
  await deleteLeases(space.tx, leases)
  const restored = leases.flatMap(({ block, restores }) => {
    const row = byNumber.get(block)
    return row === undefined || restores === null ? [] : [{ row, restores: JSON.parse(restores) as Restored[] }]
  })
  const of = <One extends Restored>(isOfKind: (one: Restored) => one is One) =>
    restored.flatMap(({ row, restores }) => {
      const own = restores.filter(isOfKind)
      return own.length > 0 ? [{ row, restores: own }] : []
    })
  await restoreValues(space, of(isRestoredProperty))
  await restoreDates(space, of(isRestoredDate))
  // Pages show who holds what.
  await space.markChanged(...rows.map(({ document }) => document))
  return rows
}

/** Records an event for each of these leases. */
export async function recordLeaseEnds(
  space: Space,
  leases: readonly StoredLease[],
  reason: LeaseEndReason,
): Promise<void> {
  for (const { block, author, client, caller, since, fence } of leases) {
    const detail: LeaseEndDetail = { reason, by: author, ...(client !== null && { client }), caller, since, block }
    await insertEvent(space.tx, { at: space.now, kind: LEASE_ENDED, subject: fence, detail: JSON.stringify(detail) })
  }
}
