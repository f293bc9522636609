import { z } from 'zod'
import {
  CHANGES_PER_ANSWER,
  CHANGES_PER_ANSWER_MAX,
  CHANGES_WAIT_SECONDS,
  STREAM_KEEP_ALIVE_SECONDS,
} from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { type ChangesAnswer, type ChangesInput, listChanges, locateChanges } from '../src/space/feed/list-changes.ts'
import { cursor, limit } from './shapes/block-shapes.ts'
import {
  aboutDocuments,
  decisionFields,
  importFields,
  leaseFields,
  proposalFields,
  reminderFields,
  taskFields,
} from './shapes/feed-shapes.ts'

const ids = z.array(z.string()).optional()

const callItem = z.strictObject({
  type: z.literal('call.committed'),
  callId: z.string(),
  number: z.int().optional(),
  at: z.string(),
  author: z.string(),
  client: z.string().optional(),
  approvedBy: z.string().optional(),
  connection: z.string().optional(),
  linkId: z.string().optional(),
  tool: z.string(),
  summary: z.string(),
  documents: aboutDocuments,
  made: ids,
  changed: ids,
  moved: ids,
  deleted: ids,
  idsLeftOut: z.int().optional(),
  isPartial: z.literal(true).optional(),
  newDocuments: ids,
  goneDocuments: ids,
  undoes: ids,
  cursor: z.string(),
})

const happened = { at: z.string(), cursor: z.string() }
const reminderItem = z.strictObject({ type: z.literal('reminder.due'), ...happened, ...reminderFields })
const waitingItem = z.strictObject({ type: z.literal('proposal.waiting'), ...happened, ...proposalFields })
const decidedItem = z.strictObject({
  type: z.literal('proposal.decided'),
  ...happened,
  ...proposalFields,
  ...decisionFields,
})
const importItem = z.strictObject({ type: z.literal('import.ended'), ...happened, ...importFields })
const taskItem = z.strictObject({ type: z.literal('task.due'), ...happened, ...taskFields })
const leaseItem = z.strictObject({ type: z.literal('lease.ended'), ...happened, ...leaseFields })

interface FollowInput extends ChangesInput {
  wait: number
}

const list = endpoint({
  name: 'changes_list',
  title: 'Follow changes',
  description:
    'List what happened, each call once and in the order of commits, with IDs and without texts. Without cursor it begins now, with cursor=start at the oldest that history keeps; wait delays the answer until something happens. As text/event-stream it keeps streaming.',
  route: 'GET /changes',
  effect: 'read',
  isRestOnly: true,
  input: byKind(() =>
    z.strictObject({
      cursor: cursor.describe('That of an answer or of an item, or start'),
      limit: limit(CHANGES_PER_ANSWER_MAX, CHANGES_PER_ANSWER),
      mine: z.boolean().optional().describe('false leaves out what this link caused itself'),
      wait: z.int().min(0).max(CHANGES_WAIT_SECONDS).default(0).describe('Seconds'),
    }),
  ),
  output: z.strictObject({
    items: z
      .array(
        z.discriminatedUnion('type', [
          callItem,
          reminderItem,
          waitingItem,
          decidedItem,
          importItem,
          leaseItem,
          taskItem,
        ]),
      )
      .meta({ maxItems: CHANGES_PER_ANSWER_MAX }),
    cursor: z.string(),
    hasMore: z.boolean(),
  }),
  follow: {
    cursorField: 'cursor',
    seconds: ({ wait }: FollowInput) => wait,
    keepAliveSeconds: STREAM_KEEP_ALIVE_SECONDS,
    locate: async ({ space }, { wait, ...input }: FollowInput) => ({ ...(await locateChanges(space, input)), wait }),
    read: ({ items, cursor, hasMore }: ChangesAnswer) => ({
      events: items.map(({ cursor: id, ...item }) => ({ id, type: item.type, data: item })),
      cursor,
      hasMore,
    }),
    after: ({ limit, wait, mine }: FollowInput, { cursor }: ChangesAnswer) => ({ limit, wait, mine, cursor }),
  },
  handle: ({ space }, input: FollowInput) => listChanges(space, input),
})

export const changes = [list]
