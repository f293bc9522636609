/**
 * What ten jobs cost a model: tokens (o200k) of all that it sends and reads, without the list of tools. Beside ours
 * stands what they cost before IDs were twelve digits and writes were answered in short. `BENCH_BEFORE=FOLDER` measures
 * another checkout in its place.
 */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { noWelcomeFlags } from '../support/no-welcome.ts'
import type { Figure, Measure } from './figure.ts'
import { type Call, idsOf, JOBS } from './jobs.ts'
import { inFolder } from './workbench.ts'

const CHECKOUT = join(import.meta.dirname, '../..')

/** Tokens by job, in the order of {@link JOBS}. */
const BEFORE: readonly number[] = [714, 707, 1674, 1103, 2003, 1711, 1503, 3643, 1699, 837]

interface Cost {
  calls: number
  tokens: number
}

export const measure: Measure = async () => {
  const { BENCH_BEFORE: folder } = process.env
  const ours = await costs(CHECKOUT)
  const before = folder === undefined ? BEFORE : (await costs(folder)).map(({ tokens }) => tokens)
  const figures = Object.keys(JOBS).map((what, index) => figureOf(what, ours[index]?.tokens ?? 0, before[index] ?? 0))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  figures.push(figureOf('all ten jobs', sum(ours.map(({ tokens }) => tokens)), sum(before)))
  return { figures, notes: [`The jobs take ${sum(ours.map(({ calls }) => calls))} calls.`] }
}

const figureOf = (what: string, ours: number, bare: number): Figure => ({
  ...{ what, floor: 'before', ours, bare, unit: 'tokens', ratio: ours / bare },
  goal: { of: 'ratio', most: 1 },
})

/** What each of the jobs costs, by the program of a checkout. */
async function costs(cwd: string): Promise<Cost[]> {
  const found: Cost[] = []
  for (const job of Object.values(JOBS)) {
    found.push(await inFolder((folder) => costOf(job, join(folder, 'space.sqlite'), cwd)))
  }
  return found
}

async function costOf(job: (typeof JOBS)[string], space: string, cwd: string): Promise<Cost> {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const flags = ['--space', space, '--timezone', 'Europe/Budapest', ...noWelcomeFlags('src/start.js', cwd)]
  const args = ['src/start.js', 'stdio', ...flags]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'ignore' }))
  const cost: Cost = { calls: 0, tokens: 0 }
  const call: Call = async (name, callArguments) => {
    const { content, structuredContent, isError } = await client.callTool({
      name,
      arguments: callArguments as Record<string, unknown>,
    })
    const text = (content as { text?: string }[]).map((one) => one.text ?? '').join('\n')
    if (isError) throw new Error(`${name}: ${text}`)
    cost.calls += 1
    cost.tokens += countTokens(JSON.stringify({ name, arguments: callArguments })) + countTokens(text)
    return { text, ids: idsOf(text, structuredContent) }
  }
  try {
    await job(call, () => Object.assign(cost, { calls: 0, tokens: 0 }))
    return cost
  } finally {
    await client.close()
  }
}
