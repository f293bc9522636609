/** The note of a day that has none, begun on its page. */
import { expect, test } from 'vitest'
import { SHARED_LENGTH } from '../../src/base/limits.ts'
import { program } from './sample-space.ts'
import { servePages, textOf, visitAsOperator, visitByLink } from './visiting.ts'

test('a day without a note takes its first words, and then shows them', async () => {
  const serving = await servePages()
  const visitor = await visitByLink(serving)
  const page = await visitor.get('/days/2026-11-24')
  const note = await visitor.press(page, 'Begin the note', { text: 'Met the gardener\n\n- [ ] Buy seeds' })
  expect(textOf(note)).toContain('Met the gardener')
  const { content } = await program(serving.space, 'editor')('blocks_get', { date: '2026-11-24' })
  expect(content.map(({ markdown }: { markdown: string }) => markdown)).toEqual(['Met the gardener', '- [ ] Buy seeds'])
})

test('words that are too long come back, and nobody begins a note without leave', async () => {
  const serving = await servePages()
  const visitor = await visitByLink(serving)
  const long = 'x'.repeat(SHARED_LENGTH + 1)
  const refused = await visitor.post('/days/2026-11-24', { text: long })
  expect([refused.status, refused.text.includes(`${long}</textarea>`)]).toEqual([400, true])
  expect((await visitor.post('/days/someday', { text: 'x' })).status).toBe(404)
  expect((await visitor.post('/days/2026-11-24', { text: 'x', token: 'y' })).status).toBe(403)
  const reader = await visitByLink(serving, { access: 'read' })
  expect((await reader.get('/days/2026-11-24')).text).not.toContain('Begin the note')
  expect((await reader.post('/days/2026-11-24', { text: 'x' })).status).toBeGreaterThanOrEqual(400)
  await expect(program(serving.space, 'editor')('blocks_get', { date: '2026-11-24' })).rejects.toThrow()
})

test('a day leads to the days beside it, with a note and without one', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const arrows = async (path: string, from = visitor) =>
    [
      ...(await from.get(path)).text.matchAll(/<a class="button plain" href="[^"]*(\/days\/[^"]+)" title="([^"]+)"/g),
    ].map(([, to, name]) => `${to} ${name}`)
  const ofToday = ['/days/2026-11-19 Yesterday', '/days/2026-11-21 Tomorrow']
  expect(await arrows('/days/today')).toEqual(ofToday)
  await visitor.post('/days/2026-11-20', { text: 'Begun' })
  expect(await arrows('/days/today')).toEqual(ofToday)
  const { id } = await program(serving.space, 'editor')('blocks_get', { date: '2026-11-20' })
  expect(await arrows(`/d/${id}`)).toEqual(ofToday)
  const ofDays = await visitByLink(serving, { kind: 'daily' })
  expect(await arrows('/days/today', ofDays)).toEqual(ofToday)
  expect(await arrows('/days/2026-11-22')).toEqual([
    '/days/2026-11-21 Previous day: Tomorrow',
    '/days/2026-11-23 Next day: Mon, Nov 23',
  ])
  expect(await arrows('/days/0001-01-01')).toEqual(['/days/0001-01-02 Next day: Jan 2, 1'])
})
