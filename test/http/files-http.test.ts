/** Files uploaded over HTTP. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { shortId } from '../build.ts'
import { png } from '../picture.ts'
import { eventually } from '../support/eventually.ts'
import { contentAt, type FileServing, send, serveFiles } from './files-asker.ts'
import { callTool, documentBy, openWire, type TestLink } from './serving.ts'

const words = (text: string) => Buffer.from(text)
const upload = ({ rest }: TestLink, query: string) => `${rest}/upload?${query}`
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('a body to /upload', () => {
  test('is inserted where the query says, in each of its forms', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const pageId = await documentBy(link, 'before')
    const add = async (query: string) => (await send('POST', upload(link, query), words(query), 'text/csv')).json
    const end = await add(`position=end&pageId=${pageId}&fileName=%C3%BC.csv`)
    const start = await add(`position=start&pageId=${pageId}`)
    const before = await add(`position=before&siblingId=${end.blockId}`)
    const after = await add(`position=after&siblingId=${end.blockId}`)
    const content = await contentAt(link, `id=${pageId}`)
    expect(content.map(({ id }) => id)).toEqual(
      [start, content[1], before, end, after].map((one) => one.blockId ?? one.id),
    )
    expect(content[3]).toMatchObject({ type: 'file', fileName: 'ü.csv', mimeType: 'text/csv', url: end.assetUrl })
    for (const [query, day] of [
      ['position=end&date=today', '2026-11-20'],
      ['position=start&date=tomorrow', '2026-11-21'],
      ['position=end&date=yesterday', '2026-11-19'],
      ['position=end&date=2026-01-31', '2026-01-31'],
    ]) {
      const { blockId, dailyNoteDate } = await add(query ?? '')
      expect(dailyNoteDate).toBe(day)
      expect((await contentAt(link, `date=${day}`)).map(({ id }) => id)).toContain(blockId)
    }
  })

  test('on a daily connection goes to the end of today by default', async () => {
    const serving = await serveFiles()
    const link = await serving.link({ kind: 'daily' })
    const picture = png(8, 4)
    const first = await send('POST', upload(link, ''), picture, 'image/png')
    const second = await send('POST', `${link.rest}/upload?date=today`, words('second'), 'text/plain')
    const third = await send('POST', `${link.rest}/upload?position=start`, words('third'), 'text/plain')
    const content = await contentAt(link, 'date=today')
    expect(content.map(({ id }) => id)).toEqual([third, first, second].map(({ json }) => json.blockId))
    expect(content[1]).toMatchObject({ type: 'image', aspectRatio: 2, mimeType: 'image/png', fileSize: picture.length })
    expect(Object.keys(first.json).toSorted()).toEqual(['assetUrl', 'blockId', 'dailyNoteDate', 'documentId'])
  })

  test('on a selected connection needs a position within reach', async () => {
    const serving = await serveFiles()
    const full = await serving.link()
    const [document, hidden] = [await documentBy(full, 'seen'), await documentBy(full, 'hidden')]
    const [sibling] = await contentAt(full, `id=${hidden}`)
    const link = await serving.link({ kind: 'selected', documents: [document] })
    const refused = async (query: string) => {
      const { status, json } = await send('POST', upload(link, query), words('a'), 'text/plain')
      return [status, json.error]
    }
    const none = 'Expected where the file is to stand: position with pageId or siblingId, found no target; name one.'
    expect(await refused('position=end')).toEqual([400, none])
    expect(await refused('')).toEqual([400, none])
    const unknown = (id: string) => [404, expect.stringContaining(`found ${id};`)]
    expect(await refused(`position=end&pageId=${hidden}`)).toEqual(unknown(hidden))
    expect(await refused(`position=after&siblingId=${sibling.id}`)).toEqual(unknown(sibling.id))
    expect(await refused('position=end&pageId=nowhere')).toEqual(unknown('nowhere'))
    expect((await refused('position=end&date=today'))[0]).toBe(400)
    expect(serving.kept()).toEqual([])
    const response = await send('POST', upload(link, `position=end&pageId=${document}`), words('a'), 'text/plain')
    expect(response.status).toBe(200)
    expect(serving.kept()).toHaveLength(1)
  })

  test.each<[string, string, string, Record<string, string>, number, string]>([
    [
      'no type',
      'position=end&date=today',
      '',
      {},
      415,
      'Expected the type of the file as Content-Type, found none; application/octet-stream will do.',
    ],
    [
      'no type that there is',
      'position=end&date=today',
      'png',
      {},
      415,
      'Expected the type of the file such as image/png, found png; application/octet-stream will do.',
    ],
    [
      'the type of a form',
      'position=end&date=today',
      'multipart/form-data; boundary=x',
      {},
      415,
      'Expected the type of the file such as image/png, found multipart/form-data; application/octet-stream will do.',
    ],
    [
      'other bytes than those of the file',
      'position=end&date=today',
      'text/plain',
      { 'content-encoding': 'gzip' },
      415,
      'Expected a body that is not compressed, found the encoding gzip; send it plain.',
    ],
    [
      'text besides',
      'position=end&date=today&text=a',
      'text/plain',
      {},
      400,
      'Expected one of text, data and path, found text and a body; give the bytes once.',
    ],
    [
      'an address that never was',
      'position=end&date=today&ticket=nonsense',
      'text/plain',
      {},
      404,
      'Expected an address that waits for a file, found one that has taken it or has expired; files_add gives another.',
    ],
  ])('with %s is rejected', async (_, query, type, headers, status, error) => {
    const serving = await serveFiles()
    const response = await send('POST', upload(await serving.link(), query), words('a'), type, headers)
    expect([response.status, response.json.error]).toEqual([status, error])
    expect(serving.kept()).toEqual([])
  })

  test('may have a charset, and is stored unchanged', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const bytes = Buffer.from([0xe4, 0xf6, 0xfc])
    const response = await send('POST', upload(link, 'date=today&position=end'), bytes, 'Text/CSV; charset=iso-8859-1')
    expect(response.status).toBe(200)
    expect(serving.kept()).toEqual([hashOf(bytes).slice(2)])
  })

  test('without bytes is rejected', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const response = await send('POST', upload(link, 'date=today&position=end'), null)
    expect([response.status, response.json.error]).toEqual([
      400,
      'Expected a file with content, found an empty one; send its bytes.',
    ])
  })
})

describe('a body over the limit', () => {
  const LIMIT = 1024 * 1024
  const tooLarge = {
    error: 'Expected a file of at most 1 MiB, found more; nothing was kept.',
    code: 'PAYLOAD_TOO_LARGE',
  }

  test('is rejected, with or without Content-Length, and one of exactly the limit is stored', async () => {
    const serving = await serveFiles({ fileLimit: LIMIT })
    const url = upload(await serving.link(), 'position=end&date=today')
    const bytes = Buffer.alloc(LIMIT + 1, 'x')
    for (const body of [bytes, new Blob([bytes]).stream()]) {
      const { status, json } = await send('POST', url, body)
      expect([status, json]).toEqual([413, tooLarge])
      expect(serving.kept()).toEqual([])
    }
    expect((await send('POST', url, bytes.subarray(1))).status).toBe(200)
    expect(serving.kept()).toHaveLength(1)
  })

  test('that is announced is not waited for', async () => {
    const serving = await serveFiles()
    const { host, pathname } = new URL(upload(await serving.link(), ''))
    const head = `POST ${pathname}?position=end&date=today HTTP/1.1\r\nHost: ${host}\r\nContent-Type: video/mp4\r\n`
    const wire = openWire(serving.port, `${head}Content-Length: ${200 * 1024 * 1024}\r\n\r\n`)
    expect(await wire.until(/kept\."/)).toMatch(/^HTTP\/1\.1 413 .*at most 100 MiB/s)
    expect(serving.kept()).toEqual([])
  })
})

describe('an incomplete body leaves nothing', () => {
  const announced = ({ rest }: TestLink, length: string) => {
    const { host, pathname } = new URL(rest)
    return `POST ${pathname}/upload?position=end&date=today HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/plain\r\n${length}\r\n\r\n`
  }
  const nothingLeft = async (serving: FileServing, link: TestLink) => {
    await eventually(() => expect(serving.kept()).toEqual([]))
    expect((await link.ask('GET /documents')).json.items).toEqual([])
  }

  test.each([
    ['of a length', 'Content-Length: 1000', 'half'],
    ['in chunks', 'Transfer-Encoding: chunked', '4\r\nhalf\r\n'],
  ])('if it is cut off, %s', async (_, length, half) => {
    const serving = await serveFiles()
    const link = await serving.link()
    const { socket } = openWire(serving.port, announced(link, length) + half)
    await eventually(() => expect(serving.kept()).toHaveLength(1))
    socket.destroy()
    await eventually(() => expect(serving.requests).toHaveLength(1))
    await nothingLeft(serving, link)
  })

  test('or if it is too slow', async () => {
    const serving = await serveFiles({ timeouts: { body: 0.2 } })
    const link = await serving.link()
    const { socket, closed } = openWire(serving.port, announced(link, 'Content-Length: 1000'))
    const drip = setInterval(() => socket.write('x'), 20)
    const response = await closed
    clearInterval(drip)
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
    await nothingLeft(serving, link)
  })
})

describe('an upload address', () => {
  const ask = async (link: TestLink, args: object = { position: { position: 'end', date: 'today' } }) =>
    callTool(await link.client(), 'files_add', args)

  test('is returned over MCP, accepts one PUT, and puts the file where the call said', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const pageId = await documentBy(link, 'words')
    const { object } = await ask(link, {
      position: { position: 'start', pageId },
      fileName: 'a.csv',
      mimeType: 'text/csv',
    })
    expect(object).toEqual({
      uploadUrl: expect.stringMatching(new RegExp(`^${serving.server.origin}/uploads/[\\w-]{53}$`)),
      expiresAt: '2026-11-20T09:15:00.000Z',
    })
    const { status, json } = await send('PUT', object.uploadUrl, words('a;b'), '')
    expect(status).toBe(200)
    const [block] = await contentAt(link, `id=${pageId}`)
    expect(block).toMatchObject({ id: json.blockId, type: 'file', fileName: 'a.csv', mimeType: 'text/csv' })
    expect(block.url).toBe(json.assetUrl)
    const again = await send('PUT', object.uploadUrl, words('other'))
    expect([again.status, again.json.error]).toEqual([
      404,
      'Expected an address that waits for a file, found one that has taken it or has expired; files_add gives another.',
    ])
    expect(serving.kept()).toHaveLength(1)
  })

  test('accepts one of several concurrent uploads, and stores nothing of the others', async () => {
    const serving = await serveFiles()
    const link = await serving.link({ kind: 'daily' })
    const { object } = await ask(link, {})
    const bodies = [1, 2, 3, 4].map((filler) => Buffer.alloc(200_000, filler))
    const responses = await Promise.all(bodies.map((body) => send('PUT', object.uploadUrl, body)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
    const winner = bodies[responses.findIndex(({ status }) => status === 200)] ?? Buffer.of()
    expect(serving.kept()).toEqual([hashOf(winner).slice(2)])
    expect(await contentAt(link, 'date=today')).toHaveLength(1)
  })

  test('stays valid after a rejected file', async () => {
    const serving = await serveFiles({ fileLimit: 10 })
    const { object } = await ask(await serving.link())
    expect((await send('PUT', object.uploadUrl, words('more than ten'))).status).toBe(413)
    expect((await send('PUT', object.uploadUrl, words('a'), 'nonsense')).status).toBe(415)
    expect((await send('PUT', object.uploadUrl, words('ten'))).status).toBe(200)
  })

  test('expires after fifteen minutes, and with its link', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const [early, late, revoked] = [await ask(link), await ask(link), await ask(link)]
    serving.clock.now += 15 * 60_000 - 1
    expect((await send('PUT', early.object.uploadUrl, words('a'))).status).toBe(200)
    serving.clock.now += 1
    expect((await send('PUT', late.object.uploadUrl, words('b'))).status).toBe(404)
    const fresh = await ask(link)
    await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link.info.id))
    expect((await send('PUT', fresh.object.uploadUrl, words('c'))).status).toBe(404)
    expect((await send('PUT', revoked.object.uploadUrl, words('d'))).status).toBe(404)
    expect(serving.kept()).toHaveLength(1)
  })

  test('belongs to its link only', async () => {
    const serving = await serveFiles()
    const [link, other] = [await serving.link(), await serving.link()]
    const { object } = await ask(link)
    const ticket = object.uploadUrl.split('/').at(-1)
    const response = await ask(other, { position: { position: 'end', date: 'today' }, text: 'a', ticket })
    expect([response.isRefused, response.text]).toEqual([
      true,
      'Expected an address that waits for a file, found one that has taken it or has expired; files_add gives another.',
    ])
    expect(serving.kept()).toEqual([])
    expect((await send('PUT', object.uploadUrl, words('a'))).status).toBe(200)
  })

  test('is rejected if the page does not exist, or no longer, and for links that may not write', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const pageId = await documentBy(link)
    const [block] = (await link.ask('POST /blocks', { markdown: 'a', position: { position: 'end', pageId } })).json
      .items
    expect((await ask(link, { position: { position: 'end', pageId: 'nowhere' } })).text).toMatch(/found nowhere;/)
    const { object } = await ask(link, { position: { position: 'after', siblingId: block.id } })
    await link.ask('DELETE /blocks', { blockIds: [block.id] })
    expect((await send('PUT', object.uploadUrl, words('a'))).status).toBe(404)
    const reader = await serving.link({ access: 'read' })
    expect((await send('POST', upload(reader, 'position=end&date=today'), words('a'))).status).toBe(403)
    expect(serving.kept()).toEqual([])
  })

  test('that is guessed gets the same response as a used one, in every space', async () => {
    const serving = await serveFiles()
    const { object } = await ask(await serving.link())
    const last = object.uploadUrl.at(-1) === 'A' ? 'B' : 'A'
    expect((await send('PUT', `${object.uploadUrl.slice(0, -1)}${last}`, words('a'))).status).toBe(404)
    expect((await send('PUT', `${serving.server.origin}/uploads/x`, words('a'))).status).toBe(404)
  })
})

test('uploads are counted and logged like calls', async () => {
  // One of the requests is the client's connect.
  const serving = await serveFiles({ limits: { requests: 4, blocks: 100 } })
  const link = await serving.link()
  const url = upload(link, 'position=end&date=today')
  const first = await send('POST', url, words('a'))
  expect(first.headers.get('x-ratelimit-remaining')).toBe('3')
  // The upload also created the daily note.
  expect(Number(first.headers.get('x-blockbudget-remaining'))).toBeLessThan(100)
  const { object } = await callTool(await link.client(), 'files_add', { position: { position: 'end', date: 'today' } })
  const second = await send('PUT', object.uploadUrl, words('b'))
  expect(second.headers.get('x-ratelimit-remaining')).toBe('0')
  const third = await send('POST', url, words('c'))
  expect(third.status).toBe(429)
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(serving.kept()).toHaveLength(2)
  const { writes } = await serving.space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 10))
  expect(writes.map(({ endpoint, link: by, ids }) => [endpoint, by, ids])).toEqual([
    ['files_add', link.info.id, [shortId(first.json.blockId)]],
    ['files_add', link.info.id, []],
    ['files_add', link.info.id, [shortId(second.json.blockId)]],
  ])
})

describe('an upload that is retried with its key', () => {
  const keyed = { 'idempotency-key': 'k' }

  test('gets the same response, and nothing is added', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const url = upload(link, 'position=end&date=today')
    const first = await send('POST', url, words('a'), 'text/plain', keyed)
    const again = await send('POST', url, words('a'), 'text/plain', keyed)
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(serving.kept()).toEqual([hashOf(words('a')).slice(2)])
    expect(await contentAt(link, 'date=today')).toHaveLength(1)
  })

  test('but differs in its bytes, type or position is a conflict', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const url = upload(link, 'position=end&date=today')
    await send('POST', url, words('a'), 'text/plain', keyed)
    expect((await send('POST', url, words('b'), 'text/plain', keyed)).status).toBe(409)
    expect((await send('POST', url, words('a'), 'text/csv', keyed)).status).toBe(409)
    expect((await send('POST', `${url}&fileName=x`, words('a'), 'text/plain', keyed)).status).toBe(409)
    expect(serving.kept()).toHaveLength(1)
  })
})
