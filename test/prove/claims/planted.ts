/** Faults of claims that the proof must detect, each on its own. */
import type { Mutation } from '../mutated-sources.ts'

/** A claim takes rows that others hold, and replaces their leases. */
const NO_LOCK: readonly Mutation[] = [
  {
    file: 'src/space/claims/claim-items.ts',
    find: '  const except = await leasedItems(space.tx, collection.block)\n',
    replace: '  const except = new Set<number>()\n  await leasedItems(space.tx, collection.block)\n',
  },
  {
    file: 'storage/leases.ts',
    find: 'const INSERT = insertInto(lease)\n',
    replace:
      'const INSERT = insertInto(lease, undefined, () => sql.raw("ON CONFLICT (block) DO UPDATE SET fence = excluded.fence, ends_at = excluded.ends_at"))\n',
  },
]

/** A change with an outdated fence is written. */
const NO_FENCE: readonly Mutation[] = [
  {
    file: 'src/space/leases/fenced-changes.ts',
    find: 'if (lease?.fence === fence) continue',
    replace: 'if (lease?.fence !== -1) continue',
  },
]

/** A lease ends by the clock of the client, which is minutes ahead. */
const CLIENT_CLOCK: readonly Mutation[] = [
  {
    file: 'src/space/model/space.ts',
    find: 'return { steady: this.steadyClock() }',
    replace: 'return { steady: this.steadyClock() + (Math.random() < 0.2 ? 600_000 : 0) }',
  },
]

export const PLANTED_CLAIMS = { 'no lock': NO_LOCK, 'no fence': NO_FENCE, "the client's clock": CLIENT_CLOCK } as const
