/**
 * Fences of changes. A caller that claimed a row sends its fence with each change. If the lease has ended, or somebody
 * else has claimed the row since, the change is refused. A current fence renews the lease.
 */
import { advanceLeaseClock, deleteLeases, renewLeases, type StoredLease } from '../../../storage/leases.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { type FieldError, invalidFields } from '../../base/errors.ts'
import type { Differences } from '../model/conditions.ts'
import type { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { describeHolder, readLeases } from './leases.ts'
import { reportHolders } from './report-holders.ts'

/** A row that a caller names with the fence that it got for it. */
export interface FencedEntry {
  id: GivenId
  fence?: number | undefined
  /** True to free the row once it is changed. */
  release?: boolean | undefined
}

/** What an entry is: its noun, and its path in the call, such as `itemsToUpdate[2]`. */
interface EntryWords {
  noun: string
  pathOf(index: number): string
}

export interface FencedChange<Entry> {
  /** The entries whose fences are outdated. */
  differences: Differences<Entry>
  leases: ReadonlyMap<number, StoredLease>
}

/**
 * Compares the fences of entries with the current leases.
 *
 * @param found  the rows by ID
 * @throws VALIDATION_ERROR for an entry that releases a row without its fence
 */
export async function checkFences<Entry extends FencedEntry>(
  space: Space,
  entries: readonly Entry[],
  found: ReadonlyMap<number, BlockRow>,
  { noun, pathOf }: EntryWords,
): Promise<FencedChange<Entry>> {
  const leases = await readLeases(
    space,
    [...found.values()].map(({ n }) => n),
  )
  const unfenced: FieldError[] = []
  const differences = new Map<Entry, FieldError[]>()
  for (const [index, entry] of entries.entries()) {
    const { id, fence, release } = entry
    const path = `${pathOf(index)}.fence`
    if (release && fence === undefined) {
      unfenced.push({
        path,
        message: `Expected the fence of ${noun} ${id} with release, found none; send that of the claim.`,
      })
    }
    const row = found.get(id.number)
    if (fence === undefined || row === undefined) continue
    const lease = leases.get(row.n)
    if (lease?.fence === fence) continue
    differences.set(entry, [{ path, message: outdatedFence(space, `${noun} ${space.spellId(row.id)}`, fence, lease) }])
  }
  if (unfenced.length > 0) throw invalidFields(unfenced)
  return { differences, leases }
}

export function outdatedFence(space: Space, row: string, fence: number, lease: StoredLease | undefined): string {
  const found = lease === undefined ? 'that its lease has ended' : `that it is held by ${describeHolder(space, lease)}`
  return `Expected ${fence} to be the current fence of ${row}, found ${found}; nothing was written, stop working on it or claim again.`
}

/**
 * Renews or ends the leases of rows that were changed with their fences. Of other held rows, the response names the
 * holder.
 */
export async function applyFences<Entry extends FencedEntry>(
  space: Space,
  changed: readonly Entry[],
  found: ReadonlyMap<number, BlockRow>,
  { leases }: Pick<FencedChange<Entry>, 'leases'>,
): Promise<void> {
  const renewed: StoredLease[] = []
  const released: StoredLease[] = []
  const others: StoredLease[] = []
  for (const { id, fence, release } of changed) {
    const lease = leases.get(found.get(id.number)?.n ?? 0)
    if (lease === undefined) continue
    if (fence === undefined) others.push(lease)
    else if (release) released.push(lease)
    else renewed.push(lease)
  }
  await deleteLeases(space.tx, released)
  await extendLeases(space, renewed)
  reportHolders(space, found.values(), others)
}

/** Renews leases, each by its own duration or by the given one. @param duration  milliseconds */
export async function extendLeases(space: Space, leases: readonly StoredLease[], duration?: number): Promise<void> {
  if (leases.length === 0) return
  const { at } = await advanceLeaseClock(space.tx, { now: space.now, count: 0, ...space.leaseTime })
  await renewLeases(
    space.tx,
    leases.map(({ block, fence, duration: own }) => {
      const lasts = duration ?? own
      space.leaseEndsIn = Math.min(space.leaseEndsIn, lasts)
      return { block, fence, duration: lasts, endsAt: at + lasts }
    }),
  )
}
