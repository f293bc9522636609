import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Metrics } from '../../src/http/metrics.ts'
import { rawRequest } from './serving.ts'

async function metricsPort(): Promise<number> {
  const server = await new Metrics(() => 0).serve(0)
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

test('nothing else is served there', async () => {
  const port = await metricsPort()
  expect((await rawRequest(`http://127.0.0.1:${port}/`, {})).status).toBe(404)
  expect((await rawRequest(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405)
})
