/**
 * The stdio server with a fault planted in its responses:
 *
 *     node spoiled-server.ts schema|answer SCRIPT ARGUMENT…
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

interface Message {
  result?: {
    tools?: { name: string; inputSchema: { properties: Record<string, unknown> } }[]
    structuredContent?: Record<string, unknown>
  }
}

const [fault, ...args] = process.argv.slice(2)
const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(child.stdin)
child.once('exit', () => process.exit())

for await (const line of createInterface({ input: child.stdout })) {
  const message = JSON.parse(line) as Message
  if (fault === 'schema') for (const tool of message.result?.tools ?? []) spoilSchema(tool)
  if (fault === 'answer' && message.result?.structuredContent) spoilAnswer(message.result.structuredContent)
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/** Replaces every field by a value that violates the output schema. */
function spoilAnswer(answer: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(answer)) answer[key] = typeof value === 'string' ? 5 : 'red'
}

/** Adds a union, and a field without a type. */
function spoilSchema({
  name,
  inputSchema: { properties },
}: {
  name: string
  inputSchema: { properties: object }
}): void {
  if (name !== 'blocks_get') return
  Object.assign(properties, { maxDepth: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, cursor: true })
}
