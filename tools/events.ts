import { z } from 'zod'
import {
  CHANGES_PER_ANSWER,
  CHANGES_PER_ANSWER_MAX,
  CHANGES_WAIT_SECONDS,
  FILTERS_PER_VIEW,
  MEMBERS_PER_ANSWER,
  QUIET_SECONDS,
  QUIET_SECONDS_MAX,
  STREAM_KEEP_ALIVE_SECONDS,
  TITLE_LENGTH,
} from '../src/base/limits.ts'
import { byKind, type EventListing, endpoint } from '../src/endpoint.ts'
import {
  EVENT_NAMES,
  EVENT_TYPE_OF,
  type EventName,
  NARROWING_KEYS,
  type NarrowingKey,
} from '../src/space/events/event-types.ts'
import { type EventsAnswer, type EventsInput, listEvents, locateEvents } from '../src/space/events/list-events.ts'
import { ACCESS_LEVELS, type ConnectionKind } from '../src/space/model/space.ts'
import { cursor, id, limit } from './shapes/block-shapes.ts'
import {
  decisionFields,
  foreignTitle,
  importFields,
  leaseFields,
  proposalFields,
  reminderFields,
  taskFields,
} from './shapes/feed-shapes.ts'
import { givenMember } from './shapes/member-shape.ts'
import { itemQuery } from './shapes/view-shapes.ts'

/** Who made a call. */
const caller = {
  author: z.string().optional(),
  client: z.string().optional(),
  approvedBy: z.string().optional(),
  callId: z.string().optional(),
}
const title = foreignTitle.optional()
const place = { blockId: z.string(), documentId: z.string(), title }
const authorAccess = z.enum(ACCESS_LEVELS).describe('What the author may do in the space now')
const burst = { changes: z.int().optional().describe('How many calls are joined in this event') }
const comment = z.strictObject({ commentId: z.string(), ...place, ...caller })

/** The `data` of each event: IDs, titles and who, never texts. */
const PAYLOADS: Record<EventName, z.ZodType> = {
  'comment.created': comment,
  'comment.resolved': comment,
  'document.added': z.strictObject({ documentId: z.string(), title, ...caller }),
  'document.changed': z.strictObject({
    ...{ documentId: z.string(), title },
    gone: z.literal(true).optional().describe('It was deleted, or left your reach'),
    ...burst,
    ...caller,
  }),
  'item.changed': z.strictObject({
    ...{ itemId: z.string(), collectionId: z.string(), documentId: z.string(), title },
    ...burst,
    ...caller,
  }),
  'item.entered': z.strictObject({
    ...{ itemId: z.string(), collectionId: z.string(), documentId: z.string(), title },
    ...caller,
  }),
  'import.ended': z.strictObject(importFields),
  'lease.ended': z.strictObject(leaseFields),
  mention: z.strictObject({
    commentId: z.string().optional(),
    ...place,
    memberIds: z.array(z.string()).meta({ maxItems: MEMBERS_PER_ANSWER }),
    moreMembers: z.int().optional(),
    authorAccess,
    ...caller,
    confirmedBy: z.string().optional().describe('Who called the members, if the author may only comment'),
  }),
  'proposal.waiting': z.strictObject(proposalFields),
  'proposal.decided': z.strictObject({ ...proposalFields, ...decisionFields }),
  'reminder.due': z.strictObject(reminderFields),
  'task.assigned': z.strictObject({
    ...place,
    assignee: z.strictObject({ id: z.string(), name: z.string() }).optional(),
    ...{ authorAccess, ...caller },
  }),
  'task.due': z.strictObject(taskFields),
}

const quietSeconds = z
  .int()
  .min(0)
  .max(QUIET_SECONDS_MAX)
  .optional()
  .describe(
    `Seconds without another change after which a burst is one event; ${QUIET_SECONDS} by default, 0 for each call`,
  )
const author = z.string().min(1).max(TITLE_LENGTH).optional().describe('Only what this person or agent caused')
const member = givenMember.describe('me, @handle, name or ID')
const mine = z.boolean().optional().describe('false leaves out what your own link caused')

const property = z.string().min(1).max(TITLE_LENGTH).optional()
const filters = z
  .array(z.strictObject({ property: z.string(), filterType: z.string(), filterValue: z.unknown().optional() }))
  .max(FILTERS_PER_VIEW)
  .optional()
  .describe('As in items_list, without isReady and isBlocked; all must hold')

const NARROWING: Record<NarrowingKey, z.ZodType> = {
  documentId: id.optional(),
  folderId: id.optional(),
  collectionId: id.optional(),
  viewId: id.optional().describe('Instead of filters'),
  filters,
  property: property.describe('Its key or name: only changes of this property'),
  assignee: member,
  member,
  author,
}

