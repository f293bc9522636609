/**
 * Clients that people put between a model and this server, each of which handles tools, responses and errors in its own
 * way, and a client of REST that is generated from its description.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { startServe } from '../http/serve-process.ts'
import { NO_INPUT, UNREAD } from '../support/unread.ts'
import { CLIENTS, installClients, OFFICIAL } from './clients/all.ts'
import { type AttemptOptions, type AttemptReport, STEPS, type Step } from './clients/attempt.ts'
import type { HostClient, Target } from './clients/client.ts'
import { compileProgram, OPENAPI_FAULTS, runProgram } from './clients/generated-client.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

const ROOT = join(import.meta.dirname, '../..')
const SPOILED = join(import.meta.dirname, 'clients/spoiled-server.ts')
const WITHOUT_LIMITS = ['--limit-requests', '0', '--limit-blocks', '0']
/** Milliseconds after which a client that hangs is terminated. */
const PATIENCE = 120_000
/** Number of clients that run at the same time. */
const AT_ONCE = 2

/**
 * For each planted fault, the step that detects it and the steps to run: clients know schemas only after they have
 * listed the tools.
 */
const FAULTS = {
  schema: { step: 'list', steps: ['list'] },
  answer: { step: 'answers', steps: ['list', 'answers'] },
} as const

interface Attempt extends AttemptOptions {
  over: string
  client: string
}

export const proof: Proof = {
  runsInParallel: true,
  promise:
    'The clients that hosts are built with list the tools, write, read, and pass on why a call is refused, over both transports, and a client generated from openapi.json needs no casts.',

  async run(context) {
    const { clients, folder } = await prepared(context)
    const kinds: readonly ConnectionKind[] = context.length === 'long' ? ['full', 'daily'] : ['full']
    const server = await startServe(join(context.folder, 'served.sqlite'))
    try {
      const attempts = clients.flatMap((client): Attempt[] => [
        ...kinds.map((kind) => ({
          ...options(client, folder, kind, started(context, client, kind)),
          over: kind === 'full' ? 'stdio' : `stdio, ${kind}`,
        })),
        { ...options(client, folder, 'full', { url: server.mcpUrl }), over: 'Streamable HTTP' },
      ])
      const done = await attemptAll(attempts)
      return shown(clients, done, await generatedClientFaults(context, server.restUrl), context)
    } finally {
      await server.close()
    }
  },

  /**
   * Connects the same clients to a server with planted faults. Each client that checks for a fault has to find it. With
   * each fault in openapi.json, the program of the generated client must not compile.
   */
  async control(context) {
    const { clients, folder } = await prepared(context)
    const foundBy = async (fault: keyof typeof FAULTS, looking: readonly HostClient[]) => {
      const { step, steps } = FAULTS[fault]
      const attempts = looking.map((client): Attempt => {
        const { command, args } = started(context, client, 'full')
        const target = { command, args: [SPOILED, fault, ...args] }
        return { ...options(client, folder, 'full', target, steps), over: fault }
      })
      const done = await attemptAll(attempts)
      return done.flatMap(({ attempt, report }) =>
        report[step] === undefined ? [] : [`${attempt.client}: ${report[step]}`],
      )
    }
    const holding = clients.filter(({ holdsAnswers }) => holdsAnswers)
    const [schema, answer] = [await foundBy('schema', clients), await foundBy('answer', holding)]
    const openApi = await openApiFaultsFound(context)
    const isFound =
      schema.length === clients.length &&
      answer.length === holding.length &&
      openApi.length === Object.keys(OPENAPI_FAULTS).length
    return {
      figures: {
        [`of ${clients.length} clients met the schema that hosts refuse`]: schema.length,
        [`of ${holding.length} the answer that breaks its schema`]: answer.length,
        [`of ${Object.keys(OPENAPI_FAULTS).length} faults in openapi.json kept the program from compiling`]:
          openApi.length,
      },
      faults: isFound
        ? [...schema, ...answer, ...openApi].map((line) => line.replaceAll(/\s+/g, ' ').slice(0, 200))
        : [],
    }
  },
}

/** The short form uses only the official clients of the protocol: all clients together are 400 MB of packages. */
async function prepared({ length, log }: ProofContext): Promise<{ clients: readonly HostClient[]; folder: string }> {
  const clients = length === 'long' ? CLIENTS : OFFICIAL
  log('installing the clients, unless they are there')
  return { clients, folder: await installClients(clients) }
}

