/** Tells callers which of the rows that they change are held by others. A lease excludes other claims, not changes. */
import type { StoredLease } from '../../../storage/leases.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { Space } from '../model/space.ts'
import { describeHolder, isHeldBy, readLeases } from './leases.ts'

/** Holders that a response names at most. */
const MAX_HOLDERS = 5

/** Notes which of these rows are held by others. Call it before rows are deleted: their leases go with them. */
export async function noteHolders(space: Space, rows: readonly BlockRow[], done: 'written' | 'deleted'): Promise<void> {
  const leases = await readLeases(
    space,
    rows.map(({ n }) => n),
  )
  reportHolders(space, rows, leases.values(), done)
}

/** Notes which of these leases are those of others. @param rows  the rows that they are on */
export function reportHolders(
  space: Space,
  rows: Iterable<BlockRow>,
  leases: Iterable<StoredLease>,
  done: 'written' | 'deleted' = 'written',
): void {
  const ids = new Map(Array.from(rows, ({ n, id }) => [n, id]))
  const held = [...leases].filter((lease) => !isHeldBy(space, lease))
  for (const lease of held.slice(0, MAX_HOLDERS)) {
    const id = space.spellId(ids.get(lease.block) ?? 0)
    space.notes.add(
      `${id} ${done === 'written' ? 'is' : 'was'} held by ${describeHolder(space, lease)}; it was ${done} all the same.`,
    )
  }
  if (held.length > MAX_HOLDERS) space.notes.add(`${held.length - MAX_HOLDERS} more of these are held by others.`)
}
