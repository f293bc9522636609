/** The command line: connects storage, space, endpoints and servers. */

import program from '../../package.json' with { type: 'json' }
import { isDatabaseAddress } from '../../storage/postgres/address.ts'
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { realPath } from '../../storage/sqlite/real-path.ts'
import { inBackground } from '../base/background.ts'
import { escapeForTerminal, escapeLines } from '../base/control-characters.ts'
import { ScriptoriumError } from '../base/errors.ts'
import type { Opening } from '../call/opening-space.ts'
import { assertToolsExist, localMcpOptions } from '../local/local-server.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { GroupsAction } from './access/groups-command.ts'
import type { LinksAction } from './access/links-command.ts'
import type { LocksAction } from './access/locks-command.ts'
import type { MembersAction } from './access/members-command.ts'
import type { WebhooksAction } from './access/webhooks-command.ts'
import {
  defaultSpaceFile,
  existingSpaceFile,
  fileOnly,
  openExistingSpace,
  openServedSpace,
  openSpaceWithOptions,
  spaceFile,
  welcome,
} from './command-space.ts'
import { type Command, commandsInGroup } from './commands.ts'
import { describeUnknownVariables } from './flag-values.ts'
import { helpText } from './help-text.ts'
import { type Options, parseOptions } from './options.ts'
import { type CommandResult, formatResult, log, logTo } from './printing.ts'
import type { ProposalsAction } from './proposals-command.ts'
import { closeOnSignals, keepServing } from './serving.ts'
import type { SpacesAction } from './spaces/spaces-command.ts'

/** Exit code for invalid input and unusable files. Prints one sentence and changes nothing. */
const EXIT_INVALID = 2
/** Exit code for partial success (the missing part is printed), and if a person declines. */
const EXIT_INCOMPLETE = 1
/** Interval of a timer that only keeps the process running. */
const RUNNING_MS = 60 * 60_000

export async function main(args: readonly string[]): Promise<void> {
  if (args.length === 1 && args[0] === '--version') {
    process.stdout.write(`${program.version}\n`)
    return
  }
  try {
    const options = parseOptions(args, process.env)
    const unknown = describeUnknownVariables(process.env)
    if (unknown !== undefined && !options.help) log(escapeForTerminal(unknown))
    if (options.help) process.stdout.write(helpText(args[0]?.startsWith('-') ? undefined : options.command))
    else await COMMAND_HANDLERS[options.command](options)
  } catch (error) {
    const fault = error instanceof ScriptoriumError ? undefined : toDiskError(error)
    if (fault !== undefined) log(escapeForTerminal(`${fault.message} (${fault.reason})`), 'error')
    else if (error instanceof ScriptoriumError) log(escapeForTerminal(error.message), 'error')
    else throw error
    process.exitCode = EXIT_INVALID
  }
}

