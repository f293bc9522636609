/** Undo without arguments, over REST and both generations of MCP over HTTP: only sessions have a last call. */
import { expect, test } from 'vitest'
import { callTool, serveBuilt } from './serving.ts'

test('a session takes back its own last call; other clients are refused with those of the link', async () => {
  const { ask, client } = await (await serveBuilt()).link()
  const [session, other] = [await client('2025'), await client('2025')]
  const add = async (host: typeof session, title: string) => callTool(host, 'documents_add', { documents: [{ title }] })
  await add(session, 'Mine')
  await add(other, 'Theirs')
  const modern = await client('2026')
  const refused = await callTool(modern, 'history_undo')
  expect([refused.isRefused, refused.text]).toEqual([
    true,
    expect.stringMatching(
      /^Expected calls to take back, found none named, and no session whose last call is meant; the last ones of this link: \d{12} \(documents_add, /,
    ),
  ])
  const overRest = await ask('POST /history/undo', {})
  expect([overRest.status, overRest.json.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect((await callTool(session, 'history_undo')).isRefused).toBe(false)
  const titles = (await ask('GET /documents')).json.items.map((one: { title: string; isDeleted: boolean }) => [
    one.title,
    one.isDeleted,
  ])
  expect(titles).toEqual(
    expect.arrayContaining([
      ['Mine', true],
      ['Theirs', false],
    ]),
  )
})
