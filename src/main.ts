/** The command line: ties storage, space, endpoints and server together. */
import { join } from 'node:path'
import envPaths from 'env-paths'
import program from '../package.json' with { type: 'json' }
import { announcements, endpoints } from '../tools/index.ts'
import { ScriptoriumError } from './errors.ts'
import { type Command, helpText, type Options, readOptions } from './flags.ts'
import type { Done } from './participants.ts'
import type { McpOptions } from './server/mcp.ts'
import { type OpenSpace, openSpace } from './space/open.ts'

/** What was asked for is wrong, or a file cannot be used: one sentence, and nothing was changed. */
const EXIT_WRONG = 2

export async function main(args: readonly string[]): Promise<void> {
  try {
    const options = readOptions(args, process.env)
    if (options.help) process.stdout.write(helpText(args[0]?.startsWith('-') ? undefined : options.command))
    else await RUN[options.command](options)
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    log(error.message)
    process.exitCode = EXIT_WRONG
  }
}

const RUN: Record<Command, (options: Options) => Promise<void>> = {
  async stdio(options) {
    const serving = await openServing(options)
    const { serveOneHost } = await import('./server/stdio.ts')
    const host = serveOneHost(serving)
    const end = endOnce(serving.space, () => host.close())
    process.stdin.once('end', end).once('close', end)
  },

  async serve(options) {
    const serving = await openServing(options)
    const { serveHttp } = await import('./server/http.ts')
    const server = await serveHttp(serving, options.port).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw new ScriptoriumError(
        'CONFLICT',
        `Expected a free port, found ${options.port} in use; name another with --port.`,
      )
    })
    endOnce(serving.space, () => server.close())
    log(`Serving "${serving.space.info.name}" at ${server.url}`)
  },

  'participants add': participants,
  'participants list': participants,
  'participants remove': participants,

  async doctor(options) {
    const { examineSpace, findingsText } = await import('./doctor.ts')
    const findings = examineSpace(fileOf(options))
    process.stdout.write(findingsText(findings))
    if (findings.some(({ advice }) => advice !== undefined)) process.exitCode = EXIT_WRONG
  },
}

/** Opens the space for one piece of work, and says what came of it. */
async function once(options: Options, work: (space: OpenSpace) => Promise<Done>): Promise<void> {
  const space = await openAsAsked(options)
  try {
    const { value, words } = await work(space)
    process.stdout.write(`${options.json ? JSON.stringify(value, null, 2) : words}\n`)
  } finally {
    await space.close()
  }
}

async function participants(options: Options): Promise<void> {
  const { runParticipants } = await import('./participants.ts')
  const action = options.command.split(' ')[1] as 'add' | 'list' | 'remove'
  await once(options, (space) => runParticipants(space, action, options.operand))
}

function openAsAsked(options: Options): Promise<OpenSpace> {
  const { name, timezone, editorUrl } = options
  return openSpace(fileOf(options), {
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(editorUrl !== undefined && { editorUrl }),
  })
}

async function openServing(options: Options): Promise<McpOptions> {
  const { kind, documents } = options
  const space = await openAsAsked(options)
  try {
    tellKept(space, options)
    const link = await space.link(kind, documents, 'scriptorium')
    return { endpoints, announcements, version: program.version, space, link, log }
  } catch (error) {
    await space.close()
    throw error
  }
}

/** Name and time zone are kept from the space's first start on; a flag that says otherwise is not passed over. */
function tellKept({ info }: OpenSpace, { name, timezone }: Options): void {
  if (name !== undefined && name !== info.name)
    log(`The space keeps its name ${info.name}; --name counts when it is made.`)
  if (timezone !== undefined && timezone !== info.timezone) {
    log(`The space keeps its time zone ${info.timezone}; --timezone counts when it is made.`)
  }
}

const fileOf = ({ space }: Options): string =>
  space ?? join(envPaths('Scriptorium', { suffix: '' }).data, 'space.sqlite')

/** Ends on the first of several occasions, signals among them: what runs is finished, then the file is closed. */
function endOnce(space: OpenSpace, close: () => Promise<void>): () => void {
  let _ending: Promise<void> | undefined
  const end = () => {
    _ending ??= close()
      .then(() => space.close())
      .then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  return end
}

/** Standard output belongs to the protocol. */
function log(line: string): void {
  process.stderr.write(`${line}\n`)
}