function options(
  { name }: HostClient,
  folder: string,
  kind: ConnectionKind,
  target: Target,
  steps: readonly Step[] = STEPS,
): AttemptOptions & { client: string } {
  return {
    client: name,
    folder,
    target,
    steps,
    tools: toolCatalogFor(endpoints, kind).list.listings.map((tool) => tool.name),
  }
}

/** The command with which a host starts the server, on a separate space for this client. */
function started({ folder }: ProofContext, { name }: HostClient, kind: ConnectionKind) {
  const space = join(folder, `${name.replaceAll(/\W+/g, '-')}-${kind}.sqlite`)
  const args = [
    join(ROOT, 'src/start.js'),
    'stdio',
    '--space',
    space,
    '--kind',
    kind,
    '--no-welcome',
    ...WITHOUT_LIMITS,
  ]
  return { command: process.execPath, args }
}

interface FinishedAttempt {
  attempt: Attempt
  report: AttemptReport
}

/** Runs the attempts, some at the same time. @returns their results, in the order of the attempts */
async function attemptAll(attempts: readonly Attempt[]): Promise<FinishedAttempt[]> {
  const done: FinishedAttempt[] = []
  const left = [...attempts.entries()]
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, attempt] = next
      done[index] = { attempt, report: await attemptInProcess(attempt) }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return done
}

async function attemptInProcess({ over: _, ...input }: Attempt): Promise<AttemptReport> {
  const child = fork(join(import.meta.dirname, 'clients/attempt.ts'), {
    stdio: [NO_INPUT, UNREAD, UNREAD, 'ipc'],
    timeout: PATIENCE,
  })
  // Unlike `exit`, `close` comes after all messages of the process.
  const ended = once(child, 'close').then((): [AttemptReport] => [
    { calls: 0, list: 'expected an end, found none in time' },
  ])
  const report = once(child, 'message') as Promise<[AttemptReport]>
  child.send(input satisfies AttemptOptions)
  const [result] = await Promise.race([report, ended])
  await ended
  return result
}

async function generatedClientFaults({ folder, log }: ProofContext, restUrl: string): Promise<string[]> {
  log('generating a client of REST, and running a program with it')
  const own = join(folder, 'generated')
  const faults = await compileProgram(own)
  return (faults.length > 0 ? faults : await runProgram(own, restUrl)).map((fault) => `generated client: ${fault}`)
}

/** A line for each planted fault with which the program does not compile. */
async function openApiFaultsFound({ folder }: ProofContext): Promise<string[]> {
  const found: string[] = []
  for (const [index, [fault, spoil]] of Object.entries(OPENAPI_FAULTS).entries()) {
    const [first] = await compileProgram(join(folder, `generated-${index}`), spoil)
    if (first !== undefined) found.push(`generated client, ${fault}: ${first}`)
  }
  return found
}

/** Prints the results as a table, and summarizes them. */
function shown(
  clients: readonly HostClient[],
  done: readonly FinishedAttempt[],
  ofGenerated: readonly string[],
  { log }: ProofContext,
): ProofResult {
  const faults = done.flatMap(({ attempt: { client, over }, report }) =>
    STEPS.flatMap((step) => (report[step] === undefined ? [] : [`${client} over ${over}, ${step}: ${report[step]}`])),
  )
  const head = [
    ['client', 'over', ...STEPS],
    ['---', '---', ...STEPS.map(() => '---')],
  ]
  const cells = done.map(({ attempt: { client, over }, report }) => [
    client,
    over,
    ...STEPS.map((step) => (report[step] === undefined ? 'yes' : 'no')),
  ])
  for (const line of [...head, ...cells]) log(`| ${line.join(' | ')} |`)
  return {
    figures: {
      clients: clients.length,
      connections: done.length,
      calls: done.reduce((sum, { report }) => sum + report.calls, 0),
      'steps that work': done.length * STEPS.length - faults.length,
      'that do not': faults.length,
      'generated clients whose program compiles and runs': ofGenerated.length === 0 ? 1 : 0,
    },
    faults: [...faults, ...ofGenerated],
  }
}
