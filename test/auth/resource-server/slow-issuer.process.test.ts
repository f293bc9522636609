/** An issuer whose keys are fetched again after a while, and a slow issuer. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { signingKey } from './identity-provider.ts'
import { serveSigningIn } from './signing-in.ts'

const METADATA = '/.well-known/openid-configuration'
/** Seconds before an issuer is asked again, on a clock that only the tests move. */
const PAUSE = 60

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() }))
afterEach(() => void vi.useRealTimers())

test('keys are fetched again for an unknown key, but not for every token that names one', async () => {
  const { askAs, token, provider } = await serveSigningIn({ issuerPatience: { pause: PAUSE } })
  const old = await token()
  expect((await askAs(old, 'GET /connection')).status).toBe(200)
  const next = await signingKey('second', 'RS256')
  provider.keys = [next]
  const fetched = () => provider.requests.filter((path) => path === '/keys').length
  // Too soon after the last time: no client can cause endless requests.
  for (const kid of ['a', 'b', 'c']) await askAs(await token({ header: { kid } }), 'GET /connection')
  expect(fetched()).toBe(1)
  const rotated = await token()
  vi.advanceTimersByTime(PAUSE * 1000)
  expect((await askAs(rotated, 'GET /connection')).status).toBe(200)
  expect(fetched()).toBe(2)
  // A key that the issuer has withdrawn is no longer valid.
  expect((await askAs(old, 'GET /connection')).status).toBe(401)
})

test('a slow issuer is neither waited for nor asked again at once; later it is asked again', async () => {
  const { askAs, token, provider } = await serveSigningIn({ issuerPatience: { answer: 0.1, pause: PAUSE } })
  const bearer = await token()
  provider.answers.set(METADATA, () => {})
  expect((await askAs(bearer, 'GET /connection')).status).toBe(503)
  const requestsBefore = provider.requests.length
  provider.answers.clear()
  expect((await askAs(bearer, 'GET /connection')).status).toBe(503)
  expect(provider.requests.length).toBe(requestsBefore)
  await eventually(async () => {
    vi.advanceTimersByTime(PAUSE * 1000)
    expect((await askAs(bearer, 'GET /connection')).status).toBe(200)
  })
})

test('an issuer that sends keys byte by byte is not waited for', async () => {
  const { askAs, token, provider } = await serveSigningIn({ issuerPatience: { answer: 0.1, pause: 0 } })
  const bearer = await token()
  provider.answers.set('/keys', (_, response) => void response.write('{'))
  expect((await askAs(bearer, 'GET /connection')).status).toBe(503)
  provider.answers.clear()
  // A busy machine may need more than one try to answer in time.
  await eventually(async () => expect((await askAs(bearer, 'GET /connection')).status).toBe(200))
})
