/** No unauthenticated request blocks the event loop, whatever it contains. */
import { expect, test } from 'vitest'
import { FORM_BYTES } from '../../src/base/limits.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'
import { hostileBodies, openPage, ROUTES, type Sending, send, serveIssuer } from './unauthenticated.ts'

const LONG_QUERIES = ['a&', '%', 'scope=a&', 'a=%FF', '/spaces/'].map((unit) => unit.repeat(15_000 / unit.length))
const LONG_HEADERS = Object.entries({
  authorization: ['Bearer a.', 'Basic ', 'Bearer  '],
  cookie: ['a=b; ', '_session=', '; '],
  'x-forwarded-for': ['1.1.1.1,', '"', '[', '::'],
  accept: ['a/a,', '*/*;q=0.1,', ';'],
  'accept-encoding': ['gzip;q=0.1,'],
  'if-none-match': ['"a",', 'W/'],
  'content-type': ['application/json;a=b;', ';'],
}).flatMap(([name, units]) => units.map((unit) => ({ [name]: unit.repeat(14_000 / unit.length) })))

test('requests without credentials never block the event loop for long', async () => {
  const serving = await serveIssuer()
  const { origin } = serving.server
  const page = await openPage(serving)
  const slow: Record<string, number> = {}
  const measure = async (name: string, path: string, sending: Sending) => {
    const took = await longestPause(() => send(origin, path, sending))
    if (took >= LONGEST_PAUSE) slow[`${sending.method} ${path.split('?')[0]}, ${name}`] = took
  }
  const attack = async (path: string, parameters = '', headers: Record<string, string> = {}) => {
    // The first request does one-time work, which must not be measured.
    for (const method of ['GET', 'POST', 'PUT']) await send(origin, path, { method, headers, body: '' })
    for (const query of LONG_QUERIES)
      await measure(`a long query of ${query.slice(0, 8)}`, `${path}?${query}`, { method: 'GET', headers })
    for (const long of LONG_HEADERS) {
      await measure(`a long ${Object.keys(long)}`, path, { method: 'POST', headers: { ...headers, ...long } })
    }
    for (const { name, type, body } of hostileBodies(parameters)) {
      for (const bytes of [16_000, FORM_BYTES, 1024 * 1024]) {
        const sent = { headers: { ...headers, 'content-type': type }, body: Buffer.from(body(bytes)) }
        for (const method of ['POST', 'PUT']) await measure(`${name}, ${bytes} bytes`, path, { method, ...sent })
      }
    }
  }
  for (const path of Object.values(ROUTES).flatMap((paths) => paths(serving.key))) await attack(path)
  await attack(page.path, `token=${page.token}&`, { cookie: page.cookie })
  expect(slow).toEqual({})
})
