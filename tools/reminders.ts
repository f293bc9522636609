import { z } from 'zod'
import { ITEMS_PER_CALL, REMINDERS_PER_ANSWER, REMINDERS_PER_ANSWER_MAX } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import type { PendingNotice } from '../src/server-catalog.ts'
import { parseTimestamp } from '../src/space/model/dates.ts'
import {
  addReminders,
  deleteReminders,
  listDueReminders,
  listReminders,
  REMINDER_STATUSES,
  updateReminders,
} from '../src/space/reminders/reminders.ts'
import { reminder } from './shapes/block-output.ts'
import { cursor, id, ids, limit } from './shapes/block-shapes.ts'
import { entryParts } from './shapes/call-parts.ts'
import { idAliases, named, soleEntry } from './shapes/input-aliases.ts'
import { emptyIsAbsent, parsedString } from './shapes/parsed-text.ts'
import { idsAlone, idsChanged, unlistedAnswer } from './shapes/short-answers.ts'

const reminderList = z.strictObject({ items: z.array(reminder) })
const remindAt = parsedString(parseTimestamp).nullable().optional().describe('With Z or offset; none saves for later')

/**
 * Fields that are returned for reminders and cannot be set. They are accepted so that a reminder can be written back.
 */
const readOnly = z.unknown().optional().meta({ hidden: true })

const list = endpoint({
  name: 'reminders_list',
  title: 'List reminders',
  description: 'List reminders by status.',
  route: 'GET /reminders',
  effect: 'read',
  isPersonal: true,
  input: byKind(() =>
    z.strictObject({
      status: z.enum(REMINDER_STATUSES).default('incomplete'),
      limit: limit(REMINDERS_PER_ANSWER_MAX, REMINDERS_PER_ANSWER),
      cursor,
    }),
  ),
  output: z.strictObject({
    items: z.array(reminder).max(REMINDERS_PER_ANSWER_MAX),
    pagination: z.strictObject({ cursor: z.string() }).optional(),
  }),
  handle: ({ space }, input) => listReminders(space, input),
})

const add = endpoint({
  name: 'reminders_add',
  title: 'Set reminders',
  description: 'Set reminders on blocks, each in place of the one that the block has.',
  route: 'POST /reminders',
  effect: 'add',
  // A block has at most one reminder, so setting one replaces it.
  hints: { destructive: true },
  aliases: [
    ...named('reminders', 'reminder items'),
    ...soleEntry('reminders', 'blockId taskId id remindAt date time at datetime'),
    ...named('blockId', 'taskId id', 'reminders[].'),
    ...named('remindAt', 'date time at datetime when', 'reminders[].'),
  ],
  alsoKnownAs: ['reminders_create', 'reminders_set'],
  isPersonal: true,
  input: byKind(() =>
    z.strictObject({
      reminders: z
        .array(
          z
            .strictObject({
              blockId: id,
              remindAt: remindAt.meta(emptyIsAbsent),
              title: readOnly,
              isCompleted: readOnly,
              completedAt: readOnly,
            })
            .meta({ component: 'NewReminder' }),
        )
        .min(1)
        .max(ITEMS_PER_CALL),
      answer: unlistedAnswer,
    }),
  ),
  output: reminderList,
  shorten: idsAlone,
  parts: entryParts('reminders', { kind: 'other' }),
  handle: ({ space }, { reminders }) => addReminders(space, reminders),
})

const update = endpoint({
  name: 'reminders_update',
  title: 'Update reminders',
  description: 'Complete, reopen or retime reminders; a new time reopens.',
  route: 'PUT /reminders',
  effect: 'change',
  aliases: [
    ...named('remindersToUpdate', 'reminders reminder updates'),
    ...soleEntry('remindersToUpdate', 'id reminderId remindAt isCompleted completed done date'),
    ...named('id', 'reminderId', 'remindersToUpdate[].'),
    ...named('remindAt', 'date time at datetime', 'remindersToUpdate[].'),
    ...named('isCompleted', 'completed done', 'remindersToUpdate[].'),
  ],
  alsoKnownAs: ['reminders_complete', 'reminders_snooze', 'reminders_edit'],
  isPersonal: true,
  input: byKind(() =>
    z.strictObject({
      remindersToUpdate: z
        .array(
          z
            .strictObject({
              id,
              remindAt: remindAt.meta({ description: undefined }),
              isCompleted: z.boolean().optional(),
              title: readOnly,
              blockId: readOnly,
              completedAt: readOnly,
            })
            .refine(({ remindAt, isCompleted }) => remindAt !== undefined || isCompleted !== undefined, {
              error: 'Expected remindAt or isCompleted, found neither; give what is to change.',
            })
            .meta({ component: 'ReminderChange' }),
        )
        .min(1)
        .max(ITEMS_PER_CALL),
      answer: unlistedAnswer,
    }),
  ),
  output: reminderList,
  shorten: idsChanged('remindersToUpdate'),
  parts: entryParts('remindersToUpdate', { kind: 'other', subject: 'id' }),
  handle: ({ space }, { remindersToUpdate }) => updateReminders(space, remindersToUpdate),
})

const remove = endpoint({
  name: 'reminders_delete',
  title: 'Delete reminders',
  description: 'Delete reminders; their blocks stay.',
  route: 'DELETE /reminders',
  effect: 'delete',
  aliases: idAliases('idsToDelete', 'reminderIds reminderId reminders'),
  isPersonal: true,
  input: byKind(() => z.strictObject({ idsToDelete: ids })),
  output: z.strictObject({ items: z.array(z.string()) }),
  parts: entryParts('idsToDelete', { kind: 'other', subject: '' }),
  handle: ({ space }, { idsToDelete }) => deleteReminders(space, idsToDelete),
})

export const reminders = [list, add, update, remove]

/** MCP has no push notifications that hosts show, so due reminders are added to the next response. */
export const dueReminderNotice: PendingNotice = {
  key: 'scriptorium/dueReminders',
  read: async ({ space }) =>
    (await listDueReminders(space)).map((one) => ({ dedupeKey: `${one.id} ${one.remindAt}`, payload: one })),
}
