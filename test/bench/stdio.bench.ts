/** One small call over stdio, compared with an empty tool on the same SDK. */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { interleaved, type Measure, median } from './figure.ts'
import { addDocument, inFolder, openWorkbench } from './workbench.ts'

const NO_LIMITS = ['--limit-requests', '0', '--limit-blocks', '0']
const HIGH_LIMITS = ['--limit-requests', '1000000', '--limit-blocks', '1000000']
const ROUNDS = 20
const CALLS = 100

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const space = join(folder, 'space.sqlite')
    const id = await oneBlock(space)
    const ours = await start(['src/start.js', 'stdio', '--space', space, ...NO_LIMITS])
    const counted = await start(['src/start.js', 'stdio', '--space', space, ...HIGH_LIMITS])
    const echo = await start(['test/bench/echo-server.ts'])
    const result = await interleaved(
      ROUNDS,
      () => p50(ours, 'blocks_get', { id }),
      () => p50(echo, 'echo', {}),
    )
    const withLimits = await p50(counted, 'blocks_get', { id })
    await ours.close()
    await counted.close()
    await echo.close()
    const what = 'blocks_get of one block, p50, uncounted'
    const notes = [`Counted for the limits, the same call over stdio takes ${withLimits.toFixed(3)} ms.`]
    return {
      figures: [{ what, floor: 'empty tool, stdio', ...result, unit: 'ms', goal: { of: 'ratio', most: 2 } }],
      notes,
    }
  })

async function oneBlock(space: string): Promise<string> {
  const bench = await openWorkbench(space)
  const pageId = await addDocument(bench, 'One')
  const { items } = await bench.call<{ items: { id: string }[] }>('blocks_add', {
    blocks: [{ type: 'text', markdown: 'A line that **says** something.' }],
    position: { position: 'end', pageId },
  })
  await bench.close()
  return items[0]?.id ?? ''
}

async function start(args: string[]): Promise<Client> {
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const cwd = join(import.meta.dirname, '../..')
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd }))
  return client
}

async function p50(client: Client, name: string, args: Record<string, unknown>): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const from = performance.now()
    const { isError } = await client.callTool({ name, arguments: args })
    times.push(performance.now() - from)
    if (isError) throw new Error(`Expected ${name} to answer.`)
  }
  return median(times)
}
