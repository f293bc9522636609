/** The command line: ties storage, space, endpoints and server together. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import envPaths from 'env-paths'
import program from '../../package.json' with { type: 'json' }
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { realPath } from '../../storage/sqlite/real-path.ts'
import { openSignIns } from '../../storage/sqlite/sign-ins.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { escapeForTerminal, escapeLines } from '../base/control-characters.ts'
import { invalid, ScriptoriumError } from '../base/errors.ts'
import { RateLimiter } from '../call/rate-limiter.ts'
import type { ServedSpace } from '../call/space-registry.ts'
import { assertToolsExist, localMcpOptions } from '../local/local-server.ts'
import { type OpenSpace, openSpace } from '../space/open-space.ts'
import type { Command } from './commands.ts'
import { helpText } from './flags.ts'
import type { LinksAction } from './links-command.ts'
import { type Options, parseOptions } from './options.ts'
import { type CommandResult, formatResult } from './printing.ts'

/** What was asked for is wrong, or a file cannot be used: one sentence, and nothing was changed. */
const EXIT_INVALID = 2
/** It was done except for a part, which is printed, or a person chose not to do it. */
const EXIT_INCOMPLETE = 1

export async function main(args: readonly string[]): Promise<void> {
  if (args.length === 1 && args[0] === '--version') return void process.stdout.write(`${program.version}\n`)
  try {
    const options = parseOptions(args, process.env)
    if (options.help) process.stdout.write(helpText(args[0]?.startsWith('-') ? undefined : options.command))
    else await COMMAND_HANDLERS[options.command](options)
  } catch (error) {
    const fault = error instanceof ScriptoriumError ? undefined : toDiskError(error)
    if (fault !== undefined) log(escapeForTerminal(`${fault.message} (${fault.reason})`))
    else if (error instanceof ScriptoriumError) log(escapeForTerminal(error.message))
    else throw error
    process.exitCode = EXIT_INVALID
  }
}

