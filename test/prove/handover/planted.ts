/** Faults that the proof must find. */
import type { Mutation } from '../mutated-sources.ts'

/** A call that is repeated with its key is carried out again. */
const REPEATED: Mutation = {
  file: 'src/call/idempotency.ts',
  find: '  if (stored === undefined) return undefined\n  const storedCall',
  replace: '  if (stored === undefined || stored.key !== "") return undefined\n  const storedCall',
}

/** An answered thread stays open. */
const STILL_OPEN: Mutation = {
  file: 'src/space/comments/answered-comment.ts',
  find: 'one.resolvedAt === null && (',
  replace: 'one.resolvedAt !== null && (',
}

/** A proposal does not keep which comment it answers. */
const FORGOTTEN: Mutation = {
  file: 'src/call/prepare-call.ts',
  find: 'input: withAnswers(read, answers),',
  replace: 'input: withAnswers(read, undefined),',
}

/** Open tasks do not wait for who does them. */
const NO_TASKS: Mutation = {
  file: 'storage/for-me.ts',
  find: 'AND task_open = 1 AND',
  replace: 'AND task_open = 0 AND',
}

/** Resolved comments wait for ever. */
const RESOLVED_WAITS: Mutation = {
  file: 'storage/for-me.ts',
  find: 'WHERE comment.resolved_at IS NULL AND ',
  replace: 'WHERE ',
}

/** By which sentence each is found. */
export const PLANTED_HANDOVER: Record<string, { mutations: readonly Mutation[]; found: RegExp }> = {
  'repeated calls': { mutations: [REPEATED], found: /Expected one proposal, approved, found: .*,/ },
  'an answered thread stays open': { mutations: [STILL_OPEN], found: /make this shorter \(open\)/ },
  'a proposal forgets what it answers': { mutations: [FORGOTTEN], found: /a form at \/waiting/ },
  'no tasks for me': { mutations: [NO_TASKS], found: /Expected "Which year\?" under For me/ },
  'resolved comments wait': { mutations: [RESOLVED_WAITS], found: /Expected nothing to wait for Anna/ },
}
