/** Faults of the product that the proof must detect. */
import { ACKNOWLEDGED_BEFORE_COMMIT } from '../crash/planted.ts'
import type { Mutation } from '../mutated-sources.ts'

/** A call repeated with its idempotency key runs again. */
const DONE_AGAIN: Mutation = {
  file: 'src/call/transact.ts',
  find: 'const replay = idempotent && (await findReplay(view, idempotent))',
  replace: 'const replay = undefined as Awaited<ReturnType<typeof findReplay>>',
}

/** Processes are not notified of changes, so they notice them only at the next poll. */
const NOT_NOTIFIED: Mutation = {
  file: 'storage/postgres/change-notifications.ts',
  find: '    this.#changed.add(space)\n    if',
  replace: '    if',
}

/** A write uses a snapshot from before its lock, so that two writes draw the same numbers. */
const STALE_SNAPSHOT: Mutation = {
  file: 'storage/postgres/open-storage.ts',
  find: '`BEGIN ISOLATION LEVEL READ COMMITTED;',
  replace: '`BEGIN ISOLATION LEVEL REPEATABLE READ;',
}

/** A condition is not checked if the block already has the new text, so that several callers take the same lock. */
const TAKEN_TWICE: Mutation = {
  file: 'src/space/editing/block-conditions.ts',
  find: 'if (matchesMarkdown(visible(row), markdown, update.expected)) found',
  replace:
    'if (matchesMarkdown(visible(row), markdown, update.expected) || isUnchanged(visible(row), update.input.markdown)) found',
}

/** A fingerprint covers the order among other blocks, so that whoever adds a block stands in the way of approvals. */
const HELD_UP: Mutation = {
  file: 'src/space/history/described-rows.ts',
  find: 'fields: text.fields.filter(({ isOrder }) => !isOrder)',
  replace: 'fields: text.fields',
}

export const PLANTED: readonly Mutation[] = [
  ACKNOWLEDGED_BEFORE_COMMIT,
  DONE_AGAIN,
  NOT_NOTIFIED,
  STALE_SNAPSHOT,
  TAKEN_TWICE,
  HELD_UP,
]
