/** The name of a client over REST, in the history and the feed. */
import { expect, test } from 'vitest'
import { CLIENT_NAME_LENGTH } from '../../src/base/limits.ts'
import { callTool, serveBuilt, type TestLink } from './serving.ts'

/** The name that is shown beside a document that was added with these headers. */
async function shownName({ ask }: TestLink, headers: Record<string, string>): Promise<string | undefined> {
  const added = await ask('POST /documents', { documents: [{ title: 'Plan' }] }, headers)
  expect(added.status).toBe(200)
  const { items } = (await ask('GET /history?limit=1')).json
  const changes = (await ask('GET /changes?cursor=start')).json.items
  expect(changes[0].client).toBe(items[0].client)
  return items[0].client
}

test.each<[string, Record<string, string>, string | undefined]>([
  ['its own header', { 'x-client-name': 'night shift', 'user-agent': 'curl/8.5.0' }, 'night shift'],
  ['the agent, if that is empty', { 'x-client-name': ' ', 'user-agent': 'curl/8.5.0' }, 'curl/8.5.0'],
  ['no name for a browser', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' }, undefined],
  ['no name for the fetch of Node', { 'user-agent': 'node' }, undefined],
  ['a name in UTF-8', { 'x-client-name': Buffer.from('Büro 夜').toString('latin1') }, 'Büro 夜'],
  ['a name in Latin-1', { 'x-client-name': 'Büro' }, 'Büro'],
  ['no control characters', { 'x-client-name': `${Buffer.from('a\u202eb\u0085c').toString('latin1')}\td` }, 'a b c d'],
  ['no name by which a program would be a person', { 'x-client-name': 'page' }, 'page (program)'],
  [
    'nor that of imports on the command line',
    { 'x-client-name': ' scriptorium import' },
    'scriptorium import (program)',
  ],
  ['so many characters', { 'x-client-name': 'x'.repeat(5_000) }, 'x'.repeat(CLIENT_NAME_LENGTH)],
])('the history and the feed have %s', async (_, headers, expected) => {
  expect(await shownName(await (await serveBuilt()).link(), headers)).toBe(expected)
})

test('a file that is sent to its upload address carries the name, too', async () => {
  const { ask, client } = await (await serveBuilt()).link()
  const { object } = await callTool(await client(), 'files_add', {
    fileName: 'a.txt',
    position: { position: 'end', date: 'today' },
  })
  const headers = { 'x-client-name': 'night shift' }
  expect((await fetch(object.uploadUrl, { method: 'PUT', body: 'words', headers })).status).toBe(200)
  expect((await ask('GET /history?limit=1')).json.items[0]).toMatchObject({ client: 'night shift' })
})
