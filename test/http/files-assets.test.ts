/** Files served over HTTP, at addresses with secrets of their own. */
import { describe, expect, test } from 'vitest'
import { buildSpace, withShortIds } from '../build.ts'
import { connect } from '../connect.ts'
import { png } from '../picture.ts'
import { send, serveFiles } from './files-asker.ts'
import { askAt, callTool, documentBy, rawRequest, type Serving, serveBuilt, type TestLink } from './serving.ts'

const today = 'position=end&date=today'

/** Uploads a file to today's note and returns its block and address. */
async function add({ rest }: TestLink, bytes: Uint8Array | string, type = 'text/plain', query = today) {
  const { json } = await send('POST', `${rest}/upload?${query}`, Buffer.from(bytes), type)
  return json as { blockId: string; assetUrl: string }
}

const get = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(url, { method, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const NOTHING = {
  error: 'Expected the address of a file, found one that leads to no file; read it again with blocks_get.',
  code: 'NOT_FOUND_ERROR',
}

describe('the address of a file', () => {
  test('works without other credentials, in whole, in parts, and with 304 if nothing has changed', async () => {
    const serving = await serveFiles()
    const { assetUrl } = await add(await serving.link(), '0123456789')
    const whole = await get(assetUrl)
    expect([whole.status, whole.text]).toEqual([200, '0123456789'])
    expect(whole.headers.get('content-length')).toBe('10')
    const etag = whole.headers.get('etag') ?? ''
    const request = async (headers: Record<string, string>, method = 'GET') => {
      const { status, headers: answered, text } = await get(assetUrl, headers, method)
      return [status, text, answered.get('content-range')]
    }
    expect(await request({}, 'HEAD')).toEqual([200, '', null])
    expect(await request({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10'])
    expect(await request({ range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await request({ range: 'bytes=-2' })).toEqual([206, '89', 'bytes 8-9/10'])
    expect(await request({ range: 'bytes=-99' })).toEqual([206, '0123456789', 'bytes 0-9/10'])
    expect(await request({ range: 'bytes=8-99' })).toEqual([206, '89', 'bytes 8-9/10'])
    expect(await request({ range: 'bytes=10-' })).toEqual([416, '', 'bytes */10'])
    expect(await request({ range: 'bytes=-0' })).toEqual([416, '', 'bytes */10'])
    for (const range of ['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'bytes=a-b', '']) {
      expect((await request({ range })).slice(0, 2), range).toEqual([200, '0123456789'])
    }
    expect(await request({ range: 'bytes=2-4', 'if-range': etag })).toEqual([206, '234', 'bytes 2-4/10'])
    expect(await request({ range: 'bytes=2-4', 'if-range': '"other"' })).toEqual([200, '0123456789', null])
    expect(await request({ range: 'bytes=2-4' }, 'HEAD')).toEqual([200, '', null])
    for (const tags of [etag, `"a", ${etag}`, `W/${etag}`, '*']) {
      expect(await request({ 'if-none-match': tags }), tags).toEqual([304, '', null])
    }
    expect((await request({ 'if-none-match': '"other"' }))[0]).toBe(200)
    for (const tags of [etag, `"a", ${etag}`, '*']) {
      expect(await request({ 'if-match': tags }), tags).toEqual([200, '0123456789', null])
    }
    // A weak ETag does not say that the bytes are the same.
    for (const tags of ['"other"', `W/${etag}`, '']) {
      expect(await request({ 'if-match': tags }), tags).toEqual([412, '', null])
    }
    expect((await get(assetUrl, {}, 'POST')).status).toBe(405)
    expect((await get(assetUrl, {}, 'DELETE')).status).toBe(405)
  })

  test('is not found with a changed letter, in another space, and once its block is gone', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const { blockId, assetUrl } = await add(link, 'a')
    const token = new URL(assetUrl).pathname.split('/')[2] ?? ''
    const changed = (at: number) => `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`
    const leads = async (one: string, ask = serving.ask) => {
      const { status, json } = await ask(`GET /files/${one}/a.txt`)
      return status === 200 ? status : [status, json]
    }
    expect(await leads(token)).toBe(200)
    for (const at of [0, 9, 10, 41, 42, token.length - 1])
      expect(await leads(changed(at)), `${at}`).toEqual([404, NOTHING])
    for (const one of [token.toUpperCase(), token.slice(0, -1), `${token}a`, 'a', token.slice(0, 42)]) {
      expect(await leads(one), one).toEqual([404, NOTHING])
    }
    const other = await serveBuilt({ to: await buildSpace(':memory:', { newUuid: () => 'other' }) })
    expect(await leads(token, other.ask)).toEqual([404, NOTHING])
    const twin = await add(link, 'a')
    await link.ask('DELETE /blocks', { blockIds: [blockId] })
    expect(await leads(token)).toEqual([404, NOTHING])
    // The same bytes in another block have another address.
    expect((await get(twin.assetUrl)).text).toBe('a')
  })

  test.each<[string, string | Buffer, string, string]>([
    ['text/html', '<!doctype html><script>alert(1)</script>', 'attachment', 'text/html'],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'attachment', 'image/svg+xml'],
    ['text/javascript', 'alert(1)', 'attachment', 'text/javascript'],
    ['application/pdf', '%PDF-1.7\n', 'attachment', 'application/pdf'],
    ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'attachment', 'application/xhtml+xml'],
    ['image/png', '<script>alert(1)</script>', 'attachment', 'application/octet-stream'],
    ['image/png', png(2, 2), 'inline', 'image/png'],
    ['text/plain', '<script>alert(1)</script>', 'inline', 'text/plain; charset=utf-8'],
  ])('as %s runs nothing', async (type, bytes, disposition, answered) => {
    const serving = await serveFiles()
    const { assetUrl } = await add(await serving.link(), bytes, type)
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await get(assetUrl, {}, method)
      expect(headers.get('content-type')).toBe(answered)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition}; filename\\*=UTF-8''`))
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  test.each(['Zahlen, ü.csv', 'a (1) ).txt', "o'clock*.txt", 'a%2Fb?c#d.txt', '[x](y) "z".txt', '日本.txt', '<b>.txt'])(
    'carries the name %s',
    async (name) => {
      const serving = await serveFiles()
      const query = `${today}&fileName=${encodeURIComponent(name)}`
      const { assetUrl } = await add(await serving.link(), 'a', 'text/csv', query)
      const { status, headers } = await get(assetUrl)
      expect(status).toBe(200)
      const [, encoded = ''] =
        /filename\*=UTF-8''([\w%!#$&+.^`|~-]+)$/.exec(headers.get('content-disposition') ?? '') ?? []
      expect(decodeURIComponent(encoded)).toBe(name)
    },
  )
})

describe('access to a file gives no other access', () => {
  test('its secret opens, reads and sends nothing else', async () => {
    const serving = await serveFiles()
    const full = await serving.link()
    const hidden = await add(full, 'hidden', 'text/plain', `position=end&pageId=${await documentBy(full)}`)
    const daily = await serving.link({ kind: 'daily' })
    const { blockId, assetUrl } = await add(daily, png(2, 2), 'image/png')
    const token = new URL(assetUrl).pathname.split('/')[2] ?? ''
    for (const line of [`GET /links/${token}/api/v1/connection`, `POST /links/${token}/mcp`]) {
      expect((await serving.ask(line)).status, line).toBe(401)
      expect((await serving.ask(line, undefined, { authorization: `Bearer ${token}` })).status, line).toBe(401)
    }
    expect((await send('PUT', `${serving.server.origin}/uploads/${token}`, Buffer.from('a'))).status).toBe(404)
    const secret = new URL(hidden.assetUrl).pathname.split('/')[2] ?? ''
    // The ID of one file with the secret of the other.
    expect((await get(assetUrl.replace(token, secret.slice(0, 42) + token.slice(42)))).status).toBe(404)
    const texts = [
      JSON.stringify((await daily.ask('GET /blocks?date=today')).json),
      (await daily.ask('GET /blocks?date=today&format=markdown')).text,
      JSON.stringify((await daily.ask(`GET /blocks?id=${blockId}`)).json),
      (await callTool(await daily.client(), 'blocks_get', { id: blockId })).text,
    ]
    for (const text of texts) {
      expect(text).toContain(assetUrl)
      for (const link of [full, daily]) expect(text).not.toContain(link.secret)
      expect(text).not.toContain(secret)
    }
  })

  test('a narrow link shows files within its reach, and leaves other addresses as they were written', async () => {
    const serving = await serveFiles()
    const full = await serving.link()
    const [seen, hidden] = [await documentBy(full), await documentBy(full)]
    const near = await add(full, 'near', 'text/plain', `position=end&pageId=${seen}`)
    const far = await add(full, 'far', 'text/plain', `position=end&pageId=${hidden}`)
    const selected = await serving.link({ kind: 'selected', documents: [seen] })
    const ids = [near, far].map(({ assetUrl }) => storedAddress(assetUrl))
    const markdown = ids.map((url) => `![](${url})`).join('\n\n')
    const position = { position: 'end', pageId: seen }
    const { json } = await selected.ask('POST /blocks', { markdown, position })
    const urls: string[] = json.items.map(({ url }: { url: string }) => url)
    expect(urls[0]).not.toBe(near.assetUrl)
    expect((await get(urls[0] ?? '')).text).toBe('near')
    expect(urls[1]).toBe(ids[1])
    const given = await selected.ask('POST /blocks', { markdown: `![](${near.assetUrl})`, position })
    expect(given.json.items[0].url).toBe(urls[0])
    // The address of a file out of reach is treated like any external address.
    const taken = await selected.ask('POST /blocks', { markdown: `![](${far.assetUrl})`, position })
    expect(taken.json.items[0].url).toBe(far.assetUrl)
    // A connection that reaches the file and changes such a block does not expose the file.
    for (const { id } of [json.items[1], taken.json.items[0]]) {
      await full.ask('PUT /blocks', { blocks: [{ id, altText: 'words' }] })
      const { url } = (await selected.ask(`GET /blocks?id=${id}`)).json
      expect([ids[1], far.assetUrl]).toContain(url)
    }
  })

  test('guesses are counted as failures', async () => {
    const serving = await serveFiles({ limits: { requests: 0, blocks: 0, address: 3 } })
    const { assetUrl } = await add(await serving.link(), 'a')
    const statuses: number[] = []
    for (let count = 0; count < 4; count++) statuses.push((await serving.ask('GET /files/guess/a.txt')).status)
    expect(statuses).toEqual([404, 404, 429, 429])
    expect((await get(assetUrl)).status).toBe(200)
  })
})

/** Converts an address as shown to the one stored in blocks. */
const storedAddress = (assetUrl: string): string => {
  const id = new URL(assetUrl).pathname.split('/')[2]?.slice(10, 22) ?? ''
  return `scriptorium://files/${id}`
}

describe('a page with files can be read and written back', () => {
  const NAMES = ['a.txt', 'a (1) ).txt', '[x](y) "z".txt', 'ü %20.txt', '<b> & *c*_d_.txt', "~`|'.txt"]

  async function pageOf(link: TestLink): Promise<string> {
    const pageId = await documentBy(link, 'before')
    const query = (name: string) => `position=end&pageId=${pageId}&fileName=${encodeURIComponent(name)}`
    for (const name of NAMES) {
      await add(link, 'words', 'text/csv', query(name))
      await add(link, png(2, 2), 'image/png', query(name))
      await add(link, WEBM, 'video/webm', query(name))
    }
    return pageId
  }

  const NO_CHANGE = { items: [], added: [], changed: [], moved: [], deleted: [] }

  test('over REST and MCP, at another address and over stdio, without changes', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const pageId = await pageOf(link)
    const before = (await link.ask(`GET /blocks?id=${pageId}`)).json
    expect(before.content.map(({ type }: { type: string }) => type)).toEqual([
      'text',
      ...NAMES.flatMap(() => ['file', 'image', 'video']),
    ])
    const { revision } = before
    const unchanged = (answer: object) => expect(answer).toEqual({ ...NO_CHANGE, revision })

    const { text } = await link.ask(`GET /blocks?id=${pageId}&format=markdown`)
    unchanged((await link.ask('PUT /blocks', { pageId, markdown: text, revision })).json)
    const client = await link.client()
    const read = await callTool(client, 'blocks_get', { id: pageId, format: 'markdown' })
    expect(read.text).toBe(withShortIds(text))
    unchanged((await callTool(client, 'blocks_update', { pageId, markdown: text, revision })).object)

    const elsewhere = await moved(serving, 'https://docs.example/base/')
    const there = (await elsewhere(link)(`GET /blocks?id=${pageId}&format=markdown`)).text
    expect(there).toContain('https://docs.example/base/files/')
    // An address read over one origin is recognized over the other.
    unchanged((await elsewhere(link)('PUT /blocks', { pageId, markdown: text, revision })).json)
    unchanged((await link.ask('PUT /blocks', { pageId, markdown: there, revision })).json)

    const local = await connect('full', { to: serving })
    const stored = await local.call('blocks_get', { id: pageId, format: 'markdown' })
    expect(stored).toContain('scriptorium://files/')
    expect(stored).not.toContain('http')
    unchanged(await local.call('blocks_update', { pageId, markdown: stored, revision }))
    unchanged((await link.ask('PUT /blocks', { pageId, markdown: stored, revision })).json)
    expect((await link.ask(`GET /blocks?id=${pageId}`)).json).toEqual(before)
  })

  test('what is read as JSON can be written as JSON', async () => {
    const serving = await serveFiles()
    const link = await serving.link()
    const { blockId, assetUrl } = await add(link, png(2, 2), 'image/png')
    await link.ask('PUT /blocks', { blocks: [{ id: blockId, url: assetUrl, altText: 'A picture' }] })
    const block = (await (await connect('full', { to: serving })).call('blocks_get', { id: blockId })) as object
    expect(block).toMatchObject({ url: storedAddress(assetUrl), altText: 'A picture' })
    expect((await get(assetUrl)).status).toBe(200)
  })
})

/** Serves the same space with another public URL. */
async function moved(serving: Serving, publicUrl: string) {
  const other = await serveBuilt({ to: serving, publicUrl })
  return ({ secret }: TestLink) => askAt(`${other.server.origin}/links/${secret}/api/v1`)
}

test('the address of a file is valid under any address of the server', async () => {
  const serving = await serveFiles()
  const link = await serving.link()
  const { blockId, assetUrl } = await add(link, 'a')
  const ask = (await moved(serving, 'https://docs.example'))(link)
  const { url } = (await ask(`GET /blocks?id=${blockId}`)).json
  expect(url).toBe(assetUrl.replace(serving.server.origin, 'https://docs.example'))
  const again = await rawRequest(url.replace('https://docs.example', serving.server.origin), {})
  expect([again.status, again.text]).toEqual([200, 'a'])
})

/** The beginning of a video, enough to detect its type. */
const WEBM = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701', 'hex')
