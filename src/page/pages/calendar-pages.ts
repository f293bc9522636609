/** Calendars of others: the list of those that a person is subscribed to, and subscribing, naming and removing them. */
import { ScriptoriumError } from '../../base/errors.ts'
import { CALENDAR_NAME_LENGTH, CALENDAR_URL_LENGTH } from '../../base/limits.ts'
import {
  type CalendarListing,
  mayHaveCalendars,
  refresh,
  renameSubscribed,
  subscribe,
  subscribedCalendars,
  unsubscribe,
} from '../../space/calendar/subscribed-calendars.ts'
import { faultOf } from '../calendar-events.ts'
import {
  addressOf,
  backOf,
  buttonForm,
  fieldOf,
  formLink,
  formPage,
  goTo,
  submitForm,
  textField,
} from '../form-page.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'

const LIST = '/calendars'
const CRUMBS = (call: PageCall) => [{ href: call.href('/days'), name: text('Daily notes') }]

export const calendarsPage: Page = {
  route: 'GET /calendars',
  async handle(call) {
    const calendars = await ownCalendars(call)
    const main = html`${barHtml(CRUMBS(call))}<div class="page"><h1>Calendars of others</h1>
<p class="about">Their events are shown in the calendar and beside daily notes. Only you see them, and nothing here changes them. Agents, searches and exports do not have them.</p>
${listHtml(call, calendars)}
<p>${formLink(call, `${LIST}/new`, text('Subscribe to a calendar'), { back: LIST })}</p></div>`
    return { title: text('Calendars of others'), main, current: '/days' }
  },
}

/** @throws NOT_FOUND_ERROR for those who have none */
async function ownCalendars(call: PageCall): Promise<CalendarListing[]> {
  const { space, link } = call.request.caller
  if (!mayHaveCalendars(link)) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There are no calendars here.')
  return space.read(link, subscribedCalendars)
}

function listHtml(call: PageCall, calendars: readonly CalendarListing[]): Html {
  if (calendars.length === 0) return html`<p class="empty">Calendars that you subscribe to show up here.</p>`
  return html`<ul class="documents">${calendars.map((calendar) => {
    const { n, name, url, readAt } = calendar
    const read = readAt !== null && html`Read ${call.formats.moment(new Date(readAt).toISOString())}.`
    // The path of an address is often a secret.
    return html`<li><span>${formLink(call, `${LIST}/${n}`, shownText(name), { variant: '', back: addressOf(call) })}<br><small>${new URL(url).host} · ${faultOf(call, calendar) || read}</small></span><span class="right">${buttonForm(call, { action: `${LIST}/${n}/refresh`, label: text('Read again'), back: LIST })}</span></li>
`
  })}</ul>`
}

export const newCalendarPage: Page = {
  route: 'GET /calendars/new',
  async handle(call) {
    await ownCalendars(call)
    return newCalendar(call, { address: '', name: '' })
  },
}

const newCalendar = (call: PageCall, given: { address: string; name: string }, fault?: string): ShownPage =>
  formPage(call, {
    title: text('Subscribe to a calendar'),
    action: `${LIST}/new`,
    fields: html`<p class="about">Its address ends in <code>.ics</code> as a rule. Google, Outlook, iCloud and others give one in the settings of a calendar.</p>
${textField(text('Address'), 'address', given.address, html` required autofocus inputmode="url" spellcheck="false" maxlength="${CALENDAR_URL_LENGTH}" placeholder="https://example.org/calendar.ics"`)}
${textField(text('Name'), 'name', given.name, html` maxlength="${CALENDAR_NAME_LENGTH}" placeholder="As the calendar calls itself"`)}`,
    submit: text('Subscribe'),
    back: backOf(call, LIST),
    fault,
    crumbs: CRUMBS(call),
    current: '/days',
  })

export const addCalendar: Page = {
  route: 'POST /calendars/new',
  async handle(call) {
    await ownCalendars(call)
    const given = { address: fieldOf(call, 'address'), name: fieldOf(call, 'name') }
    const { caller, isAllowed } = call.request
    return submitForm(
      async () => {
        await subscribe(caller.space, caller.link, given, { isAllowed })
        return goTo(LIST, 'subscribed')
      },
      async (fault) => newCalendar(call, given, fault),
    )
  },
}

export const editCalendarPage: Page = {
  route: 'GET /calendars/:id',
  handle: async (call) => editCalendar(call, (await ownCalendar(call)).name),
}

/** @throws NOT_FOUND_ERROR */
async function ownCalendar(call: PageCall): Promise<CalendarListing> {
  const calendar = (await ownCalendars(call)).find(({ n }) => n === numberOf(call))
  if (calendar === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such calendar.')
  return calendar
}

const numberOf = ({ params }: PageCall): number => (/^\d{1,15}$/.test(params.id ?? '') ? Number(params.id) : 0)

function editCalendar(call: PageCall, name: string, fault?: string): ShownPage {
  const action = `${LIST}/${numberOf(call)}`
  return formPage(call, {
    title: text('Calendar'),
    action,
    fields: textField(text('Name'), 'name', name, html` required maxlength="${CALENDAR_NAME_LENGTH}"`),
    submit: text('Save'),
    back: LIST,
    fault,
    crumbs: CRUMBS(call),
    current: '/days',
    below: buttonForm(call, {
      action: `${action}/remove`,
      label: text('Remove the calendar'),
      back: LIST,
      variant: 'danger',
    }),
  })
}

export const changeCalendar: Page = {
  route: 'POST /calendars/:id',
  async handle(call) {
    await ownCalendar(call)
    const { space, link } = call.request.caller
    const name = fieldOf(call, 'name')
    return submitForm(
      async () => {
        await space.write(link, (view) => renameSubscribed(view, numberOf(call), name))
        return goTo(LIST, 'saved')
      },
      async (fault) => editCalendar(call, name, fault),
    )
  },
}

export const removeCalendar: Page = {
  route: 'POST /calendars/:id/remove',
  async handle(call) {
    const { space, link } = call.request.caller
    await space.write(link, (view) => unsubscribe(view, numberOf(call)))
    return goTo(LIST, 'unsubscribed')
  },
}

export const refreshCalendar: Page = {
  route: 'POST /calendars/:id/refresh',
  async handle(call) {
    const { caller, isAllowed } = call.request
    await ownCalendar(call)
    await refresh(caller.space, caller.link, numberOf(call), { isAllowed }, true)
    return goTo(LIST)
  },
}
