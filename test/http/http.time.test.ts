import { expect, test } from 'vitest'
import { callTool, serveBuilt } from './serving.ts'

test('event streams do not delay the shutdown of the server', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  const client = await link.client('2025')
  await callTool(client, 'connection_get')
  const from = performance.now()
  await serving.server.close()
  expect(performance.now() - from).toBeLessThan(3_000)
})
