import { z } from 'zod'
import { CLAIMED_ROWS, LEASE_SECONDS, LEASE_SECONDS_MAX } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { assertStillHeld, type ClaimInput, claimRows } from '../src/space/claims/claim-rows.ts'
import { formatValue } from '../src/space/model/format-value.ts'
import type { ConnectionKind } from '../src/space/model/space.ts'
import { TASK_SCOPES } from '../src/space/tasks/task-list.ts'
import { id } from './shapes/block-shapes.ts'
import { conflicts, partial } from './shapes/conditions.ts'
import { collectionAliases, named } from './shapes/input-aliases.ts'
import { jsonText, jsonTextAsIn } from './shapes/published.ts'
import { clearableDates } from './shapes/task-shapes.ts'
import { itemQuery } from './shapes/view-shapes.ts'

const plainText = { published: { type: 'string' } }
const heldRows = z
  .array(z.strictObject({ id, fence: z.int().min(1) }))
  .max(CLAIMED_ROWS)
  .optional()
const OPEN_SCOPES = TASK_SCOPES.filter((scope) => scope !== 'logbook')
const hidden = { hidden: true } as const

const query = {
  collectionId: id.optional(),
  viewId: itemQuery.viewId.meta(hidden),
  filters: itemQuery.filters.meta(jsonTextAsIn('items_list', 'as in items_list')),
  sortBy: itemQuery.sortBy.meta(plainText),
  count: z
    .int()
    .min(1)
    .max(CLAIMED_ROWS)
    .optional()
    .meta({ published: { type: 'integer' } }),
  set: z.record(z.string(), z.unknown()).optional().meta(jsonText('values meanwhile')),
  lease: z
    .int()
    .min(1)
    .max(LEASE_SECONDS_MAX)
    .optional()
    .meta({ published: { type: 'integer', description: `Seconds, ${LEASE_SECONDS}` } }),
  renew: heldRows.meta({ published: { type: 'string', description: '[{ id, fence }]' } }),
  release: heldRows.meta(plainText),
  scope: z.enum(OPEN_SCOPES).optional().meta(hidden),
  documentId: id.optional().meta(hidden),
  maxDepth: z.int().min(-1).default(-1).meta(hidden),
  allowNewSelectOptions: z.boolean().default(false).meta(hidden),
  partial,
}

type Given = z.output<z.ZodObject<typeof query>>

/** The fields that only apply to one of the three uses of the tool. */
const OF_ITEMS = ['viewId', 'filters', 'sortBy'] as const
const OF_TASKS = ['scope', 'documentId'] as const

const input = (kind: ConnectionKind) =>
  z.strictObject(query).transform((given, context): ClaimInput => {
    const fault = wrongField(given, kind)
    if (fault !== undefined) {
      context.addIssue({ code: 'custom', message: fault.message, input: given, path: fault.path })
      return z.NEVER
    }
    const { collectionId, count = 1, lease, renew = [], release = [], partial, scope, documentId, ...rest } = given
    const duration = (lease ?? LEASE_SECONDS) * 1_000
    if (given.renew !== undefined || given.release !== undefined) {
      return { kept: { renew, release, partial, duration: lease === undefined ? undefined : duration } }
    }
    if (collectionId !== undefined) return { items: { collectionId, count, duration, ...rest } }
    const set = rest.set === undefined ? undefined : readDates(rest.set, context)
    const claimed = { count, duration, set }
    if (documentId !== undefined) return { tasks: { scope: { scope: 'document', documentId }, ...claimed } }
    return { tasks: { scope: { scope: scope === 'document' ? 'active' : (scope ?? 'active') }, ...claimed } }
  })

/** The dates that a claim gives tasks, beside each other or in `taskInfo`, as in tasks_update. */
const taskDates = z.strictObject({ ...clearableDates, taskInfo: z.strictObject(clearableDates).optional() })

