import { z } from 'zod'
import { FOR_ME_PER_ANSWER, FOR_ME_PER_KIND } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { FOR_ME_KINDS, listForMe, markForMe } from '../src/space/for-me/for-me.ts'
import { id, limit } from './shapes/block-shapes.ts'
import { forMeList } from './shapes/for-me-shape.ts'

const list = endpoint({
  name: 'for_me_list',
  title: 'List what waits for me',
  description:
    'List what waits for the member that the link is: its open tasks, comments and texts that name it, comments on what it wrote, proposals that it may decide, and what it has claimed.',
  route: 'GET /for-me',
  effect: 'read',
  // Agents read it with connection_get.
  isRestOnly: true,
  input: byKind(() => z.strictObject({ limit: limit(FOR_ME_PER_ANSWER, FOR_ME_PER_ANSWER) })),
  output: forMeList(FOR_ME_PER_ANSWER).extend({
    memberId: z.string().optional().describe('Who the link is; absent if it is no member'),
    dailyLine: z.boolean().describe('Whether a line in the daily note says each day what waits'),
  }),
  handle: async ({ space }, input) =>
    (await listForMe(space, input.limit)) ?? { items: [], unread: 0, dailyLine: false },
})

const update = endpoint({
  name: 'for_me_update',
  title: 'Mark what waits for me as read',
  description:
    'Mark what waits for the member that the link is as read or unread, on all of its devices, or choose a daily line.',
  route: 'PUT /for-me',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() =>
    z.strictObject({
      ids: z
        .array(id)
        .min(1)
        .max(FOR_ME_KINDS.length * FOR_ME_PER_KIND)
        .optional()
        .describe('All by default'),
      read: z.boolean().default(true),
      dailyLine: z.boolean().optional().describe('Instead of marking: whether a person gets a line in the daily note'),
    }),
  ),
  output: z.strictObject({ unread: z.int() }),
  insteadOfProposing: 'answer what waits',
  isAllowedWhenFull: () => true,
  // What somebody has read concerns no one else: it changes no document, and the audit log does not have it.
  hasWritten: () => false,
  handle: ({ space }, input) => markForMe(space, input),
})

export const forMe = [list, update]