const COMMAND_HANDLERS: Record<Command, (options: Options) => Promise<void>> = {
  async stdio(options) {
    const served = await openServedSpace(spaceFile(options), options)
    try {
      warnIgnoredFlags(served.space, options)
      const { kind, access, documents, tools, files, limits } = options
      const connection = { kind, access, documents, files, fileLimit: limits.file, log, ...(tools && { tools }) }
      const mcpOptions = await localMcpOptions(served, connection)
      const { serveStdioHost } = await import('../mcp/stdio.ts')
      const mcp = mcpOptions()
      let welcoming: Promise<void> | undefined
      const welcomeOnce = () => (welcoming ??= welcome(served.space, options))
      // The endpoints are loaded once the host has its first answers, so that it does not wait for the document either.
      const load = () => {
        const loading = mcp.load()
        loading.then(welcomeOnce, () => undefined)
        return loading
      }
      const host = serveStdioHost({ ...mcp, load })
      const end = closeOnSignals(async () => {
        await host.close()
        await welcomeOnce()
        await served.close()
      })
      process.stdin.once('end', end).once('close', end)
    } catch (error) {
      await served.close()
      throw error
    }
  },

  async serve(options) {
    const { serveSpaces } = await import('./serve-command.ts')
    const openFile = async (file: string) => {
      const served = await openServedSpace(file, options)
      await welcome(served.space, options)
      return served
    }
    const { origin, close } = await serveSpaces(options, openFile, spaceFile(options))
    closeOnSignals(close)
    log(`Serving at ${origin}; links list tells the links, links add makes one.`)
  },

  async install(options) {
    if (options.tools !== undefined) await assertToolsExist(options.tools, options.kind)
    const { runInstall } = await import('./hosts/install-command.ts')
    printResult(await runInstall(options, spaceFile(options)), options)
  },

  async uninstall(options) {
    const { runUninstall } = await import('./hosts/install-command.ts')
    printResult(await runUninstall(options), options)
  },

  'links add': runLinksCommand,
  'links list': runLinksCommand,
  'links revoke': runLinksCommand,
  'links expose': runLinksCommand,
  'participants add': runParticipantsCommand,
  'participants list': runParticipantsCommand,
  'participants remove': runParticipantsCommand,

  async log(options) {
    const { printLog } = await import('./log-command.ts')
    const space = await openSpaceWithOptions(spaceFile(options), options)
    await welcome(space, options)
    const { json, follow: follows } = options
    const { signal, abort } = createStopSignal()
    const printing = printLog(space, { json, follows, signal }, (line) => process.stdout.write(`${line}\n`))
    const end = closeOnSignals(async () => {
      abort()
      await printing
      await space.close()
    })
    // The reader may have read enough, as `head` has.
    process.stdout.once('error', end)
    await printing
    if (!signal.aborted) await space.close()
  },

  async history(options) {
    const { runHistory } = await import('./history-command.ts')
    await withSpace(options, (space) => runHistory(space, options))
  },

  async undo(options) {
    const { runUndo } = await import('./history-command.ts')
    await withSpace(options, (space) => runUndo(space, options))
  },

  async 'history forget'(options) {
    const { runForgetHistory } = await import('./delete-for-good-commands.ts')
    const space = await openSpaceWithOptions(existingSpaceFile(options), options)
    process.stdout.write(`${formatResult(await runForgetHistory(space, options), options)}\n`)
  },

  async 'restore-version'(options) {
    const { runRestoreVersion } = await import('./history-command.ts')
    await withSpace(options, (space) => runRestoreVersion(space, options.operand, options))
  },

  async backup(options) {
    const { runBackup } = await import('./backup-command.ts')
    printResult(await runBackup(spaceFile(options), options, Date.now()), options)
  },

  async restore(options) {
    const { runRestore } = await import('./restore-command.ts')
    printResult(await runRestore(spaceFile(options), options, Date.now()), options)
  },

  async 'trash empty'(options) {
    const { runEmptyTrash } = await import('./delete-for-good-commands.ts')
    const space = await openSpaceWithOptions(existingSpaceFile(options), options)
    process.stdout.write(`${formatResult(await runEmptyTrash(space, options.before), options)}\n`)
  },

  async compact(options) {
    const { runCompact } = await import('./delete-for-good-commands.ts')
    const done = await runCompact(existingSpaceFile(options), options.keepsCopy)
    process.stdout.write(`${formatResult(done, options)}\n`)
  },

  async doctor(options) {
    const { runDoctor } = await import('./doctor/doctor-command.ts')
    const { currentHosts } = await import('./doctor/host-findings.ts')
    const hosts = currentHosts(defaultSpaceFile())
    const { output, exitCode } = await runDoctor(realPath(spaceFile(options)), options, hosts)
    process.stdout.write(output)
    process.exitCode = exitCode
  },

  async completion({ operand }) {
    const { completionScript } = await import('./completion/completion.ts')
    process.stdout.write(completionScript(operand))
  },
}

function printResult(done: CommandResult & { isComplete: boolean }, options: Options): void {
  process.stdout.write(`${formatResult(done, options)}\n`)
  if (!done.isComplete) process.exitCode = EXIT_INCOMPLETE
}

async function runLinksCommand(options: Options): Promise<void> {
  const { runLinks } = await import('./links-command.ts')
  await withSpace(options, (space) => runLinks(space, subcommandOf(options) as LinksAction, options))
}

async function runParticipantsCommand(options: Options): Promise<void> {
  const { runParticipants } = await import('./participants-command.ts')
  const { promptPassword } = await import('./password-prompt.ts')
  const action = subcommandOf(options) as 'add' | 'list' | 'remove'
  const { operand, oauthIssuer: issuer, subject } = options
  const identity = issuer === undefined || subject === undefined ? undefined : { issuer, subject }
  const password = options.password && action === 'add' ? await promptPassword(operand) : undefined
  const change = { identity, password, onlyPassword: options.password }
  await withSpace(options, (space) => runParticipants(space, action, operand, change))
}

