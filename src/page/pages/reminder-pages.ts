/** Reminders: setting, rescheduling, completing and deleting them. */

import { ScriptoriumError } from '../../base/errors.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { textOfBlock } from '../blocks/block-writer.ts'
import {
  addressOf,
  backOf,
  buttonForm,
  deleteButton,
  fieldOf,
  formLink,
  formPage,
  goTo,
  isProposed,
  submitForm,
} from '../form-page.ts'
import { type Html, html } from '../html.ts'
import { localTime, parseRemindAt, readReminders, timeField } from '../own-reminders.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { ReminderEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { taskTabsHtml } from './task-pages.ts'

/** Maximum length of the name of a block in the heading of a form. */
const NAME_LENGTH = 80

export const remindersPage: Page = {
  route: 'GET /reminders',
  needs: ['reminders_list'],
  async handle(call) {
    const reminders = await readReminders(call)
    const main = html`<div class="page"><h1>Tasks</h1>
${taskTabsHtml(call, 'reminders')}
<p class="about js" data-notifications="" hidden><button>Show them as notifications</button> of this browser, while a page of this space is open.</p>
<div id="reminders" data-stable hx-get="${call.href('/reminders')}" hx-select="#reminders" hx-trigger="spacechange from:body" hx-swap="outerMorph">${remindersHtml(call, reminders)}</div></div>`
    return { title: text('Reminders'), main, current: '/tasks' }
  },
}

function remindersHtml(call: PageCall, reminders: readonly ReminderEntry[] | undefined): Html {
  if (reminders === undefined) {
    return html`<p class="empty">Reminders belong to people, and this link belongs to no one.</p>`
  }
  if (reminders.length === 0) {
    return html`<p class="empty">Reminders show up here. Set one on a task or any other block, or ask an agent to remind you.</p>`
  }
  const timeOf = ({ remindAt }: ReminderEntry) =>
    remindAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(remindAt)
  const sorted = [...reminders].sort((one, other) => timeOf(one) - timeOf(other))
  return html`<ul class="documents">${sorted.map((one) => reminderHtml(call, one))}</ul>`
}

function reminderHtml(call: PageCall, { id, title, blockId, remindAt }: ReminderEntry): Html {
  const isDue = remindAt !== undefined && Date.parse(remindAt) <= call.request.now
  const mayChange = call.may('change') && call.has('reminders_update')
  const when = remindAt === undefined ? text('for later') : call.formats.moment(remindAt)
  return html`<li data-reminder="${id}"><a href="${call.links.block(blockId)}">${shownTitle(title)}</a><span class="right"><span class="n${isDue && ' late'}">${mayChange ? formLink(call, `/reminders/${id}/edit`, when, { variant: '' }) : when}</span>${
    mayChange &&
    buttonForm(call, { action: `/reminders/${id}/done`, label: text('Done'), back: addressOf(call), variant: '' })
  }</span></li>
`
}

export const newReminderPage: Page = {
  route: 'GET /reminders/new',
  needs: ['reminders_add'],
  effect: 'add',
  handle: (call) => newReminder(call, call.query.get('block') ?? '', ''),
}

async function newReminder(call: PageCall, blockId: string, remindAt: string, fault?: string): Promise<ShownPage> {
  const block = await call.run('blocks_get', { id: blockId, maxDepth: 0 })
  return formPage(call, {
    title: text('Remind me about “{nameOf}”', { nameOf: nameOf(block) }),
    action: '/reminders/new',
    fields: html`<input type="hidden" name="block" value="${blockId}">${whenField(remindAt)}`,
    submit: text('Remind me'),
    back: backOf(call, `/d/${blockId}`),
    fault,
  })
}

/** The visible text of a block, cut off if it is long. */
function nameOf(block: JsonBlock): string {
  const text = shownTitle(plainTitle(textOfBlock(block)))
  return text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH).toWellFormed()}…` : text
}

const whenField = (remindAt: string): Html => timeField(text('When'), 'remindAt', remindAt, html` required autofocus`)

export const addReminder: Page = {
  route: 'POST /reminders/new',
  needs: ['reminders_add'],
  async handle(call) {
    const [blockId, local] = [fieldOf(call, 'block'), fieldOf(call, 'remindAt')]
    return submitForm(
      async () => {
        const reminders = [{ blockId, remindAt: parseRemindAt(call, local) }]
        const answer = await call.run('reminders_add', { reminders })
        return goTo(backOf(call, `/d/${blockId}`), isProposed(answer) ? 'proposed' : 'reminder-set')
      },
      (fault) => newReminder(call, blockId, local, fault),
    )
  },
}

export const editReminderPage: Page = {
  route: 'GET /reminders/:id/edit',
  needs: ['reminders_update'],
  effect: 'change',
  async handle(call) {
    const reminder = await readReminder(call)
    return editReminder(call, reminder, localTime(call, reminder))
  },
}

/** @throws NOT_FOUND_ERROR */
async function readReminder(call: PageCall): Promise<ReminderEntry> {
  const found = (await readReminders(call))?.find(({ id }) => id === call.params.id)
  if (found === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such reminder.')
  return found
}

function editReminder(call: PageCall, { id, title }: ReminderEntry, remindAt: string, fault?: string): ShownPage {
  const back = backOf(call, '/reminders')
  return formPage(call, {
    title: shownTitle(title),
    action: `/reminders/${id}/edit`,
    fields: whenField(remindAt),
    submit: text('Save'),
    back,
    fault,
    current: '/tasks',
    below: deleteButton(call, 'reminders_delete', {
      action: `/reminders/${id}/delete`,
      label: text('Delete the reminder'),
      back,
    }),
  })
}

export const changeReminder: Page = {
  route: 'POST /reminders/:id/edit',
  needs: ['reminders_update'],
  async handle(call) {
    const reminder = await readReminder(call)
    const local = fieldOf(call, 'remindAt')
    return submitForm(
      async () => {
        const remindersToUpdate = [{ id: reminder.id, remindAt: parseRemindAt(call, local) }]
        const answer = await call.run('reminders_update', { remindersToUpdate })
        return goTo(backOf(call, '/reminders'), isProposed(answer) ? 'proposed' : undefined)
      },
      async (fault) => editReminder(call, reminder, local, fault),
    )
  },
}

export const deleteReminder: Page = {
  route: 'POST /reminders/:id/delete',
  needs: ['reminders_delete'],
  async handle(call) {
    const answer = await call.run('reminders_delete', { idsToDelete: [call.params.id ?? ''] })
    return goTo(backOf(call, '/reminders'), isProposed(answer) ? 'proposed' : undefined)
  },
}

export const completeReminder: Page = {
  route: 'POST /reminders/:id/done',
  needs: ['reminders_update'],
  async handle(call) {
    const change = { id: call.params.id ?? '', isCompleted: true }
    const answer = await call.run('reminders_update', { remindersToUpdate: [change] })
    return goTo(backOf(call, '/reminders'), isProposed(answer) ? 'proposed' : undefined)
  },
}
