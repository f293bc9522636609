/** Pages, scripts and answers over REST are compressed for clients that accept it; files and streams never are. */
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { enter, servePages } from '../page/visiting.ts'
import { send } from './files-asker.ts'

/** A response as it is on the wire. fetch would decompress it. */
async function onWire(address: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer }>(
    (resolve, reject) => {
      request(address, { headers }, (response) => {
        const parts: Buffer[] = []
        response
          .on('data', (part: Buffer) => parts.push(part))
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
          )
      })
        .on('error', reject)
        .end()
    },
  )
}

const GZIP = { 'accept-encoding': 'gzip, deflate, br;q=0' }

async function serveLongDocument() {
  const serving = await servePages()
  const link = await serving.link()
  const markdown = Array.from({ length: 200 }, (_, index) => `Paragraph ${index} about the harbour`).join('\n\n')
  const { json } = await link.ask('POST /documents', { documents: [{ title: 'Long', markdown }] })
  const id: string = json.items[0].id
  const { base, cookie } = await enter(`${serving.server.origin}/links/${link.secret}/view`)
  return { serving, link, id, base, cookie }
}

test('a page, a script and an answer arrive in a fraction of their bytes, and are the same', async () => {
  const { serving, link, id, base, cookie } = await serveLongDocument()
  const text = await (await fetch(`${base}/d/${id}`, { headers: { cookie } })).text()
  const [, script = ''] = /src="(\/page\/[^"]+\.js)"/.exec(text) ?? []
  const addresses = [`${base}/d/${id}`, `${serving.server.origin}${script}`, `${link.rest}/blocks?id=${id}`]
  for (const address of addresses) {
    const plain = await onWire(address, { cookie })
    const compressed = await onWire(address, { cookie, ...GZIP })
    expect(plain.headers['content-encoding'], address).toBeUndefined()
    expect(plain.headers.vary, address).toMatch(/accept-encoding/i)
    expect(compressed.headers['content-encoding'], address).toBe('gzip')
    expect(compressed.bytes.length * 2, address).toBeLessThan(plain.bytes.length)
    const length = gunzipSync(compressed.bytes).length
    // Pages name the time at which they were read.
    expect(Math.abs(length - plain.bytes.length), address).toBeLessThan(10)
  }
})

test('a script and a style arrive smaller as Brotli, for those who accept it', async () => {
  const { serving, id, base, cookie } = await serveLongDocument()
  const text = await (await fetch(`${base}/d/${id}`, { headers: { cookie } })).text()
  const paths = [...text.matchAll(/(?:src|href|data-htmx)="(\/page\/(?:page|htmx)[^"]+\.(?:js|css))"/g)].map(
    ([, path]) => path,
  )
  expect(paths).toHaveLength(3)
  for (const path of paths) {
    const address = `${serving.server.origin}${path}`
    const plain = await onWire(address, {})
    const gzip = await onWire(address, GZIP)
    const brotli = await onWire(address, { 'accept-encoding': 'gzip, deflate, br' })
    expect([plain, gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
    expect([plain, gzip, brotli].map(({ headers }) => headers.vary)).toEqual(Array(3).fill('Accept-Encoding'))
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    expect(brotli.bytes.length).toBeLessThan(gzip.bytes.length)
  }
})

test('a page that another site leads to is not compressed', async () => {
  const { id, base, cookie } = await serveLongDocument()
  const led = await onWire(`${base}/d/${id}`, { cookie, ...GZIP, 'sec-fetch-site': 'cross-site' })
  expect(led.headers['content-encoding']).toBeUndefined()
})

test('a file stays as it is, with its length and its ETag', async () => {
  const { link } = await serveLongDocument()
  const text = 'The same words. '.repeat(1_000)
  const { json } = await send('POST', `${link.rest}/upload?position=end&date=today`, Buffer.from(text), 'text/plain')
  const file = await onWire(json.assetUrl, GZIP)
  expect(file.headers['content-encoding']).toBeUndefined()
  expect(file.headers['content-length']).toBe(String(text.length))
  expect(file.headers.etag).toMatch(/^"/)
})

test('the picture of a board is known again when it was compressed', async () => {
  const { link, id, base, cookie } = await serveLongDocument()
  const position = { position: 'end', pageId: id }
  const { json } = await link.ask('POST /whiteboards', { position })
  const elements = Array.from({ length: 20 }, (_, index) => ({
    ...{ id: `r${index}`, type: 'rectangle', x: index * 10, y: 0, width: 50, height: 50 },
  }))
  const board: string = json.whiteboardBlockId
  await link.ask(`POST /whiteboards/${board}/elements`, { elements })
  const address = `${base}/whiteboards/${board}/picture.svg`
  const first = await onWire(address, { cookie, ...GZIP })
  expect([first.status, first.headers['content-encoding']]).toEqual([200, 'gzip'])
  const again = await onWire(address, { cookie, ...GZIP, 'if-none-match': String(first.headers.etag) })
  expect(again.status).toBe(304)
})
