import { expect, test } from 'vitest'
import { openWire, serveBuilt } from './serving.ts'

test('the server responds during floods of connections and endless headers', { timeout: 30_000 }, async () => {
  const serving = await serveBuilt({ timeouts: { headers: 1 } })
  const link = await serving.link()
  const begun = 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
  const wires = Array.from({ length: 2_100 }, (_, index) => openWire(serving.port, index % 2 === 0 ? begun : ''))
  const responses = await Promise.all(wires.map(({ closed }) => closed))
  // Those above the limit are closed immediately, the others when they time out.
  const late = responses.filter((text) => text.startsWith('HTTP/1.1 408')).length
  expect(late).toBeGreaterThan(1_000)
  expect((await link.ask('GET /connection')).status).toBe(200)
})