const COMMAND_HANDLERS: Record<Command, (options: Options) => Promise<void>> = {
  async stdio(options) {
    keepServing(log)
    const served = await openServedSpace(spaceFile(options), options)
    try {
      const { kind, access, documents, tools, answers, files, limitFile: fileLimit } = options
      const chosen = { ...(tools && { tools }), ...(answers && { answers }) }
      const connection = { kind, access, documents, files, fileLimit, log, ...chosen }
      const mcpOptions = await localMcpOptions(served, connection)
      const { serveStdioHost } = await import('../mcp/stdio.ts')
      const mcp = mcpOptions()
      let welcoming: Promise<void> | undefined
      const welcomeOnce = () => (welcoming ??= welcome(served.space, options))
      // Endpoints are loaded after the first responses to the host, so that the host does not have to wait.
      const load = () => {
        const loading = mcp.load()
        inBackground('write the welcome document', () => loading.then(welcomeOnce, () => undefined), log)
        return loading
      }
      const views = async () => (await import('../page/pages.ts')).createPages((await mcp.load()).endpoints).views
      const { watchServedPages } = await import('./served-pages.ts')
      const host = serveStdioHost({ ...mcp, load, views, beforeCall: watchServedPages(served.space) })
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
    const { openLogger } = await import('../base/logger.ts')
    const logger = openLogger(options.logLevel)
    const printAgain = logTo(logger)
    keepServing(logger.error)
    const { serveSpaces } = await import('./serve-command.ts')
    const open = async (place: string, progress: Opening, mustExist = false) => {
      const served = await openServedSpace(place, options, mustExist, progress)
      await welcome(served.space, options)
      return served
    }
    // A server that cannot start says why in one sentence, to the person who starts it.
    const { origin, close, reload, opened } = await serveSpaces(options, open, spaceFile(options), logger).catch(
      (error: unknown) => {
        printAgain()
        throw error
      },
    )
    closeOnSignals(close, { reload, note: logger.info })
    logger.info(`Serving at ${origin}; links list tells the links, links add makes one.`)
    await opened.catch(async (error: unknown) => {
      await close()
      printAgain()
      throw error
    })
  },

  async open(options) {
    keepServing(log)
    const { openPages } = await import('./open-command.ts')
    const served = await openServedSpace(spaceFile(options), options)
    try {
      await welcome(served.space, options)
      const { lines, close } = await openPages(served, options, log)
      for (const line of lines) log(line)
      if (close === undefined) await served.close()
      else {
        closeOnSignals(async () => {
          await close()
          await served.close()
        })
      }
    } catch (error) {
      await served.close()
      throw error
    }
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

  ...eachOf('links', runLinksCommand),
  ...eachOf('spaces', runSpacesCommand),
  ...eachOf('webhooks', runWebhooksCommand),
  ...eachOf('participants', runParticipantsCommand),
  ...eachOf('members', runMembersCommand),
  ...eachOf('groups', runGroupsCommand),
  ...eachOf('locks', runLocksCommand),

  async settings(options) {
    const { runSettings } = await import('./settings-command.ts')
    // Without the flags, which say what to change.
    const { name: _, timezone: __, ...others } = options
    const space = await openExistingSpace(others)
    try {
      printResult({ ...(await runSettings(space, options)), isComplete: true }, options)
    } finally {
      await space.close()
    }
  },

  async log(options) {
    const { printLog } = await import('./history/log-command.ts')
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
    // The reader may close the pipe, as `head` does.
    process.stdout.once('error', end)
    await printing
    if (!signal.aborted) await space.close()
  },

  async history(options) {
    const { runHistory } = await import('./history/history-command.ts')
    await withSpace(options, (space) => runHistory(space, options))
  },

  async undo(options) {
    const { runUndo } = await import('./history/history-command.ts')
    await withSpace(options, (space) => runUndo(space, options))
  },

  async 'history forget'(options) {
    const { runForgetHistory } = await import('./delete-for-good-commands.ts')
    const space = await openExistingSpace(options)
    process.stdout.write(`${formatResult(await runForgetHistory(space, options), options)}\n`)
  },

  async 'restore-version'(options) {
    const { runRestoreVersion } = await import('./history/history-command.ts')
    await withSpace(options, (space) => runRestoreVersion(space, options.operand, options))
  },

  'proposals list': runProposalsCommand,
  'proposals show': runProposalsCommand,
  'proposals approve': runProposalsCommand,
  'proposals reject': runProposalsCommand,

  async import(options) {
    const { loadExportedSpace, runImportCommand } = await import('./import-command.ts')
    const { promptPassphrase } = await import('./access/password-prompt.ts')
    const loaded = await loadExportedSpace(spaceFile(options), options, () => promptPassphrase({ isNew: false }))
    if (loaded !== undefined) return printResult(loaded, options)
    await untilStopped((signal) =>
      withSpace(options, async (space) => {
        const done = await runImportCommand(space, options, { signal, notify: showProgress })
        if (!done.isComplete) process.exitCode = EXIT_INCOMPLETE
        return done
      }),
    )
  },

  async export(options) {
    const { runExportCommand, runExportWatch } = await import('./export-command.ts')
    const space = await openExistingSpace(options)
    await untilStopped(async (signal) => {
      if (options.watch) {
        // A watch alone does not keep the process running.
        const running = setInterval(() => {}, RUNNING_MS)
        const print = (lines: string[]) => process.stdout.write(`${escapeLines(lines.join('\n'))}\n`)
        return runExportWatch(space, options, signal, print).finally(() => clearInterval(running))
      }
      const { promptPassphrase } = await import('./access/password-prompt.ts')
      printResult(await runExportCommand(space, options, () => promptPassphrase({ isNew: true }), signal), options)
    }).finally(() => space.close())
  },

  async backup(options) {
    const { runBackup } = await import('./backup/backup-command.ts')
    const file = fileOnly(
      options,
      'back the database up with pg_dump, or write the space out with export --as json --passphrase',
    )
    printResult(await runBackup(file, options, Date.now()), options)
  },

  async restore(options) {
    const { runRestore } = await import('./backup/restore-command.ts')
    const file = fileOnly(options, 'restore the database with its own programs, such as pg_restore')
    printResult(await runRestore(file, options, Date.now()), options)
  },

  async 'trash empty'(options) {
    const { runEmptyTrash } = await import('./delete-for-good-commands.ts')
    const space = await openExistingSpace(options)
    process.stdout.write(`${formatResult(await runEmptyTrash(space, options.before), options)}\n`)
  },

  async compact(options) {
    fileOnly(options, 'PostgreSQL uses the room of what was deleted again by itself')
    const file = existingSpaceFile(options)
    const { runCompact } = await import('./delete-for-good-commands.ts')
    const done = await runCompact(file, !options.noCopy)
    process.stdout.write(`${formatResult(done, options)}\n`)
  },

  async doctor(options) {
    const { runDoctor } = await import('./doctor/doctor-command.ts')
    const { currentHosts } = await import('./doctor/host-findings.ts')
    const hosts = currentHosts(defaultSpaceFile())
    const place = spaceFile(options)
    const { output, exitCode } = await runDoctor(isDatabaseAddress(place) ? place : realPath(place), options, hosts)
    process.stdout.write(output)
    process.exitCode = exitCode
  },

  async completion({ operand }) {
    const { completionScript } = await import('./completion/completion.ts')
    process.stdout.write(completionScript(operand))
  },
}

/** One handler for all commands of a group, such as the three of `participants`. */
function eachOf<Group extends string>(group: Group, run: (options: Options) => Promise<void>) {
  const handlers = commandsInGroup(group).map((command) => [command, run])
  return Object.fromEntries(handlers) as { [One in Extract<Command, `${Group} ${string}`>]: typeof run }
}

function printResult(done: CommandResult & { isComplete: boolean }, options: Options): void {
  process.stdout.write(`${formatResult(done, options)}\n`)
  if (!done.isComplete) process.exitCode = EXIT_INCOMPLETE
}

async function runLinksCommand(options: Options): Promise<void> {
  const { runLinks } = await import('./access/links-command.ts')
  await withSpace(options, (space) => runLinks(space, subcommandOf(options) as LinksAction, options))
}

async function runSpacesCommand(options: Options): Promise<void> {
  const { runSpaces } = await import('./spaces/spaces-command.ts')
  const add = async (place: string): Promise<boolean> => {
    const space = await openSpaceWithOptions(place, options)
    try {
      await welcome(space, options)
      return space.isNew
    } finally {
      await space.close()
    }
  }
  printResult(await runSpaces(subcommandOf(options) as SpacesAction, options, add), options)
}

async function runWebhooksCommand(options: Options): Promise<void> {
  const { runWebhooks } = await import('./access/webhooks-command.ts')
  const space = await openSpaceWithOptions(spaceFile(options), options)
  try {
    await welcome(space, options)
    printResult(await runWebhooks(space, subcommandOf(options) as WebhooksAction, options), options)
  } finally {
    await space.close()
  }
}

async function runParticipantsCommand(options: Options): Promise<void> {
  const { runParticipants } = await import('./access/participants-command.ts')
  const { memberFields } = await import('./access/members-command.ts')
  const { workDecision } = await import('./access/links-command.ts')
  const { promptPassword } = await import('./access/password-prompt.ts')
  const action = subcommandOf(options) as 'add' | 'list' | 'remove'
  const { operand, oauthIssuer: issuer, subject } = options
  const identity = issuer === undefined || subject === undefined ? undefined : { issuer, subject }
  const password = options.password && action === 'add' ? await promptPassword(operand) : undefined
  const change = {
    identity,
    password,
    onlyPassword: options.password,
    decision: workDecision(options),
    ...memberFields(options),
  }
  await withSpace(options, (space) => runParticipants(space, action, operand, change))
}

async function runMembersCommand(options: Options): Promise<void> {
  const { runMembers } = await import('./access/members-command.ts')
  await withSpace(options, (space) => runMembers(space, subcommandOf(options) as MembersAction, options))
}

async function runGroupsCommand(options: Options): Promise<void> {
  const { runGroups } = await import('./access/groups-command.ts')
  await withSpace(options, (space) => runGroups(space, subcommandOf(options) as GroupsAction, options))
}

async function runLocksCommand(options: Options): Promise<void> {
  const { runLocks } = await import('./access/locks-command.ts')
  await withSpace(options, (space) => runLocks(space, subcommandOf(options) as LocksAction, options))
}

async function runProposalsCommand(options: Options): Promise<void> {
  const { runProposals } = await import('./proposals-command.ts')
  await withSpace(options, async (space) => {
    const done = await runProposals(space, subcommandOf(options) as ProposalsAction, options.operand, options)
    if (!done.isComplete) process.exitCode = EXIT_INCOMPLETE
    return done
  })
}

/** The second word of a command. */
const subcommandOf = ({ command }: Options): string => command.split(' ')[1] ?? ''

/** Opens the space for one operation, and prints its result. */
async function withSpace(options: Options, work: (space: OpenSpace) => Promise<CommandResult>): Promise<void> {
  const space = await openSpaceWithOptions(spaceFile(options), options)
  try {
    await welcome(space, options)
    process.stdout.write(`${formatResult(await work(space), options)}\n`)
  } finally {
    await space.close()
  }
}

/** Runs a command that may be stopped, by Ctrl C or by an operating system that shuts down, and then ends by itself. */
async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { signal, abort } = createStopSignal()
  for (const name of STOPPING) process.once(name, abort)
  try {
    await work(signal)
  } finally {
    for (const name of STOPPING) process.off(name, abort)
  }
}

const STOPPING = ['SIGINT', 'SIGTERM'] as const

function createStopSignal(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** Shows the progress of a long command on one line of the terminal. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${escapeForTerminal(text)}`)
}
