/** What people see when something fails, and how they go on. */
import { expect, test, vi } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { FORM_BYTES } from '../../src/base/limits.ts'
import { AddressRateLimiter, pageRequestsFor } from '../../src/call/rate-limiter.ts'
import { addressIn } from '../../src/page/ways-on.ts'
import { openWire } from '../http/serving.ts'
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

test('what takes too long to arrive is refused in a page, also in German', async () => {
  const serving = await servePages({ timeouts: { body: 0.2 } })
  const visitor = await visitByLink(serving)
  const { host, origin, pathname } = new URL(visitor.base)
  const post = async (path: string, more: string) => {
    const fields = `Host: ${host}\r\nOrigin: ${origin}\r\nCookie: ${visitor.cookie}\r\nContent-Length: 1000\r\n${more}`
    const { closed } = openWire(serving.port, `POST ${path} HTTP/1.1\r\n${fields}\r\n`)
    const [head = '', text = ''] = (await closed).split('\r\n\r\n')
    return { head, page: { status: Number(head.split(' ')[1]), headers: new Headers(), text, url: '' } }
  }
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n'
  const { head, page } = await post(`${pathname}/days/2026-12-24`, form)
  expect([page.status, alertOf(page)]).toEqual([
    408,
    'What you sent took too long to arrive. Look at the connection, and send it again.',
  ])
  expect(head).toMatch(/^content-type: text\/html/im)
  expect(head).toMatch(/^connection: close/im)
  expect([textOf(page), offers(page, 'Home')]).toEqual([expect.stringContaining(BACK), true])
  const german = await post(`${pathname}/days/2026-12-24`, `${form}Accept-Language: de\r\n`)
  expect(alertOf(german.page)).toMatch(/^Das Gesendete hat zu lange gebraucht/)
})

test('what is refused before a page is asked is a page for browsers, and JSON for programs', async () => {
  const serving = await servePages()
  const visitor = await visitByLink(serving)
  const condition = { 'if-match': '"1"' }
  const page = await visitor.get('/tasks', { ...condition, accept: 'text/html,*/*;q=0.8', 'accept-language': 'de' })
  expect([page.status, page.headers.get('content-type'), offers(page, 'Start')]).toEqual([
    400,
    'text/html; charset=utf-8',
    true,
  ])
  expect(alertOf(page)).toMatch(/^Eine Angabe passt nicht\. \(Auf Englisch: Expected no header If-Match/)
  const program = await visitor.get('/tasks', condition)
  expect([program.status, JSON.parse(program.text).code]).toEqual([400, 'VALIDATION_ERROR'])
  const link = await serving.link()
  const rest = await fetch(`${link.rest}/documents`, { headers: { ...condition, accept: 'text/html' } })
  expect([rest.status, JSON.parse(await rest.text()).code]).toEqual([400, 'VALIDATION_ERROR'])
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