/** What narrows an event. Narrow connections know no folders. */
function argumentsOf(name: EventName, kind: ConnectionKind) {
  const { narrowedBy, needs, joins, alwaysArrives } = EVENT_TYPE_OF[name]
  const keys = narrowedBy.filter((key) => key !== 'folderId' || kind === 'full')
  return z.strictObject({
    ...Object.fromEntries(keys.map((key) => [key, key === needs ? id : NARROWING[key]])),
    ...(!alwaysArrives && { mine }),
    ...(joins && { quietSeconds }),
  })
}

export const eventTypes = EVENT_NAMES.map(
  (name): EventListing => ({
    name,
    description: EVENT_TYPE_OF[name].description,
    inputs: byKind((kind) => argumentsOf(name, kind)),
    payload: PAYLOADS[name],
  }),
)

interface FollowInput extends EventsInput {
  wait: number
}

const list = endpoint({
  name: 'events_list',
  title: 'Follow events',
  description:
    'List the events of one type, each once and in order, with IDs and without texts: what an agent is called for. Without cursor it begins now; wait delays the answer until something happens. As text/event-stream it keeps streaming.',
  route: 'GET /events',
  effect: 'read',
  isRestOnly: true,
  eventTypes,
  input: byKind((kind) =>
    z
      .strictObject({
        name: z.enum(EVENT_NAMES),
        documentId: id.optional(),
        ...(kind === 'full' && { folderId: id.optional() }),
        collectionId: id.optional(),
        viewId: itemQuery.viewId,
        filters: itemQuery.filters,
        property,
        assignee: member,
        member,
        author,
        mine,
        quietSeconds,
        cursor: cursor.describe('That of an answer or of an item, or start'),
        limit: limit(CHANGES_PER_ANSWER_MAX, CHANGES_PER_ANSWER),
        maxAgeSeconds: z.int().min(0).optional().describe('Skips events that are older, and says so'),
        wait: z.int().min(0).max(CHANGES_WAIT_SECONDS).default(0).describe('Seconds'),
      })
      .superRefine(refuseForeign),
  ),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        eventId: z.string(),
        name: z.enum(EVENT_NAMES),
        timestamp: z.string(),
        data: z.union(Object.values(PAYLOADS) as [z.ZodType, z.ZodType, ...z.ZodType[]]),
        cursor: z.string(),
      }),
    ),
    cursor: z.string(),
    truncated: z.boolean(),
    hasMore: z.boolean(),
    nextPollMs: z.int(),
  }),
  follow: {
    cursorField: 'cursor',
    seconds: ({ wait }: FollowInput) => wait,
    keepAliveSeconds: STREAM_KEEP_ALIVE_SECONDS,
    locate: async ({ space }, { wait, ...input }: FollowInput) => ({ ...(await locateEvents(space, input)), wait }),
    read: ({ items, cursor, truncated, hasMore, nextPollMs }: EventsAnswer) => ({
      events: items.map(({ cursor: id, ...item }) => ({ id, type: item.name, data: item })),
      cursor,
      hasMore,
      ...{ again: nextPollMs, isNews: truncated },
    }),
    // Once everything was read, what happens next is young, however late its reader takes it.
    after: ({ maxAgeSeconds, ...input }: FollowInput, { cursor, hasMore }: EventsAnswer) => ({
      ...{ ...input, cursor },
      ...(hasMore && { maxAgeSeconds }),
    }),
  },
  handle: ({ space }, input: FollowInput) => listEvents(space, input),
})

/** Refuses what does not narrow the named event. In silence it would send more than was asked for. */
function refuseForeign(given: { name: EventName }, context: z.RefinementCtx): void {
  const allowed = Object.keys(argumentsOf(given.name, 'full').shape)
  const isGiven = (key: string) => (given as Record<string, unknown>)[key] !== undefined
  const foreign = [...NARROWING_KEYS, 'mine', 'quietSeconds'].filter((key) => isGiven(key) && !allowed.includes(key))
  const { needs } = EVENT_TYPE_OF[given.name]
  if (needs !== undefined && !isGiven(needs)) {
    const message = `Expected ${needs} with ${given.name}, found none; name it.`
    context.addIssue({ code: 'custom', path: [needs], message })
  }
  for (const key of foreign) {
    const message = `Expected what narrows ${given.name} (${allowed.join(', ')}), found ${key}; leave it out.`
    context.addIssue({ code: 'custom', path: [key], message })
  }
}

export const events = [list]
