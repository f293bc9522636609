/** What people see when something fails, and how they go on. */
import { expect, test, vi } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { FORM_BYTES } from '../../src/base/limits.ts'
import { AddressRateLimiter, pageRequestsFor } from '../../src/call/rate-limiter.ts'
import { addressIn } from '../../src/page/ways-on.ts'
import { offers, servePages, textOf, type Visited, visitByLink } from './visiting.ts'

const BACK = 'What you typed is still there if you go back in the browser.'
const alertOf = ({ text }: Visited): string => /<p role="alert">([^<]*)<\/p>/.exec(text)?.[1] ?? ''
const againIn = ({ text }: Visited): string | undefined =>
  /<a class="button go" href="([^"]*)">Try again<\/a>/.exec(text)?.[1]?.replaceAll('&amp;', '&')

test('a page that is not there leads home', async () => {
  const visitor = await visitByLink(await servePages())
  const page = await visitor.get('/d/999999999999')
  expect([page.status, offers(page, 'Home'), againIn(page)]).toEqual([404, true, undefined])
})

test('a form that is refused says how to go on, and that what was typed is not lost', async () => {
  const visitor = await visitByLink(await servePages())
  const foreign = await visitor.post('/days/2026-12-24', { text: 'x', token: 'wrong' })
  const large = await visitor.post('/days/2026-12-24', { text: 'x'.repeat(FORM_BYTES) })
  expect([foreign.status, large.status]).toEqual([403, 413])
  expect(alertOf(large)).toBe('That is too much for one form. Leave some out, or add it in parts.')
  for (const page of [foreign, large]) {
    expect(textOf(page)).toContain(BACK)
    expect(page.text).toContain(`<a class="button" href="${new URL(visitor.base).pathname}/">Home</a>`)
    expect(againIn(page)).toBeUndefined()
  }
})

test('what fails for a while can be tried again, at the same address', async () => {
  const serving = await servePages()
  const visitor = await visitByLink(serving)
  const path = '/tasks?scope=inbox&new=yes'
  const fail = async (error: Error): Promise<Visited> => {
    const read = vi.spyOn(serving.space, 'read').mockRejectedValue(error)
    try {
      return await visitor.get(path)
    } finally {
      read.mockRestore()
    }
  }
  const errors = [new Error('broken'), new ScriptoriumError('STORAGE_UNAVAILABLE', 'The database does not answer.')]
  const found = [await fail(errors[0] as Error), await fail(errors[1] as Error)]
  expect(found.map(({ status }) => status)).toEqual([500, 503])
  for (const page of found) {
    expect(againIn(page)).toBe(`${new URL(visitor.base).pathname}${path}`)
    expect(offers(page, 'Home')).toBe(true)
    expect(page.text).not.toContain('broken')
  }
})

test('too many requests can be tried again', async () => {
  const serving = await servePages({ pageLimiter: new AddressRateLimiter(3) })
  const visitor = await visitByLink(serving)
  const pages = [await visitor.get('/tasks'), await visitor.get('/tasks'), await visitor.get('/tasks')]
  const refused = pages.find(({ status }) => status === 429)
  expect(refused && againIn(refused)).toBe(`${new URL(visitor.base).pathname}/tasks`)
})

test('styles and scripts are not counted: a page that arrives is whole', async () => {
  const serving = await servePages({ pageLimiter: new AddressRateLimiter(3) })
  const { text } = await (await visitByLink(serving)).get('/tasks')
  const files = [...text.matchAll(/(?:src|href)="(\/page\/[^"]+)"/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) expect((await fetch(`${serving.server.origin}${file}`)).status).toBe(200)
})

test('styles and scripts are sent in the encoding that a browser accepts', async () => {
  const serving = await servePages()
  const { text } = await (await visitByLink(serving)).get('/tasks')
  const [file = ''] = /\/page\/page-\w+\.js/.exec(text) ?? []
  const sent = async (encoding: string) => {
    const response = await fetch(`${serving.server.origin}${file}`, { headers: { 'accept-encoding': encoding } })
    return { encoding: response.headers.get('content-encoding'), text: await response.text() }
  }
  const plain = await sent('identity')
  expect([plain.encoding, plain.text.length > 10_000]).toEqual([null, true])
  for (const encoding of ['br', 'gzip']) expect(await sent(encoding)).toEqual({ encoding, text: plain.text })
})

test.each([
  [0, 0],
  [50, 300],
  [3, 18],
])('a limit of %i calls from one address lets pages ask %i times', (calls, pages) => {
  expect(pageRequestsFor(calls)).toBe(pages)
})

test('no address leads to another server', () => {
  expect(addressIn(new Request('http://127.0.0.1//example.org/a?b=c'), '/notes')).toBe('/notes/example.org/a?b=c')
})
