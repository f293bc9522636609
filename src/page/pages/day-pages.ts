/** Daily notes: the note of a day, with a calendar of existing notes. */
import { ScriptoriumError } from '../../base/errors.ts'
import { mayHaveCalendars } from '../../space/calendar/subscribed-calendars.ts'
import {
  calendarNotes,
  dayEventsHtml,
  type EventsOnDays,
  eventsInMonth,
  readAgainLater,
  readEvents,
} from '../calendar-events.ts'
import { collectionStyle } from '../collections/collection-html.ts'
import { isDay, isMonth, isoDate, monthWeeks } from '../collections/month-weeks.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { text } from '../texts/text.ts'
import { showBlock } from './document-page.ts'
import { noNote } from './first-words-page.ts'

const DAY_MS = 86_400_000

export const dayPage: Page = {
  route: 'GET /days/:date',
  async handle(call) {
    const asked = call.params.date ?? 'today'
    if (asked !== 'today' && !isDay(asked)) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such day.')
    const date = asked === 'today' ? call.formats.today : asked
    const content = html`${await calendarHtml(call, date.slice(0, 7), date)}${dayEventsHtml(call, await readEvents(call, date, date), date)}${othersLink(call)}`
    const side = { name: text('Calendar'), content }
    const shown = await showNote(call, date)
    const current = date === call.formats.today ? '/days/today' : '/days'
    if (shown === undefined) return { ...noNote(call, date), current, side }
    if (!('main' in shown)) return shown
    return { ...shown, current, side }
  },
}

export const calendarPage: Page = {
  route: 'GET /days',
  async handle(call) {
    const asked = call.query.get('month') ?? ''
    const month = isMonth(asked) ? asked : call.formats.today.slice(0, 7)
    const { dates } = monthWeeks(month, [])
    const events = await readEvents(call, dates[0] ?? '', dates.at(-1) ?? '')
    const days =
      events.calendars.length === 0 ? await calendarHtml(call, month, '') : await monthHtml(call, month, events)
    const main = html`<div class="page"><h1>Daily notes</h1>${days}${othersLink(call)}</div>`
    return {
      title: text('Daily notes'),
      main,
      current: '/days',
      ...(events.calendars.length > 0 && { isWide: true as const }),
    }
  },
}

const othersLink = (call: PageCall): Html | false =>
  mayHaveCalendars(call.request.caller.link) &&
  html`<p class="about"><a class="button plain" href="${call.href('/calendars')}">Calendars of others</a></p>`

/** The weeks of a month, and its days with a note. */
async function readMonth(call: PageCall, month: string) {
  const weekdays = call.formats.weekdays()
  const shown = monthWeeks(
    month,
    weekdays.map(({ number }) => number),
  )
  const written = await datesWithNotes(call, shown.dates[0] ?? '', shown.dates.at(-1) ?? '')
  return { ...shown, weekdays, written }
}

/** A month with the events of calendars of others. The number of a day leads to its note. */
async function monthHtml(call: PageCall, month: string, events: EventsOnDays): Promise<Html> {
  const { formats } = call
  const { first, weeks, numbers, weekdays, written } = await readMonth(call, month)
  const id = 'month-events'
  const day = (date: string | undefined): Html =>
    date === undefined
      ? html`<td class="out"></td>`
      : html`<td${date === formats.today && html` class="today"`}><a class="day-number" href="${call.links.day(date)}" aria-label="${dayLabel(call, date, written)}">${numberHtml(date, written)}</a>${eventsInMonth(call, events, date)}</td>`
  return html`${collectionStyle(call)}<section class="month" id="${id}" aria-label="Days"${readAgainLater(call, id, events)}>${monthsHtml(call, month, first)}
<div class="wide" tabindex="0" role="group" aria-label="Days"><table><thead><tr><td class="week"></td>${weekdays.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${weeks.map((week, index) => html`<tr><th scope="row" class="week" aria-label="Week ${numbers[index] ?? ''}">${numbers[index]}</th>${week.map(day)}</tr>`)}</tbody></table></div>
${calendarNotes(call, events)}</section>`
}

const numberHtml = (date: string, written: ReadonlySet<string>): Html =>
  written.has(date) ? html`<b>${Number(date.slice(8))}</b>` : html`${Number(date.slice(8))}`

const dayLabel = (call: PageCall, date: string, written: ReadonlySet<string>): string =>
  `${call.formats.longDay(date)}${written.has(date) ? text(', has a note') : ''}`

function monthsHtml(call: PageCall, month: string, first: number): Html {
  const monthLink = (at: number, name: string) =>
    isMonth(isoDate(at).slice(0, 7)) &&
    html`<a href="${call.href('/days', { month: isoDate(at).slice(0, 7) })}">${name}</a>`
  return html`<div class="months">${monthLink(first - 5 * DAY_MS, text('Earlier'))}<b>${call.formats.month(month)}</b>${monthLink(first + 35 * DAY_MS, text('Later'))}</div>`
}

/** Returns undefined if the day has no note. */
async function showNote(
  call: PageCall,
  date: string,
): ReturnType<typeof showBlock> extends Promise<infer Answer> ? Promise<Answer | undefined> : never {
  try {
    return await showBlock(call, { date })
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'NOT_FOUND_ERROR') return undefined
    throw error
  }
}

/** A month with its days. Days with a note are marked. */
async function calendarHtml(call: PageCall, month: string, chosen: string): Promise<Html> {
  const { first, weeks, numbers, weekdays, written } = await readMonth(call, month)
  return html`<section class="calendar" aria-label="Days">${monthsHtml(call, month, first)}
<table><thead><tr><td class="week"></td>${weekdays.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${weeks.map((week, index) => html`<tr><th scope="row" class="week" aria-label="Week ${numbers[index] ?? ''}">${numbers[index]}</th>${week.map((date) => dayHtml(call, date, written, chosen))}</tr>`)}</tbody></table></section>`
}

function dayHtml(call: PageCall, date: string | undefined, written: ReadonlySet<string>, chosen: string): Html {
  if (date === undefined) return html`<td></td>`
  const names = [date === call.formats.today && 'today', written.has(date) && 'written'].filter(
    (name) => name !== false,
  )
  return html`<td><a class="${names.join(' ')}" href="${call.links.day(date)}"${date === chosen && html` aria-current="date"`} aria-label="${dayLabel(call, date, written)}">${Number(date.slice(8))}</a></td>`
}

async function datesWithNotes(call: PageCall, from: string, to: string): Promise<Set<string>> {
  if (call.kind === 'full') {
    const { items } = await call.run('documents_list', {
      location: 'daily_notes',
      dailyNoteDateGte: from,
      dailyNoteDateLte: to,
      limit: 1_000,
    })
    return new Set(items.flatMap(({ dailyNoteDate }) => dailyNoteDate ?? []))
  }
  // Connections to daily notes cannot list documents, so a search for any word finds the notes.
  const found = await call.run('daily_notes_search', {
    regexps: ['.'],
    startDate: from,
    endDate: to,
  })
  return new Set(found.items.flatMap(({ dailyNoteDate }) => dailyNoteDate ?? []))
}
