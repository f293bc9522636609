/** Calendars of links: read as programs with calendars read them, by two parsers. */
import ICAL from 'ical.js'
import ical from 'node-ical'
import { expect, test } from 'vitest'
import { pauseAccessLink, resumeAccessLink, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type Serving, serveBuilt } from './serving.ts'

const addressOf = (serving: Serving, secret: string) => `${serving.server.origin}/links/${secret}/calendar.ics`

/** The summaries and dates of a calendar, as node-ical reads it. ical.js must find as many entries. */
async function entriesAt(address: string): Promise<string[]> {
  const response = await fetch(address)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  const text = await response.text()
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const found = Object.values(ical.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT' || one?.type === 'VTODO')
  const again = new ICAL.Component(ICAL.parse(text))
  expect(again.getAllSubcomponents()).toHaveLength(found.length)
  return found
    .map((one) => {
      const { type, summary, start, end, due, rrule, datetype } = one as unknown as Record<string, unknown>
      const day = (time: unknown) =>
        time instanceof Date ? time.toISOString().slice(0, datetype === 'date' ? 10 : 16) : ''
      const rule = rrule ? ' repeats' : ''
      return `${type} ${summary} ${day(start)}/${day(type === 'VTODO' ? due : end)}${rule}`
    })
    .sort()
}

async function filled() {
  const serving = await serveBuilt()
  const { ask } = await serving.link()
  const day = (date: string) => ({ state: 'todo', scheduleDate: date })
  const tasks = [
    {
      markdown: 'Pay **rent**; with, signs\\\\',
      taskInfo: day('2026-12-31'),
      repeat: { type: 'fixed', frequency: 'monthly' },
    },
    { markdown: 'Water', taskInfo: day('2026-12-01'), repeat: { type: 'flexible', frequency: 'weekly' } },
    { markdown: 'Hand in', taskInfo: { state: 'todo', scheduleDate: '2026-12-02', deadlineDate: '2026-12-09' } },
    { markdown: 'No date' },
    { markdown: 'Done', taskInfo: { state: 'done', scheduleDate: '2026-12-02' } },
  ]
  await ask('POST /tasks', { tasks })
  const markdown =
    'secret body\n\n- [ ] In a document with a very long title that goes on and on, ünd in ölder wörds, 日本語 too'
  const [{ id }] = (await ask('POST /documents', { documents: [{ title: 'Plan', markdown }, { title: 'Other' }] })).json
    .items
  const [task] = (await ask(`GET /tasks?scope=document&documentId=${id}`)).json.items
  await ask('PUT /tasks', { tasksToUpdate: [{ id: task.id, taskInfo: { deadlineDate: '2026-12-24' } }] })
  await ask('POST /reminders', { reminders: [{ blockId: id, remindAt: '2026-12-05T08:30:00Z' }] })
  const schema = {
    name: 'Trips',
    properties: [
      { type: 'date', name: 'When' },
      { type: 'text', name: 'Note' },
    ],
  }
  const made = await ask('POST /collections', { schema, position: { position: 'end', pageId: id } })
  await ask(`POST /collections/${made.json.collectionBlockId}/items`, {
    items: [
      {
        title: 'Rome',
        properties: { when: { start: '2027-03-01', end: '2027-03-04' }, note: 'hidden note' },
        markdown: 'hidden',
      },
      { title: 'Day', properties: { when: '2027-04-01' } },
      { title: 'Last', properties: { when: '9999-12-31' } },
    ],
  })
  return { serving, id }
}

test('tasks, reminders and dates of items are in it, without what stands below their titles', async () => {
  const { serving } = await filled()
  const { secret } = await serving.link({ isCalendar: true })
  const address = addressOf(serving, secret)
  expect(await entriesAt(address)).toEqual([
    'VEVENT Day (When) 2027-04-01/2027-04-02',
    'VEVENT Last (When) 9999-12-31/+010000-01',
    'VEVENT Plan 2026-12-05T08:30/2026-12-05T08:30',
    'VEVENT Rome (When) 2027-03-01/2027-03-05',
    'VTODO Hand in 2026-12-02/2026-12-09',
    'VTODO In a document with a very long title that goes on and on, ünd in ölder wörds, 日本語 too /2026-12-24T00:00',
    'VTODO Pay rent; with, signs\\ 2026-12-31/ repeats',
    'VTODO Water 2026-12-01/',
  ])
  const response = await fetch(address)
  const text = await response.text()
  for (const word of ['secret body', 'hidden', 'No date', 'Done', secret]) expect(text).not.toContain(word)
  expect(text).toContain('RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1')
  const again = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('a narrow calendar has what its link reaches, and twins that differ in the rest are the same', async () => {
  const { serving, id } = await filled()
  const { secret, info } = await serving.link({ isCalendar: true, kind: 'selected', documents: [id] })
  const address = addressOf(serving, secret)
  const before = await (await fetch(address)).text()
  expect(before).toContain('In a document')
  expect(before).toContain('SUMMARY:Rome')
  expect(before).not.toContain('Water')
  const { ask } = await serving.link()
  await ask('POST /tasks', {
    tasks: [{ markdown: 'hidden task', taskInfo: { state: 'todo', scheduleDate: '2026-12-03' } }],
  })
  expect(await (await fetch(address)).text()).toBe(before)
  const { secret: daily } = await serving.link({ isCalendar: true, kind: 'daily' })
  const shown = await (await fetch(addressOf(serving, daily))).text()
  expect(shown).toContain('Water')
  expect(shown).not.toContain('In a document')
  await ask('DELETE /documents', { documentIds: [id] })
  expect(await (await fetch(address)).text()).not.toContain('In a document')
  expect(info).toMatchObject({ isCalendar: true, access: 'read' })
})

test('its address opens nothing else, no other link opens a calendar, and it ends with its link', async () => {
  const { serving } = await filled()
  const made = await serving.link({ isCalendar: true, access: 'full' })
  const { space, requests } = serving
  expect((await made.ask('GET /tasks?scope=all')).status).toBe(401)
  expect((await fetch(made.mcp, { method: 'POST', body: '{}' })).status).toBe(401)
  expect(
    await (await fetch(`${serving.server.origin}/links/${made.secret}/view`, { redirect: 'manual' })).text(),
  ).not.toContain('Water')
  const other = await serving.link()
  expect((await fetch(addressOf(serving, other.secret))).status).toBe(401)
  expect((await fetch(addressOf(serving, made.secret))).status).toBe(200)
  const link = await space.createAccessLink('full', [], 'operator')
  expect(link.id).not.toBe(made.info.id)
  // No log has the secret.
  expect(JSON.stringify(requests)).not.toContain(made.secret)
  expect(JSON.stringify(requests)).toContain('/links/…/calendar.ics')
  await space.write(OPERATOR_LINK, (view) => pauseAccessLink(view, made.info.id))
  expect((await fetch(addressOf(serving, made.secret))).status).toBe(403)
  await space.write(OPERATOR_LINK, (view) => resumeAccessLink(view, made.info.id))
  await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, made.info.id))
  expect((await fetch(addressOf(serving, made.secret))).status).toBe(401)
})
