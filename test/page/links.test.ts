/** Links and people: pages for the operator, and for no link. */
import { beforeEach, describe, expect, test } from 'vitest'
import { spaceKey } from '../../src/auth/access-links/access-links.ts'
import { linkEndpoints } from '../../src/auth/access-links/link-endpoints.ts'
import { participantEndpoints } from '../../src/auth/access-links/participant-endpoints.ts'
import { settingsEndpoints } from '../../src/auth/access-links/settings-endpoints.ts'
import { endpoints } from '../../tools/index.ts'
import { program } from './sample-space.ts'
import { enter, servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let plan: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  const anna = program(serving.space, 'editor')
  const { items } = await anna('documents_add', { documents: [{ title: 'Plan' }, { title: 'Diary' }] })
  plan = items[0].id
})

const make = async (fields: Record<string, string>): Promise<Visited> =>
  visitor.press(await visitor.get('/links/new'), 'Make the link', fields)

const addressIn = ({ text }: Visited): string => /value="(http[^"]*\/view)"/.exec(text)?.[1] ?? ''

test('a calendar is an address for programs with calendars, and opens nothing else', async () => {
  const made = await make({ name: 'Phone', kind: 'full', access: 'full', calendar: 'on' })
  const address = /value="(http[^"]*\/calendar\.ics)"/.exec(made.text)?.[1] ?? ''
  expect(addressIn(made)).toBe('')
  expect(await (await fetch(address)).text()).toMatch(/^BEGIN:VCALENDAR\r\n/)
  expect(textOf(await visitor.get('/links'))).toContain('The whole space. Shows a calendar, and nothing else.')
  // A calendar makes no calls, so it is no agent.
  expect(textOf(await visitor.get('/members'))).not.toContain('Phone')
})

test('a link is created, is shown once, and gives access', async () => {
  const made = await make({ name: 'Auditor', kind: 'selected', access: 'read', document: plan })
  const address = addressIn(made)
  const auditor = await enter(address)
  expect(textOf(await auditor.get('/'))).toContain('Plan')
  expect(textOf(await auditor.get('/'))).not.toContain('Diary')
  const listed = await visitor.get('/links')
  expect(textOf(listed)).toContain('Auditor idle Selected documents: Plan. Reads, and changes nothing.')
  const [, secret = 'none'] = /\/links\/([^/]+)\/view/.exec(address) ?? []
  expect(listed.text).not.toContain(secret)
})

test('the last use of a link is shown', async () => {
  const made = await make({ name: 'Auditor', kind: 'full', access: 'read' })
  expect(textOf(await visitor.get('/links'))).toContain('not used yet')
  await fetch(addressIn(made).replace(/view$/, 'api/v1/connection'))
  expect(textOf(await visitor.get('/links'))).toContain('last used now')
})

test('the documents of a link can be changed', async () => {
  const address = addressIn(await make({ kind: 'selected', access: 'read', document: plan }))
  const auditor = await enter(address)
  const { items } = await program(serving.space, 'editor')('documents_list')
  const diary = items.find(({ title }: { title: string }) => title === 'Diary').id
  const [, path = ''] =
    /href="[^"]*(\/links\/\w{20,})" aria-label="Change /.exec((await visitor.get('/links')).text) ?? []
  const asked = await visitor.press(await visitor.get(path), 'Save', { document: diary })
  expect(textOf(asked)).toContain('It no longer reaches Plan.')
  expect(textOf(await auditor.get('/'))).toContain('Plan')
  const after = await visitor.press(asked, 'Take it away')
  expect(textOf(after)).toContain('It holds from the next call of the link on.')
  expect(textOf(await auditor.get('/'))).toContain('Diary')
  expect(textOf(await auditor.get('/'))).not.toContain('Plan')
})

test('a revoked link is rejected at once', async () => {
  const auditor = await enter(addressIn(await make({ name: 'Auditor', kind: 'full', access: 'full' })))
  const after = await visitor.press(await visitor.get('/links'), 'Revoke Auditor')
  expect(textOf(after)).toContain('Revoked and expired: 1')
  expect((await auditor.get('/')).status).toBe(401)
})

test('documents can be found by title before they are chosen', async () => {
  const found = await visitor.press(await visitor.get('/links/new'), 'Find', { kind: 'selected', search: 'dia' })
  expect(textOf(found)).toContain('Diary')
  expect(found.text).not.toMatch(/<label[^>]*><input[^>]*>\s*Plan/)
  expect(found.text).toContain('value="selected" checked')
})