function readDates(set: object, context: z.RefinementCtx) {
  const other = [...Object.keys(set), ...Object.keys((set as { taskInfo?: object }).taskInfo ?? {})].find(
    (key) => !Object.hasOwn(taskDates.shape, key),
  )
  if (other !== undefined) {
    const message = `Expected scheduleDate or deadlineDate for tasks, found ${formatValue(other)}; change the rest of a claimed task with tasks_update and its fence.`
    context.addIssue({ code: 'custom', message, input: set, path: ['set'] })
    return z.NEVER
  }
  const { data, error } = taskDates.safeParse(set)
  for (const { path, message } of error?.issues ?? []) {
    context.addIssue({ code: 'custom', message, input: set, path: ['set', ...path] })
  }
  if (data === undefined) return z.NEVER
  const { taskInfo, ...dates } = data
  return { ...taskInfo, ...dates }
}

/** A field that does not belong to what the call does. */
function wrongField(given: Given, kind: ConnectionKind): { path: string[]; message: string } | undefined {
  const isKeeping = given.renew !== undefined || given.release !== undefined
  const find = (keys: readonly (keyof Given)[]) => keys.find((key) => given[key] !== undefined)
  const wrong = (key: keyof Given, message: string) => ({ path: [key], message })
  const claiming = find(['collectionId', ...OF_ITEMS, ...OF_TASKS, 'count'])
  if (isKeeping && claiming !== undefined) {
    return wrong(
      claiming,
      `Expected renew and release without ${claiming}, found both; claim new rows in a call of its own.`,
    )
  }
  if (isKeeping) return undefined
  const ofItems = find(OF_ITEMS)
  const ofTasks = find(OF_TASKS)
  if (given.collectionId !== undefined) {
    return ofTasks && wrong(ofTasks, `Expected ${ofTasks} for tasks alone, found it with collectionId; leave one out.`)
  }
  if (kind === 'selected') {
    return wrong('collectionId', 'Expected the ID of a collection, found none; this connection reaches no other tasks.')
  }
  if (ofItems !== undefined) {
    return wrong(ofItems, `Expected collectionId with ${ofItems}, found none; without it, tasks are claimed by scope.`)
  }
  if (kind === 'daily' && (given.documentId !== undefined || given.scope === 'document' || given.scope === 'all')) {
    return wrong('scope', 'Expected active, upcoming, undated or inbox, found another scope; give one of these.')
  }
  if (given.scope === 'document' && given.documentId === undefined) {
    return wrong('documentId', 'Expected documentId with scope document, found none; give the ID of a document.')
  }
  if (given.documentId !== undefined && given.scope !== undefined && given.scope !== 'document') {
    const message = `Expected documentId with scope document alone, found it with scope ${given.scope}; leave one out.`
    return wrong('documentId', message)
  }
  return undefined
}

const claim = endpoint({
  name: 'items_claim',
  title: 'Claim items',
  description:
    'Claim the first free items (without collectionId: tasks) for a time; returns their content. Send the returned fence with updates, and release: true with the last. Lists with heldBy "me" show yours.',
  route: 'POST /items/claim',
  effect: 'change',
  hints: { idempotent: false },
  aliases: [
    ...collectionAliases,
    ...named('viewId', 'view'),
    ...named('count', 'limit max n'),
    ...named('lease', 'leaseSeconds seconds ttl timeout'),
  ],
  alsoKnownAs: ['tasks_claim', 'claim', 'items_lock', 'items_take', 'items_lease', 'items_release', 'items_reserve'],
  insteadOfProposing:
    'a row cannot be held while a person decides, so propose the change with items_update and expected',
  endsLeases: true,
  input: byKind(input),
  output: z.strictObject({
    items: z.array(z.looseObject({ id: z.string(), fence: z.int() })),
    until: z.string().optional(),
    released: z.array(z.string()).optional().meta(hidden),
    conflicts,
  }),
  blocks: { write: (ready) => countRows(ready) },
  // Rows can be given back in a full space, too, and work on them may go on.
  isAllowedWhenFull: (ready) => 'kept' in ready,
  hasWritten: ({ items, released = [] }) => items.length + released.length > 0,
  writtenIds: ({ items, released = [] }) => [...items.map(({ id }) => id), ...released],
  assertStillValid: ({ space }, { items }) => assertStillHeld(space, items),
  handle: ({ space }, ready) => claimRows(space, ready),
})

function countRows(ready: ClaimInput): number {
  if ('items' in ready) return ready.items.count
  return 'tasks' in ready ? ready.tasks.count : ready.kept.renew.length + ready.kept.release.length
}

export const claims = [claim]