/** The second word of a command. */
const subcommandOf = ({ command }: Options): string => command.split(' ')[1] ?? ''

/** Opens the space for one piece of work, and says what came of it. */
async function withSpace(options: Options, work: (space: OpenSpace) => Promise<CommandResult>): Promise<void> {
  const space = await openSpaceWithOptions(spaceFile(options), options)
  try {
    await welcome(space, options)
    process.stdout.write(`${formatResult(await work(space), options)}\n`)
  } finally {
    await space.close()
  }
}

/** A space with the usage file of its rate limits, which is beside it. */
async function openServedSpace(file: string, options: Options): Promise<ServedSpace> {
  const space = await openSpaceWithOptions(file, options)
  const usage = openUsage(`${space.file}.usage`, log)
  try {
    const signIns = options.oauth ? openSignIns(`${space.file}.sign-in`) : undefined
    return {
      space,
      rateLimiter: new RateLimiter(usage, options.limits, Date.now),
      ...(signIns && { signIns }),
      async close() {
        signIns?.close()
        usage.close()
        await space.close()
      },
    }
  } catch (error) {
    usage.close()
    await space.close()
    throw error
  }
}

function openSpaceWithOptions(file: string, options: Options): Promise<OpenSpace> {
  const { command, name, timezone, editorUrl, fonts, keepsCopy, auditLogRetention } = options
  // Only servers forget history, as their flags say; a command leaves it alone.
  const historyRetention = options.historyRetention ?? Infinity
  return openSpace(file, {
    keepsCopy,
    report: log,
    historyRetention,
    ...(name !== undefined && command !== 'links add' && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(editorUrl !== undefined && { editorUrl }),
    ...(fonts !== undefined && { fontFolder: fonts }),
    ...(auditLogRetention !== undefined && { auditLogRetention }),
  })
}

/** Adds the welcome document to a space that was made just now, unless it ends with this process. */
async function welcome(space: OpenSpace, { welcomes }: Options): Promise<void> {
  if (!welcomes || !space.isNew || space.file === ':memory:') return
  try {
    const { addWelcomeDocument } = await import('./welcome.ts')
    await addWelcomeDocument(space)
  } catch (error) {
    // The space can be used without it.
    log(`The welcome document was not written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Name and time zone are kept from the space's first start on; a flag that says otherwise is not ignored silently. */
function warnIgnoredFlags({ info }: OpenSpace, { name, timezone }: Options): void {
  if (name !== undefined && name !== info.name)
    log(`The space keeps its name ${escapeForTerminal(info.name)}; --name counts when it is made.`)
  if (timezone !== undefined && timezone !== info.timezone) {
    log(`The space keeps its time zone ${info.timezone}; --timezone counts when it is made.`)
  }
}

const spaceFile = ({ space }: Options): string => space ?? defaultSpaceFile()

const defaultSpaceFile = (): string => join(envPaths('Scriptorium', { suffix: '' }).data, 'space.sqlite')

/** The file of a command that makes no space. @throws VALIDATION_ERROR where there is none */
function existingSpaceFile(options: Options): string {
  const file = spaceFile(options)
  if (existsSync(file)) return file
  throw invalid(`Expected the file of a space, found none at ${file}; name one with --space.`)
}

/** Ends on the first of several occasions, signals among them: what runs is finished, then files are closed. */
function closeOnSignals(close: () => Promise<void>): () => void {
  let _closing: Promise<void> | undefined
  const end = () => {
    _closing ??= close().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  return end
}

function createStopSignal(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** Standard output belongs to the protocol. */
function log(text: string): void {
  process.stderr.write(`${escapeLines(text)}\n`)
}
