/** An issuer whose keys are fetched again after a while, and a slow issuer. */
import { expect, test } from 'vitest'
import { signingKey } from './identity-provider.ts'
import { serveSigningIn } from './signing-in.ts'

const METADATA = '/.well-known/openid-configuration'

test('keys are fetched again for an unknown key, but not for every token that names one', async () => {
  const { askAs, token, provider } = await serveSigningIn({ issuerPatience: { pause: 1 } })
  const old = await token()
  expect((await askAs(old, 'GET /connection')).status).toBe(200)
  const next = await signingKey('second', 'RS256')
  provider.keys = [next]
  const fetched = () => provider.requests.filter((path) => path === '/keys').length
  // Too soon after the last time: no client can cause endless requests.
  for (const kid of ['a', 'b', 'c']) await askAs(await token({ header: { kid } }), 'GET /connection')
  expect(fetched()).toBe(1)
  const rotated = await token()
  await expect
    .poll(async () => (await askAs(rotated, 'GET /connection')).status, { interval: 50, timeout: 10_000 })
    .toBe(200)
  expect(fetched()).toBe(2)
  // A key that the issuer has withdrawn is no longer valid.
  expect((await askAs(old, 'GET /connection')).status).toBe(401)
})

test('a slow issuer is neither waited for nor asked again at once; later it is asked again', async () => {
  const { askAs, token, provider } = await serveSigningIn({ issuerPatience: { answer: 0.1, pause: 1 } })
  const bearer = await token()
  provider.answers.set(METADATA, () => {})
  expect((await askAs(bearer, 'GET /connection')).status).toBe(503)
  const requestsBefore = provider.requests.length
  provider.answers.clear()
  expect((await askAs(bearer, 'GET /connection')).status).toBe(503)
  expect(provider.requests.length).toBe(requestsBefore)
  await expect
    .poll(async () => (await askAs(bearer, 'GET /connection')).status, { interval: 50, timeout: 10_000 })
    .toBe(200)
})

test('an issuer that sends keys byte by byte is not waited for', async () => {
  const { askAs, token, provider } = await serveSigningIn({ issuerPatience: { answer: 0.1, pause: 0 } })
  const bearer = await token()
  provider.answers.set('/keys', (_, response) => void response.write('{'))
  expect((await askAs(bearer, 'GET /connection')).status).toBe(503)
  provider.answers.clear()
  expect((await askAs(bearer, 'GET /connection')).status).toBe(200)
})
