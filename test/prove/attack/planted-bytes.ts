/** The guards that count what is stored. Each attack on the quotas passes one of them. */
import type { Mutation } from '../mutated-sources.ts'

const SCHEMA = 'storage/sqlite/migrations/current-schema.ts'
const POSTGRES = 'storage/postgres/migrations/0005-stored-bytes.ts'

export const BYTES: readonly Mutation[] = [
  // What one link wrote.
  {
    file: 'src/space/model/quota.ts',
    find: '(quotas.link ?? Infinity) - sumOfBytes(counts.link)',
    replace: '(quotas.link ?? Infinity) - 0 * sumOfBytes(counts.link)',
  },
  // Files.
  {
    file: SCHEMA,
    find: 'files = files + (SELECT coalesce(sum(size), 0) FROM file AS added',
    replace: 'files = files + 0 * (SELECT coalesce(sum(size), 0) FROM file AS added',
  },
  {
    file: POSTGRES,
    find: 'files = files + (SELECT coalesce(sum(size), 0) FROM file AS added',
    replace: 'files = files + 0 * (SELECT coalesce(sum(size), 0) FROM file AS added',
  },
  // History of what the same link had written.
  {
    file: SCHEMA,
    find: '    history = history + (SELECT coalesce(sum(60 + coalesce(octet_length(before), 0)), 0)',
    replace: '    history = history + 0 * (SELECT coalesce(sum(60 + coalesce(octet_length(before), 0)), 0)',
  },
  {
    file: POSTGRES,
    find: 'SET documents = documents - part.size, history = history + part.bytes FROM',
    replace: 'SET documents = documents - part.size, history = history + 0 * part.bytes FROM',
  },
  // Responses that are stored for retries.
  {
    file: SCHEMA,
    find: 'CREATE TRIGGER kept_answer_counted AFTER INSERT ON kept_answer BEGIN',
    replace: 'CREATE TRIGGER kept_answer_counted AFTER INSERT ON kept_answer WHEN 0 BEGIN',
  },
  { file: POSTGRES, find: '(row) => sizeOf(RESPONSE_SIZE, row),', replace: "() => '0'," },
  // Proposals.
  {
    file: SCHEMA,
    find: 'CREATE TRIGGER proposal_counted AFTER INSERT ON proposal BEGIN',
    replace: 'CREATE TRIGGER proposal_counted AFTER INSERT ON proposal WHEN 0 BEGIN',
  },
  { file: POSTGRES, find: '(row) => sizeOf(PROPOSAL_SIZE, row),', replace: "() => '0'," },
]
