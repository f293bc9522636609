/** Claims rows, renews and releases leases, and checks that a repeated claim still holds. */
import type { StoredLease } from '../../../storage/leases.ts'
import { invalidFields, ScriptoriumError } from '../../base/errors.ts'
import { recordLeaseEnds, releaseLeases } from '../leases/ending/end-leases.ts'
import { checkFences, extendLeases, type FencedEntry, outdatedFence } from '../leases/fenced-changes.ts'
import { endTime, isHeldBy, readLeases } from '../leases/leases.ts'
import { entriesAsExpected } from '../model/conditions.ts'
import type { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import type { ClaimAnswer } from './claim-answer.ts'
import { type ClaimItemsInput, claimItems } from './claim-items.ts'
import { type ClaimTasksInput, claimTasks } from './claim-tasks.ts'

/** A claimed row with its fence. */
export interface HeldRow extends FencedEntry {
  fence: number
}

export interface KeptRows {
  renew: readonly HeldRow[]
  release: readonly HeldRow[]
  /** True to renew and free the other rows if some fences are outdated. */
  partial: boolean
  /** Milliseconds from now; by default, as long as the claim asked for. */
  duration?: number | undefined
}

export type ClaimInput = { items: ClaimItemsInput } | { tasks: ClaimTasksInput } | { kept: KeptRows }

/** @throws NOT_FOUND_ERROR; CONFLICT for an outdated fence; VALIDATION_ERROR */
export async function claimRows(space: Space, input: ClaimInput): Promise<ClaimAnswer> {
  if ('items' in input) return claimItems(space, input.items)
  return 'tasks' in input ? claimTasks(space, input.tasks) : keepRows(space, input.kept)
}

interface KeptEntry extends HeldRow {
  path: string
  isReleased: boolean
}

async function keepRows(space: Space, { renew, release, partial, duration }: KeptRows): Promise<ClaimAnswer> {
  const all = [...entriesOf('renew', renew), ...entriesOf('release', release)]
  assertEachOnce(all)
  const rows = await space.findReachableBlocks(all.map(({ id }) => id.number))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pathOf = (index: number) => all[index]?.path ?? ''
  const { differences, leases } = await checkFences(space, all, byId, { noun: 'row', pathOf })
  const missing = all.filter(({ id }) => !byId.has(id.number))
  const gone = missing.map((entry) => [entry, [outdated(entry, space)]] as const)
  const { held, conflicts } = await entriesAsExpected({
    ...{ entries: all, noun: 'row', isPartial: partial, differences: new Map([...differences, ...gone]) },
    pathOf,
    idOf: ({ id }) => String(id),
    expectedOf: () => undefined,
    read: async (entries) => entries.map(() => ({})),
  })
  const leaseOf = ({ id }: { id: GivenId }): StoredLease[] => {
    const lease = leases.get(byId.get(id.number)?.n ?? 0)
    return lease === undefined ? [] : [lease]
  }
  const renewed = held.filter(({ isReleased }) => !isReleased)
  const released = held.filter(({ isReleased }) => isReleased)
  await extendLeases(space, renewed.flatMap(leaseOf), duration)
  const freed = released.flatMap(leaseOf)
  await releaseLeases(space, freed)
  await recordLeaseEnds(
    space,
    freed.filter((lease) => !isHeldBy(space, lease)),
    'takenBack',
  )
  const lasts = Math.min(...renewed.flatMap(leaseOf).map((lease) => duration ?? lease.duration))
  return {
    items: renewed.map(({ id, fence }) => ({ id: space.spellId(id.number), fence })),
    ...(renewed.length > 0 && { until: endTime(space, lasts) }),
    ...(released.length > 0 && { released: released.map(({ id }) => space.spellId(id.number)) }),
    ...(conflicts.length > 0 && { conflicts }),
  }
}

const entriesOf = (key: 'renew' | 'release', rows: readonly HeldRow[]): KeptEntry[] =>
  rows.map((row, index) => ({ ...row, path: `${key}[${index}]`, isReleased: key === 'release' }))

/** @throws VALIDATION_ERROR for a row that comes twice: it cannot be both renewed and released */
function assertEachOnce(entries: readonly KeptEntry[]): void {
  const seen = new Set<number | undefined>()
  const twice = entries.filter(({ id }) => seen.size === seen.add(id.number).size)
  if (twice.length === 0) return
  throw invalidFields(
    twice.map(({ id, path }) => ({
      path: `${path}.id`,
      message: `Expected each row once in renew and release, found ${id} again; leave one out.`,
    })),
  )
}

const outdated = ({ id, fence, path }: KeptEntry, space: Space) => ({
  path: `${path}.fence`,
  message: outdatedFence(space, `row ${id}`, fence, undefined),
})

/**
 * Checks that the rows of a stored response are still held by the fences in it.
 *
 * @throws CONFLICT
 */
export async function assertStillHeld(space: Space, items: ClaimAnswer['items']): Promise<void> {
  if (items.length === 0) return
  const numbers = await space.readIds(items.map(({ id }) => id))
  const rows = await space.findReachableBlocks([...numbers.values()])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const leases = await readLeases(
    space,
    rows.map(({ n }) => n),
  )
  const ended = items.filter(({ id, fence }) => leases.get(byId.get(numbers.get(id) ?? 0)?.n ?? 0)?.fence !== fence)
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id).join(', ')
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected the rows of the claim with this idempotency key to be still held by it, found that the lease of ${ids} has ended; nothing was written, claim again with another key.`,
  )
}
