/**
 * Runs one client against one server, in a process of its own, since clients load whole frameworks. The result is sent
 * to the parent as a message.
 */
import { CLIENTS, packagesIn } from './all.ts'
import type { Outcome, Session, Target } from './client.ts'
import { refusedByHosts } from './portable.ts'

export interface AttemptOptions {
  client: string
  folder: string
  target: Target
  /** The names of the tools that the connection has. */
  tools: readonly string[]
  steps: readonly Step[]
}

export const STEPS = ['list', 'write', 'read', 'answers', 'refusal'] as const
export type Step = (typeof STEPS)[number]

/** What went wrong, by step. A step without an entry succeeded. */
export type AttemptReport = Partial<Record<Step, string>> & { calls: number }

const SENTENCE =
  'Expected the ID of a block within reach, found 123456789012; read IDs with blocks_get and name one of those.'
const WORDS = 'The lighthouse keeper counts **ships**.'

/** Tools with an output schema, which clients may validate responses against. */
const ANSWERING: readonly [name: string, args: Record<string, unknown>][] = [
  ['connection_get', {}],
  ['reminders_list', {}],
]

async function attempt({ client: name, folder, target, tools, steps }: AttemptOptions): Promise<AttemptReport> {
  const client = CLIENTS.find((one) => one.name === name)
  if (client === undefined) throw new Error(`Expected a client, found ${name}.`)
  const report: AttemptReport = { calls: 0 }
  const session = await client.connect(target, await packagesIn(folder))
  const call = (tool: string, args: Record<string, unknown>) => {
    report.calls++
    return session.call(tool, args)
  }
  const works: Record<Step, () => Promise<string | undefined>> = {
    list: () => listed(session, tools),
    write: async () => {
      const answer = await call('blocks_add', { markdown: WORDS, position: { position: 'end' }, answer: 'ids' })
      return answered(answer, '"dailyNoteDate"')
    },
    read: async () => answered(await call('blocks_get', { date: 'today', format: 'markdown' }), 'lighthouse'),
    answers: async () => {
      for (const [tool, args] of ANSWERING) {
        const fault = answered(await call(tool, args), '{')
        if (fault !== undefined) return `${tool}: ${fault}`
      }
      return undefined
    },
    refusal: async () => {
      const { text, isRefused } = await call('blocks_get', { id: '123456789012' })
      const isNotified = text.includes(SENTENCE) && isRefused !== false
      return isNotified ? undefined : `expected "${SENTENCE}", found ${isRefused ? '' : 'an answer '}"${text}"`
    },
  }
  for (const step of steps) {
    const fault = await works[step]().catch((error: Error) => error.message)
    if (fault !== undefined) report[step] = fault
  }
  await session.close()
  return report
}

/** Checks that all tools are listed, with parameters that hosts accept. */
async function listed(session: Session, expected: readonly string[]): Promise<string | undefined> {
  const tools = await session.tools()
  const names = new Set(tools.map(({ name }) => name))
  const missing = expected.filter((name) => !names.has(name))
  if (missing.length > 0 || names.size !== expected.length) {
    return `expected ${expected.length} tools, found ${names.size}, without ${missing.join(', ') || 'none'}`
  }
  for (const { name, parameters } of tools) {
    const refused = refusedByHosts(parameters)
    if (refused !== undefined) return `${name}: ${refused}`
  }
  return undefined
}

function answered({ text, isRefused }: Outcome, part: string): string | undefined {
  if (isRefused === true) return `refused: "${text}"`
  return text.includes(part) ? undefined : `expected ${part} in the answer, found "${text.slice(0, 300)}"`
}

process.once('message', async (call: AttemptOptions) => {
  const report = await attempt(call).catch(
    (error: Error): AttemptReport => ({ calls: 0, list: `no connection: ${error.message}` }),
  )
  process.send?.(report, () => process.exit())
})
