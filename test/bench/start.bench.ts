/** The time from starting the program to its first response over stdio, on a large space and on an empty one. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Figure, interleaved, type Measure, timed } from './figure.ts'
import { addDocument, inFolder, newBlocks, openWorkbench } from './workbench.ts'

const ROOT = join(import.meta.dirname, '../..')
const CALLS = 10
const BLOCKS_A_CALL = 10_000
const ROUNDS = 9
/** In milliseconds. */
const GOAL = 300

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const large = await makeSpace(join(folder, 'large.sqlite'), CALLS)
    const empty = await makeSpace(join(folder, 'empty.sqlite'), 0)
    const figures: Figure[] = []
    const notes: string[] = []
    for (const [form, script] of [
      ['source', 'src/start.js'],
      ['built', 'dist/start.js'],
    ] as const) {
      if (!existsSync(join(ROOT, script))) {
        notes.push(`No built form: npm run build makes ${script}.`)
        continue
      }
      const sizes = await interleaved(
        ROUNDS,
        () => firstAnswer(script, large),
        () => firstAnswer(script, empty),
      )
      const what = `cold start on 100,000 blocks, ${form}`
      figures.push({ what, floor: 'on an empty space', ...sizes, unit: 'ms', goal: { of: 'ratio', most: 1.5 } })
      const alone = await interleaved(
        ROUNDS,
        () => firstAnswer(script, large),
        () => timed(() => ended(['--eval', '0'])),
      )
      figures.push({ what, floor: 'Node alone', ...alone, unit: 'ms', goal: { of: 'ours', most: GOAL } })
    }
    return { figures, notes }
  })

interface Made {
  file: string
  /** The ID of a block to read. */
  id: string
}

async function makeSpace(file: string, calls: number): Promise<Made> {
  const bench = await openWorkbench(file)
  let id = await addDocument(bench, 'First')
  for (let call = 0; call < calls; call++) {
    id = await addDocument(bench, `Document ${call}`)
    const blocks = newBlocks(BLOCKS_A_CALL)
    await bench.call('blocks_add', { blocks, position: { position: 'end', pageId: id }, answer: 'ids' })
  }
  await bench.close()
  return { file, id }
}

/** Returns the milliseconds until the first response. Resolves once the program has exited and closed its file. */
async function firstAnswer(script: string, { file, id }: Made): Promise<number> {
  const from = performance.now()
  const args = [script, 'stdio', '--space', file, '--limit-requests', '0']
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = new Promise((resolve) => child.once('exit', resolve))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'bench', version: '1.0.0' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  let time = Number.NaN
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as { id?: number; error?: unknown; result?: { isError?: boolean } }
    if (answer.error !== undefined || answer.result?.isError) throw new Error(`Expected an answer, found ${line}.`)
    if (answer.id === 1) {
      send({ method: 'notifications/initialized' })
      send({ id: 2, method: 'tools/call', params: { name: 'blocks_get', arguments: { id, maxDepth: 0 } } })
    }
    if (answer.id !== 2) continue
    time = performance.now() - from
    child.stdin.end()
  }
  await exit
  return time
}

function ended(args: string[]): Promise<unknown> {
  return new Promise((resolve) => spawn(process.execPath, args).once('exit', resolve))
}
