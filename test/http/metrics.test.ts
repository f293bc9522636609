import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Metrics } from '../../src/http/metrics.ts'
import { type Quotas, sumOfBytes } from '../../src/space/model/quota.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { rawRequest } from './serving.ts'

async function metricsPort(): Promise<number> {
  const server = await new Metrics({ openCount: 0, openSpaces: () => [] }).serve(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test.each([
  ['127.0.0.1', 200],
  ['localhost:9100', 200],
  ['[::1]:9100', 200],
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost.evil.example:80', 403],
  ['192.0.2.7', 403],
])('metrics are served to programs on this machine: a Host of %s gets %i', async (host, status) => {
  const response = await rawRequest(`http://127.0.0.1:${await metricsPort()}/metrics`, { headers: { host } })
  expect(response.status).toBe(status)
  expect(response.headers['x-content-type-options']).toBe('nosniff')
  expect(response.text.includes('scriptorium_open_spaces')).toBe(status === 200)
})

test('the bytes of open spaces are added up, with the largest shares of their quotas', async () => {
  const quotas: Quotas = {}
  const [one, other] = [await buildSpace(undefined, { quotas }), await buildSpace()]
  for (const to of [one, other])
    await (await connect('full', { to })).call('documents_add', { documents: [{ title: 'Plan' }] })
  const [mine, others] = [await one.space.storedBytes(), await other.space.storedBytes()]
  quotas.space = 2 * sumOfBytes(mine.space)
  const text = await new Metrics({ openCount: 2, openSpaces: () => [one.space, other.space] }).text()
  expect(text).toContain(
    `scriptorium_stored_bytes{kind="documents"} ${mine.space.documents + others.space.documents}\n`,
  )
  expect(text).toContain('scriptorium_quota_used_ratio 0.5\n')
  expect(text).toContain('scriptorium_link_quota_used_ratio 0\n')
})

test('nothing else is served there', async () => {
  const port = await metricsPort()
  expect((await rawRequest(`http://127.0.0.1:${port}/`, {})).status).toBe(404)
  expect((await rawRequest(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405)
})
