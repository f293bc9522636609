/** Settings of a space, its backups, its trash and printing, as people have them on the pages. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { BackupSchedule } from '../../src/cli/backup/backup-schedule.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { updateSettings } from '../../src/space/model/settings.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { folder } from '../program.ts'
import { program } from './sample-space.ts'
import { servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
})

const logged = async () => (await serving.space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 100))).writes

test('dates are written in the language of the space, for every reader', async () => {
  const page = await visitor.get('/settings')
  const saved = await visitor.press(page, 'Save settings', { dateLanguage: 'de', weekStart: 'monday' })
  expect(textOf(saved)).toContain('Saved.')
  expect((await logged()).at(-1)).toMatchObject({ endpoint: 'settings_update', about: { dateLanguage: 'de' } })
  const day = await visitor.get('/days/2026-11-25', { 'accept-language': 'fr' })
  expect(day.text).toContain('Mittwoch, 25. November')
  const odd = await visitor.post('/settings', { dateLanguage: 'no language' })
  expect([odd.status, textOf(odd).includes('for dates. Type one such as de or en-GB.')]).toEqual([400, true])
})

test('a setting that was changed meanwhile is said, and nothing is saved', async () => {
  const page = await visitor.get('/settings')
  await serving.space.write(OPERATOR_LINK, (view) => updateSettings(view, { timezone: 'Asia/Tokyo' }))
  const refused = await visitor.press(page, 'Save settings', { timezone: 'UTC', name: 'Ours' })
  expect(textOf(refused)).toContain(
    'Expected the time zone to be Europe/Budapest still, found Asia/Tokyo: somebody changed it meanwhile.',
  )
  expect(serving.space.info.name).toBe('Test')
  // What the form shows now can be saved, and what others changed otherwise stays.
  await serving.space.write(OPERATOR_LINK, (view) => updateSettings(view, { name: 'Theirs' }))
  await visitor.press(refused, 'Save settings', { timezone: 'UTC' })
  expect(serving.space.info).toMatchObject({ name: 'Theirs', timezone: 'UTC' })
})

test('without backups, the page says how to have some', async () => {
  expect(textOf(await visitor.get('/settings'))).toContain(
    'This server makes no backups. scriptorium serve --backup-to',
  )
})

test('a schedule knows the last backup of a space, and that there is none yet', async () => {
  const to = join(folder(), 'backups')
  mkdirSync(to)
  const schedule = new BackupSchedule({
    ...{ files: () => [], to, every: 86_400_000, note: () => {}, report: () => {} },
    clock: () => Date.parse('2026-11-20T12:00:00Z'),
  })
  expect(schedule.backupsOf('/somewhere/notes.sqlite')).toMatchObject({ everyMs: 86_400_000, last: undefined })
  for (const name of [
    'notes-2026-11-19T120000Z.sqlite',
    'notes-2026-11-20T030000Z.sqlite',
    'other-2026-11-20T060000Z.sqlite',
  ])
    writeFileSync(join(to, name), '1234')
  expect(schedule.backupsOf('/somewhere/notes.sqlite').last).toEqual({
    at: Date.parse('2026-11-20T03:00:00Z'),
    bytes: 4,
  })
  await schedule.close()
})

test('the trash is emptied after typing a word, of what was there when it was asked', async () => {
  const call = program(serving.space, 'editor')
  const { items } = await call('documents_add', { documents: [{ title: 'Old' }, { title: 'Young' }] })
  const [old, young] = items.map(({ id }: { id: string }) => id)
  await call('documents_delete', { documentIds: [old] })
  const page = await visitor.get('/trash/empty')
  expect(textOf(page)).toContain('This deletes the document in the trash for good')
  serving.clock.now += 60_000
  await call('documents_delete', { documentIds: [young] })
  const refused = await visitor.press(page, 'Empty the trash', { word: 'yes' })
  expect([refused.status, textOf(refused).includes('Expected the word empty, found "yes"')]).toEqual([400, true])
  expect(textOf(await visitor.press(page, 'Empty the trash', { word: 'Empty' }))).toContain('The trash was emptied.')
  const trash = textOf(await visitor.get('/trash'))
  expect([trash.includes('Old'), trash.includes('Young')]).toEqual([false, true])
  expect((await logged()).filter(({ endpoint }) => endpoint === 'trash_empty')).toMatchObject([
    { ids: [old], origin: expect.any(String) },
  ])
})

test('a form without its time empties nothing', async () => {
  const call = program(serving.space, 'editor')
  const { items } = await call('documents_add', { documents: [{ title: 'Old' }] })
  await call('documents_delete', { documentIds: [items[0].id] })
  for (const before of ['', '0', 'soon']) {
    expect((await visitor.post('/trash/empty', { word: 'empty', before })).status).toBe(400)
  }
  expect(textOf(await visitor.get('/trash'))).toContain('Old')
})

test('a document is printed whole, with its pages, and loads only the script that prints', async () => {
  const call = program(serving.space, 'editor')
  const { items } = await call('documents_add', { documents: [{ title: 'Plan' }, { title: 'Other' }] })
  const [plan, other] = items.map(({ id }: { id: string }) => id)
  await call('blocks_add', {
    markdown: 'Ferry\n\n<page><pageTitle>Within</pageTitle><content>\n\nDeep text\n\n</content></page>',
    position: { position: 'end', pageId: plan },
  })
  const reader = await visitByLink(serving, { access: 'read', kind: 'selected', documents: [plan] })
  const printed = await reader.get(`/d/${plan}/print`)
  expect(textOf(printed)).toMatch(/Plan .*Ferry.*Deep text/)
  expect(printed.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'unsafe-inline'")
  expect(printed.headers.get('content-disposition')).toBe(null)
  expect([...printed.text.matchAll(/<script[^>]*src="([^"]+)"/g)]).toHaveLength(1)
  expect((await reader.get(`/d/${other}/print`)).status).toBe(404)
  expect((await visitor.get(`/d/${plan}`)).text).toContain(`/d/${plan}/print" target="_blank">Print…</a>`)
})
