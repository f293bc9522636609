/** The guards that count what is stored. Each attack on the quotas passes one of them. */
import type { Mutation } from '../mutated-sources.ts'

const SQLITE = 'storage/sqlite/triggers/byte-count-triggers.ts'
const POSTGRES = 'storage/postgres/triggers/byte-count-triggers.ts'
const POSTGRES_CALLS = 'storage/postgres/triggers/call-triggers.ts'

export const BYTES: readonly Mutation[] = [
  // What one link wrote.
  {
    file: 'src/space/model/quota.ts',
    find: '(quotas.link ?? Infinity) - sumOfBytes(counts.link)',
    replace: '(quotas.link ?? Infinity) - 0 * sumOfBytes(counts.link)',
  },
  // Files.
  {
    file: SQLITE,
    find: 'files = files + (SELECT coalesce(sum(size), 0) FROM file AS added',
    replace: 'files = files + 0 * (SELECT coalesce(sum(size), 0) FROM file AS added',
  },
  {
    file: POSTGRES_CALLS,
    find: 'files = files + (SELECT coalesce(sum(size), 0) FROM file AS added',
    replace: 'files = files + 0 * (SELECT coalesce(sum(size), 0) FROM file AS added',
  },
  // History of what the same link had written.
  {
    file: SQLITE,
    find: '    history = history + (SELECT coalesce(sum(',
    replace: '    history = history + 0 * (SELECT coalesce(sum(',
  },
  {
    file: POSTGRES_CALLS,
    find: 'SET documents = documents - part.size, history = history + part.bytes FROM',
    replace: 'SET documents = documents - part.size, history = history + 0 * part.bytes FROM',
  },
  // Responses that are stored for retries.
  {
    file: SQLITE,
    find: "countedByLink('kept_answer', { history: (row) => sizeOf(RESPONSE_SIZE, row) })",
    replace: "''",
  },
  { file: POSTGRES, find: '(row) => sizeOf(RESPONSE_SIZE, row),', replace: "() => '0'," },
  // Proposals.
  {
    file: SQLITE,
    find: "countedByLink('proposal', { history: (row) => sizeOf(PROPOSAL_SIZE, row), files: proposedFiles })",
    replace: "''",
  },
  { file: POSTGRES, find: '(row) => sizeOf(PROPOSAL_SIZE, row),', replace: "() => '0'," },
]
