/** The story of a hand-over, in which agents and the server are killed, and what it must come to. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { callerOf } from '../../bench/workbench.ts'
import { freePorts } from '../../support/free-ports.ts'
import { Agent } from './agent.ts'
import type { Mode, Role } from './agent-options.ts'
import { HandoverServer } from './handover-server.ts'
import { Person } from './person.ts'

export interface Round {
  name: string
  mode: Mode
  /** So many lives of each agent end at a step, each one step later than the life before. */
  deaths: number
  /** The server is killed at each step of an agent with this number or a multiple of it, up to so often. */
  killsServer: { every: number; times: number }
  /** Milliseconds that something may take. */
  patience?: number
}

export interface RoundResult {
  deaths: number
  serverKills: number
  faults: string[]
}

const PATIENCE = 40_000
const LOOK = 200

/** @param program  the program, and the folder of its sources */
export async function runRound(
  browser: Browser,
  folder: string,
  program: { script: string; cwd: string },
  round: Round,
): Promise<RoundResult> {
  const { name, mode, deaths, killsServer, patience = PATIENCE } = round
  const server = await HandoverServer.start(join(folder, `${name}.sqlite`), program.script, program.cwd)
  let steps = 0
  const onStep = () => {
    steps++
    if (steps % killsServer.every === 0 && server.kills < killsServer.times) server.kill()
  }
  const ports = await freePorts(2)
  const agents = (['editor', 'researcher'] as const satisfies Role[]).map((role, index) => {
    const url = `${server.origin}${server.story.paths[role]}`
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const options = { role, mode, url, secret, port: ports[index] ?? 0, person: server.story.mention.Anna }
    return new Agent(options, deaths, onStep)
  })
  const faults: string[] = []
  const person = await Person.signIn(browser, server, patience)
  try {
    for (const agent of agents) agent.start()
    await story(server, person, patience)
  } catch (error) {
    faults.push((error as Error).message.split('\n')[0] ?? '')
  }
  await Promise.all(agents.map((agent) => agent.stop()))
  await person.close()
  await server.close()
  faults.push(...(await wrongOutcome(server)))
  const lives = agents.reduce((sum, agent) => sum + agent.lives - 1, 0)
  return { deaths: lives, serverKills: server.kills, faults: faults.map((fault) => `${name}: ${fault}`) }
}

async function story(server: HandoverServer, person: Person, patience: number): Promise<void> {
  const { blocks, ids } = server.story
  await person.comment(blocks.long, '@Editor make this shorter')
  await person.assign(blocks.task, ids.Researcher)
  await person.approve(await person.find('"Harbor": 1 block changed'))
  await person.find('Which year?')
  await person.comment(blocks.task, '1904')
  await person.read(server.story.document, 'built in 1904')
  for (const end = performance.now() + patience; performance.now() < end; await delay(LOOK)) {
    if ((await person.waiting()) === 0) return
  }
  throw new Error(`Expected nothing to wait for Anna at the end, found ${await person.waiting()}.`)
}

interface Comment {
  author: string
  content: string
  resolvedAt?: string
}
interface Block {
  markdown: string
  metadata?: { comments?: Comment[] }
}

/** What is not as it must be at the end: something lost, or done twice. */
async function wrongOutcome({ file, story }: HandoverServer): Promise<string[]> {
  const space = await openSpace(file, { name: 'Harbor', timezone: 'Europe/Budapest' })
  try {
    const call = callerOf(space, OPERATOR_LINK)
    const read = async (id: string) => {
      const text = await call<string>('blocks_get', { id, fetchMetadata: true, maxDepth: 0 })
      const { markdown, metadata } = JSON.parse(text) as Block
      const thread = (metadata?.comments ?? []).map(
        ({ author, content, resolvedAt }) => `${author}: ${content}${resolvedAt === undefined ? ' (open)' : ''}`,
      )
      return [markdown.replace(/<\/?comment[^>]*>/g, ''), ...thread].join(' | ')
    }
    const { blocks, mention } = story
    const expected = {
      [blocks.long]: `This is a long sentence. | Anna: ${mention.Editor} make this shorter | Editor: I propose a shorter text.`,
      [blocks.year]: 'The harbor was built in 1904.',
      [blocks.task]: `- [x] Find the year | Researcher: ${mention.Anna} Which year? | Anna: 1904`,
      [blocks.other]: 'Leave this alone. | Anna: This stays. (open)',
    }
    const faults: string[] = []
    for (const [id, wanted] of Object.entries(expected)) {
      const found = await read(id)
      if (found !== wanted) faults.push(`Expected "${wanted}", found "${found}".`)
    }
    const { items } = await call<{ items: { state: string }[] }>('proposals_list', { state: 'all' })
    const states = items.map(({ state }) => state).join(', ')
    if (states !== 'approved') faults.push(`Expected one proposal, approved, found: ${states || 'none'}.`)
    const calls = (await call<{ items: { author: string; tool: string }[] }>('history_list', { limit: 100 })).items
    const made = calls
      .filter(({ tool }) => !tool.startsWith('events/'))
      .map(({ author, tool }) => `${author} ${tool}`)
      .sort()
    if (made.join(', ') !== CALLS.join(', '))
      faults.push(`Expected the calls ${CALLS.join(', ')}, found ${made.join(', ')}.`)
    return faults
  } finally {
    await space.close()
  }
}

/** All calls that wrote, each of which happens once. */
const CALLS = [
  // The document and the thread that nobody touches, the two comments of the story, and the task that is given away.
  ...['Anna documents_add', 'Anna comments_add', 'Anna comments_add', 'Anna comments_add', 'Anna batch'],
  'Editor batch',
  ...['Researcher comments_add', 'Researcher batch'],
].sort()