test('an invalid link gets an error, and nothing is created', async () => {
  const refused = await make({ kind: 'daily', access: 'full', document: plan, participant: 'Nobody here' })
  expect(refused.status).toBe(400)
  expect(textOf(await visitor.get('/links'))).toContain('Links show up here')
})

describe('the settings of the space', () => {
  test('are changed, and hold from the next call on', async () => {
    serving.clock.now = Date.parse('2026-11-20T23:30:00Z')
    const agent = await serving.link()
    const day = async () => (await agent.ask('GET /connection')).json.space
    expect(await day()).toMatchObject({ timezone: 'Europe/Budapest', time: '2026-11-21T00:30:00+01:00' })
    const saved = await visitor.press(await visitor.get('/settings'), 'Save settings', {
      name: 'Ours',
      timezone: 'America/New_York',
    })
    expect(saved.text).toContain('<option selected>America/New_York</option>')
    expect(await day()).toMatchObject({
      name: 'Ours',
      timezone: 'America/New_York',
      time: '2026-11-20T18:30:00-05:00',
    })
  })

  test('that cannot be used are refused, and nothing changes', async () => {
    for (const fields of [{ timezone: 'Mars/Olympus' }, { name: '' }, { name: 'x'.repeat(121) }]) {
      expect((await visitor.post('/settings', { name: 'Test', timezone: 'UTC', ...fields })).status).toBe(400)
    }
    expect((await visitor.get('/settings')).text).toContain('<option selected>Europe/Budapest</option>')
  })
})

describe('a link', () => {
  test.each([...['/links', '/links/new', '/settings', '/trash/empty', '/people/new']])(
    'has no page %s',
    async (path) => {
      const other = await visitByLink(serving, { access: 'full' })
      expect((await other.get(path)).status).toBe(404)
      expect((await other.get('/')).text).not.toMatch(/Links and people|Your links|>Settings</)
    },
  )

  test('creates, exposes, revokes and sets nothing', async () => {
    const other = await visitByLink(serving, { access: 'full' })
    const { info } = await serving.link()
    const statuses = [
      await other.post('/links/new', { do: 'make', kind: 'full', access: 'full' }),
      await other.post(`/links/${info.id}`, { do: 'take', kind: 'full', access: 'full' }),
      await other.post(`/links/${info.id}/revoke`),
      await other.post(`/links/${info.id}/pause`),
      await other.post(`/people/${info.id}/remove`),
      await other.post('/people/new', { name: 'Mallory', access: 'full' }),
      await other.post('/trash/empty', { word: 'empty', before: '9999999999999' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 404))
    expect(statuses).toHaveLength(7)
    expect((await other.post('/settings', { name: 'Theirs', timezone: 'UTC' })).status).toBe(404)
    expect(serving.space.info).toMatchObject({ name: 'Test', timezone: 'Europe/Budapest' })
  })

  test('has no such endpoint over REST or MCP', async () => {
    const names = new Set(endpoints.map(({ name }) => name as string))
    expect(
      [...linkEndpoints, ...participantEndpoints, ...settingsEndpoints].filter(({ name }) => names.has(name)),
    ).toEqual([])
    const { ask } = await serving.link()
    expect((await ask('GET /links')).status).toBe(404)
    expect((await ask('PUT /settings', { timezone: 'UTC' })).status).toBe(404)
  })
})

test('a link with a secret in a header has no pages', async () => {
  const { info } = await serving.link({ isBearer: true })
  const { status } = await fetch(`${serving.server.origin}/links/${info.id}/view`)
  expect(status).toBe(401)
  expect(info.id.startsWith(spaceKey(serving.space.info.id))).toBe(true)
})

test('a link that was given no name is called by how many documents it reaches, and its addresses can be copied', async () => {
  const { items } = await program(serving.space, 'editor')('documents_add', { documents: [{ title: 'Rates' }] })
  const one = await make({ kind: 'selected', access: 'read', document: plan })
  expect(one.text).toContain('<h1>Link to 1 document</h1>')
  expect(one.text.match(/ data-copy aria-label="Copy: [^"]+">Copy<\/button>/g)?.length).toBeGreaterThan(3)
  const form = await visitor.get(`/links/new?document=${plan}&document=${items[0].id}`)
  expect((await visitor.press(form, 'Make the link')).text).toContain('<h1>Link to 2 documents</h1>')
  const named = await make({ name: 'Auditor', kind: 'selected', access: 'read', document: plan })
  expect(named.text).toContain('<h1>Auditor</h1>')
})
