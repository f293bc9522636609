import { expect, test } from 'vitest'
import { callTool, serveBuilt } from './serving.ts'

test('the server shuts down while event streams are open', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  const client = await link.client('2025')
  await callTool(client, 'connection_get')
  await expect(serving.server.close()).resolves.toBeUndefined()
})
