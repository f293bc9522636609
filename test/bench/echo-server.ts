/** The floor for a call over stdio: one tool that does nothing, on the same SDK. */
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const tools = [{ name: 'echo', description: 'Nothing.', inputSchema: { type: 'object' as const } }]

serveStdio(() => {
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => ({ tools }))
  server.setRequestHandler('tools/call', async () => ({ content: [{ type: 'text' as const, text: '' }] }))
  return server
})
