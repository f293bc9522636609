/** Calendars of others: subscribing to one, what is shown of it, and who sees it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { CALENDAR_BYTES, CALENDARS_PER_PERSON } from '../../src/base/limits.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import {
  deleteEndedCalendars,
  hasEndedCalendars,
  insertCalendar,
  listCalendars,
} from '../../storage/subscribed-calendars.ts'
import type { Serving } from '../http/serving.ts'
import { enter, offers, servePages, type Visited, visitAsOperator, visitByLink } from './visiting.ts'

const LOCAL = (address: string) => address === '127.0.0.1'

const calendarOf = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:Team', ...lines, 'END:VCALENDAR'].join('\r\n')

const eventOf = (...lines: string[]): string[] => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']

/** The clock of the tests is at November 20, 2026, in Budapest. */
const STAND_UP = eventOf(
  'UID:1',
  'SUMMARY:Stand-up <script>alert(1)</script>',
  'DTSTART;TZID=America/New_York:20261102T090000',
  'DURATION:PT30M',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,FR',
  'EXDATE;TZID=America/New_York:20261113T090000',
  'DESCRIPTION:secret notes',
)
const HOLIDAY = eventOf('UID:2', 'SUMMARY:Off site', 'DTSTART;VALUE=DATE:20261125', 'DTEND;VALUE=DATE:20261128')

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server of somebody else with a calendar that may change. */
async function calendarServer(first: string | Answer) {
  const state = { answer: first, requests: [] as IncomingMessage[] }
  const server = createServer((request, response) => {
    state.requests.push(request)
    if (typeof state.answer === 'function') return state.answer(request, response)
    response.writeHead(200, { 'content-type': 'text/calendar', etag: `"${state.answer.length}"` }).end(state.answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return Object.assign(state, { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

async function begun(first: string | Answer) {
  const serving = await servePages({ isAllowed: LOCAL })
  const other = await calendarServer(first)
  return { serving, other, person: await visitAsOperator(serving), address: `${other.origin}/private-1234/team.ics` }
}

/** The events in a month by day, such as `25 Off site`. */
const shownIn = ({ text }: Visited): string[] =>
  [...text.matchAll(/class="day-number"[^>]*>(?:<b>)?(\d+)(?:<\/b>)?<\/a>(?:<ul>([\s\S]*?)<\/ul>)?<\/td>/g)].flatMap(
    ([, day, list = '']) => [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, one = '']) => `${day} ${wordsOf(one)}`),
  )
const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()

const contentOf = ({ space }: Serving) =>
  space.read(OPERATOR_LINK, ({ tx }) => listCalendars(tx, { participant: null, link: null }))

test('a calendar of somebody else is shown in the days of the space, with repeats, exceptions and its own zone', async () => {
  const { person, address } = await begun(calendarOf(...STAND_UP, ...HOLIDAY))
  expect(offers(await person.get('/days'), 'Calendars of others')).toBe(true)
  const listed = await person.send('/calendars/new', { address, name: '' })
  expect(listed.text).toContain('Its events are shown in the calendar')
  expect(listed.text).toMatch(/>Team<\/a>/)
  expect(listed.text).not.toContain('private-1234')
  const month = await person.get('/days?month=2026-11')
  // Nine o'clock in New York is three in Budapest.
  const standUp = (day: number) => `${day} Stand-up &lt;script&gt;alert(1)&lt;/script&gt; 3:00 PM`
  expect(shownIn(month)).toEqual([
    ...[2, 6, 9, 16, 20, 23].map(standUp),
    ...['25 Off site', '26 Off site', '27 Off site'],
    ...[27, 30].map(standUp),
  ])
  expect(month.text).not.toContain('<script>alert')
  expect(month.text).not.toContain('secret notes')
  expect(month.text).toMatch(/title="3:00 PM – 3:30 PM Stand-up [^"]*\(Team\)"/)
  const day = await person.get('/days/2026-11-25')
  expect(day.text).toMatch(/<section id="day-events"[\s\S]*Off site[\s\S]*all day[\s\S]*<\/section>/)
  expect(shownIn(await person.get('/days?month=2027-03'))).toContain(standUp(12))
})

test('on days between two changes of clocks, an event of another zone is an hour earlier', async () => {
  const { person, address } = await begun(calendarOf(...STAND_UP))
  await person.send('/calendars/new', { address })
  // New York changes its clocks on March 14, Budapest on March 28.
  const march = shownIn(await person.get('/days?month=2027-03')).map((one) =>
    one.replace(/^(\d+) .* (\d:\d\d) PM$/, '$1 $2'),
  )
  expect(march).toEqual([
    '1 3:00',
    '5 3:00',
    '8 3:00',
    '12 3:00',
    '15 2:00',
    '19 2:00',
    '22 2:00',
    '26 2:00',
    '29 3:00',
  ])
})

test('it is only read again once it is an hour old, and then only if it has changed', async () => {
  const { serving, other, person, address } = await begun(calendarOf(...HOLIDAY))
  await person.send('/calendars/new', { address, name: 'Ours' })
  expect((await person.get('/days?month=2026-11')).text).not.toContain('hx-trigger="load"')
  await person.get('/days?month=2026-11&fresh=yes')
  expect(other.requests).toHaveLength(1)
  serving.clock.now += 61 * 60_000
  expect((await person.get('/days?month=2026-11')).text).toContain('fresh=yes')
  other.answer = (request, response) => {
    expect(request.headers['if-none-match']).toMatch(/^"\d+"$/)
    response.writeHead(304).end()
  }
  const again = await person.get('/days?month=2026-11&fresh=yes')
  expect(shownIn(again)).toEqual(['25 Off site', '26 Off site', '27 Off site'])
  expect(again.text).not.toContain('hx-trigger="load"')
  expect(other.requests).toHaveLength(2)
  other.answer = calendarOf(...eventOf('UID:2', 'SUMMARY:Later', 'DTSTART;VALUE=DATE:20261129'))
  serving.clock.now += 61 * 60_000
  expect(shownIn(await person.get('/days?month=2026-11&fresh=yes'))).toEqual(['29 Later'])
  // Its reader can ask for it at any time, but not each second.
  await person.press(await person.get('/calendars'), 'Read again')
  expect(other.requests).toHaveLength(3)
  serving.clock.now += 61_000
  await person.press(await person.get('/calendars'), 'Read again')
  expect(other.requests).toHaveLength(4)
})

test('one that cannot be read says since when and why, and what was read stays', async () => {
  const { serving, other, person, address } = await begun(calendarOf(...HOLIDAY))
  await person.send('/calendars/new', { address })
  other.answer = (_, response) => void response.writeHead(503).end()
  serving.clock.now += 61 * 60_000
  const failed = await person.get('/days?month=2026-11&fresh=yes')
  expect(wordsOf(failed.text)).toMatch(/Team: Not reachable since .*: status 503\. What is shown was read/)
  expect(shownIn(failed)).toHaveLength(3)
  expect((await person.get('/calendars')).text).toContain('status 503')
  const { failingSince } = (await contentOf(serving))[0] ?? {}
  // It is tried again after a quarter of an hour, and the first failure counts.
  await person.get('/days?month=2026-11&fresh=yes')
  expect(other.requests).toHaveLength(2)
  serving.clock.now += 16 * 60_000
  await person.get('/days?month=2026-11&fresh=yes')
  expect(other.requests).toHaveLength(3)
  expect((await contentOf(serving))[0]).toMatchObject({ failingSince })
  other.answer = calendarOf()
  serving.clock.now += 16 * 60_000
  const repaired = await person.get('/days?month=2026-11&fresh=yes')
  expect(repaired.text).not.toContain('Not reachable')
  expect(shownIn(repaired)).toEqual([])
})

test('an address is refused with the reason, and nothing is stored', async () => {
  const { serving, other, person, address } = await begun(calendarOf())
  const refused = async (given: string, answer: string | Answer = calendarOf()) => {
    other.answer = answer
    const page = await person.post('/calendars/new', { address: given })
    expect(page.status).toBe(400)
    return wordsOf(/role="alert">([\s\S]*?)<\/p>/.exec(page.text)?.[1] ?? '')
  }
  expect(await refused('nonsense')).toContain('Expected the address of a calendar with https or webcal')
  expect(await refused('file:///etc/passwd')).toContain('Expected the address of a calendar')
  expect(await refused('https://me:secret@example.org/a.ics')).toContain('without a user name')
  expect(await refused('http://localhost.localdomain.invalid/a.ics')).toContain('found that')
  expect(await refused('http://10.0.0.1/a.ics')).toContain('found 10.0.0.1')
  expect(await refused('http://169.254.169.254/latest')).toContain('found 169.254.169.254')
  expect(await refused('https://[::1]/a.ics')).toContain('found ::1')
  expect(await refused('webcal://192.168.1.1/a.ics')).toContain('found 192.168.1.1')
  const leading = (to: string) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(302, { location: to }).end()
  expect(await refused(address, leading('http://192.168.0.1/a.ics'))).toContain('found 192.168.0.1')
  expect(await refused(address, leading('https://127.0.0.2/a.ics'))).toContain('found 127.0.0.2')
  expect(await refused(address, leading('file:///etc/passwd'))).toContain('leads to file:')
  expect(await refused(address, leading(address))).toContain('leads on more than 5 times')
  expect(await refused(address, '<!doctype html><title>Sign in</title>')).toContain('no calendar')
  expect(await refused(address, calendarOf('X'.repeat(CALENDAR_BYTES)))).toContain('larger than 5 MiB')
  expect(await refused(address, (_, response) => void response.writeHead(404).end())).toContain('status 404')
  expect(await refused(address, (_, response) => void response.destroy())).toContain('found that')
  const zipped = (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
  expect(await refused(address, zipped)).toContain('sent as gzip')
  expect(await contentOf(serving)).toEqual([])
})

test('a redirect to an allowed address is followed', async () => {
  const { other, person, address } = await begun((request, response) => {
    if (request.url === '/moved.ics') response.end(calendarOf(...HOLIDAY))
    else response.writeHead(301, { location: '/moved.ics' }).end()
  })
  await person.send('/calendars/new', { address, name: 'Moved' })
  expect(other.requests).toHaveLength(2)
  expect(shownIn(await person.get('/days?month=2026-11'))).toHaveLength(3)
})

test('only the person who added it sees it: not other links, calls, searches or exports', async () => {
  const { serving, person, address } = await begun(calendarOf(...HOLIDAY))
  await person.send('/calendars/new', { address })
  const [{ n = 0 } = {}] = await contentOf(serving)
  const link = await serving.link()
  const another = await visitByLink(serving)
  const reading = await visitByLink(serving, { access: 'read' })
  expect((await another.get('/days?month=2026-11')).text).not.toContain('Off site')
  expect((await another.get('/calendars')).text).not.toContain('Team')
  expect((await another.get(`/calendars/${n}`)).status).toBe(404)
  expect((await another.post(`/calendars/${n}/remove`)).status).toBe(404)
  expect((await another.post(`/calendars/${n}`, { name: 'Mine' })).status).toBe(404)
  expect((await reading.get('/calendars')).status).toBe(404)
  expect((await reading.post('/calendars/new', { address })).status).toBe(404)
  expect((await reading.get('/days?month=2026-11')).text).not.toContain('Calendars of others')
  const calendar = await serving.link({ isCalendar: true })
  const feed = await fetch(`${serving.server.origin}/links/${calendar.secret}/calendar.ics`)
  const answers = [
    await feed.text(),
    (await link.ask('GET /documents/search?include=site')).text,
    (await link.ask('GET /blocks/search?pattern=Off')).text,
    (await link.ask('GET /changes')).text,
    (await link.ask('GET /history')).text,
    (await link.ask('GET /connection')).text,
  ]
  for (const answer of answers) for (const word of ['Off site', 'private-1234']) expect(answer).not.toContain(word)
  expect(JSON.stringify(serving.requests)).not.toContain('private-1234')
  // A link has calendars of its own.
  await another.send('/calendars/new', { address, name: 'Of the link' })
  expect((await another.get('/days?month=2026-11')).text).toContain('(Of the link)')
  expect((await person.get('/days?month=2026-11')).text).not.toContain('Of the link')
})

test('it is named, and removed with its events', async () => {
  const { serving, person, address } = await begun(calendarOf(...HOLIDAY))
  await person.send('/calendars/new', { address })
  // The same address again is the same calendar.
  await person.send('/calendars/new', { address })
  const [{ n = 0 } = {}, ...others] = await contentOf(serving)
  expect(others).toEqual([])
  await person.press(await person.get(`/calendars/${n}`), 'Save', { name: ' Hours\n<b> ' })
  expect((await person.get('/calendars')).text).toContain('Hours &lt;b&gt;')
  expect((await person.post(`/calendars/${n}`, { name: ' ' })).status).toBe(400)
  await person.press(await person.get(`/calendars/${n}`), 'Remove the calendar')
  expect(await contentOf(serving)).toEqual([])
  expect((await person.get('/days?month=2026-11')).text).not.toContain('Off site')
})

test('one person has a limited number of calendars', async () => {
  const { serving, person, address } = await begun(calendarOf())
  await person.send('/calendars/new', { address })
  await serving.space.write(OPERATOR_LINK, async ({ tx }) => {
    const times = { createdAt: 1, checkedAt: 1, readAt: 1, etag: null, lastModified: null, content: '', leftOut: 0 }
    for (let n = 1; n < CALENDARS_PER_PERSON; n++) {
      await insertCalendar(tx, { participant: null, link: null, url: `https://example.org/${n}`, name: 'X', ...times })
    }
  })
  const page = await person.post('/calendars/new', { address: `${address}?2` })
  expect(page.text).toContain(`at most ${CALENDARS_PER_PERSON} calendars`)
  expect(await contentOf(serving)).toHaveLength(CALENDARS_PER_PERSON)
})

test('the calendars of a link that has ended are deleted', async () => {
  const { serving, address } = await begun(calendarOf())
  const { info, secret } = await serving.link()
  const visitor = await enter(`${serving.server.origin}/links/${secret}/view`)
  await visitor.send('/calendars/new', { address })
  const { space } = serving
  expect(await space.read(OPERATOR_LINK, ({ tx, now }) => hasEndedCalendars(tx, now))).toBe(false)
  await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, info.id))
  expect(await space.read(OPERATOR_LINK, ({ tx, now }) => hasEndedCalendars(tx, now))).toBe(true)
  await space.write(OPERATOR_LINK, ({ tx, now }) => deleteEndedCalendars(tx, now))
  expect(await space.read(OPERATOR_LINK, ({ tx, now }) => hasEndedCalendars(tx, now))).toBe(false)
})
