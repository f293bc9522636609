/** The reminders of the person who uses the pages. */

import { ScriptoriumError } from '../base/errors.ts'
import { parseMoment } from '../space/model/dates.ts'
import { momentInput } from './date-fields.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import type { ReminderEntry } from './page-tools.ts'

/** Maximum number of reminders to read. */
const READ = 200

/** Upcoming and due reminders. Undefined if the link belongs to no participant, and so has none. */
export async function readReminders(call: PageCall): Promise<ReminderEntry[] | undefined> {
  if (!call.has('reminders_list')) return undefined
  try {
    return (await call.run('reminders_list', { status: 'incomplete', limit: READ })).items
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'REMINDERS_UNAVAILABLE') return undefined
    throw error
  }
}

/** The time of a reminder for a form field: `2026-11-25T09:00`, in the time zone of the space. */
export const localTime = (call: PageCall, reminder: ReminderEntry | undefined): string =>
  reminder?.remindAt === undefined ? '' : call.formats.localTime(Date.parse(reminder.remindAt))

/**
 * @param local  such as `2026-11-25T09:00`, or words such as `tomorrow 9:00`, in the time zone of the space
 * @returns the time in the format of reminders
 * @throws VALIDATION_ERROR
 */
export const parseRemindAt = (call: PageCall, local: string): string =>
  new Date(
    parseMoment(local, { now: call.request.now, timezone: call.request.caller.space.info.timezone }),
  ).toISOString()

export const timeField = (label: string, name: string, value: string, more: Html | false = false): Html =>
  html`<label class="moment">${label} ${momentInput(name, value, more)}</label>`
