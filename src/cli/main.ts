/** The command line: connects storage, space, endpoints and servers. */

import { isDatabaseAddress } from '../../storage/postgres/address.ts'
import { DiskError, toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { realPath } from '../../storage/sqlite/real-path.ts'
import { inBackground } from '../base/background.ts'
import { escapeForTerminal, escapeLines } from '../base/control-characters.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { setProcessOrigin } from '../base/origin.ts'
import { describeSystemError } from '../base/system-error.ts'
import type { Opening } from '../call/opening-space.ts'
import { type ActingLink, assertToolsExist, localMcpOptions } from '../local/local-server.ts'
import type { OpenSpace } from '../space/open-space.ts'
import {
  defaultSpaceFile,
  existingSpaceFile,
  fileOnly,
  openCommandSpace,
  openExistingSpace,
  openServedSpace,
  spaceFile,
  welcome,
} from './command-space.ts'
import type { Command } from './commands.ts'
import { describeUnknownVariables } from './flag-values.ts'
import { groupHandlers, printResult, withSpace } from './group-commands.ts'
import { helpText, textAbout } from './help-text.ts'
import { type Options, parseOptions } from './options.ts'
import { log, logTo, printOutput } from './printing.ts'
import { closeOnSignals, keepServing } from './serving.ts'
import { terminalOrigin } from './terminal-origin.ts'

/** Exit code for invalid input and unusable files. Prints one sentence and changes nothing. */
const EXIT_INVALID = 2
/** Interval of a timer that only keeps the process running. */
const RUNNING_MS = 60 * 60_000

export async function main(args: readonly string[]): Promise<void> {
  try {
    const text = textAbout(args, process.stdin.isTTY)
    if (text !== undefined) return void process.stdout.write(text)
    setProcessOrigin(terminalOrigin())
    const options = parseOptions(args, process.env)
    const unknown = describeUnknownVariables(process.env)
    if (unknown !== undefined && !options.help) log(escapeForTerminal(unknown))
    if (options.help) process.stdout.write(helpText(args[0]?.startsWith('-') ? undefined : options.command))
    else await COMMAND_HANDLERS[options.command](options)
  } catch (error) {
    const sentence = sentenceOf(error)
    if (sentence === undefined) throw error
    log(escapeForTerminal(sentence), 'error')
    process.exitCode = EXIT_INVALID
  }
}

/** What a person reads about an error; undefined for faults of this program, whose stack is of use. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof ScriptoriumError && !(error instanceof DiskError)) return error.message
  const fault = toDiskError(error)
  return describeSystemError(error) ?? (fault && `${fault.message} (${fault.reason})`)
}

async function holdLink(space: OpenSpace, id: string): Promise<ActingLink> {
  const { HeldLink } = await import('../auth/access-links/held-link.ts')
  return HeldLink.hold(space, id)
}

const COMMAND_HANDLERS: Record<Command, (options: Options) => Promise<void>> = {
  async stdio(options) {
    keepServing(log)
    const served = await openServedSpace(spaceFile(options), options)
    try {
      const { kind, access, documents, tools, answers, files, limitFile: fileLimit } = options
      const chosen = { ...(tools && { tools }), ...(answers && { answers }) }
      const actsWith = options.link === undefined ? undefined : await holdLink(served.space, options.link)
      const connection = { kind, access, documents, files, fileLimit, log, ...chosen, ...(actsWith && { actsWith }) }
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
    logger.info(`Serving at ${origin}; run links list to see the links, or links add to make one.`)
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

  ...groupHandlers,

  async settings(options) {
    const { runSettings } = await import('./settings-command.ts')
    // Without the flags, which say what to change.
    const { name: _, timezone: __, weekStart: ___, dateLanguage: ____, ...others } = options
    const space = await openExistingSpace(others)
    try {
      printResult({ ...(await runSettings(space, options)), isComplete: true }, options)
    } finally {
      await space.close()
    }
  },

  async log(options) {
    const { printLog } = await import('./history/log-command.ts')
    const space = await openCommandSpace(options)
    const { json, follow: follows, since, until, link, limit } = options
    const filter = {
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(link !== undefined && { link }),
      ...(limit !== undefined && { limit }),
    }
    const { signal, abort } = createStopSignal()
    const listing = { json, isTerminal: process.stdout.isTTY, follows, signal, ...filter }
    const printing = printLog(space, listing, (line) => process.stdout.write(`${line}\n`))
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

  async 'log verify'(options) {
    const { runLogVerify } = await import('./history/log-chain-commands.ts')
    const space = await openExistingSpace(options)
    try {
      printResult(await runLogVerify(space, options), options)
    } finally {
      await space.close()
    }
  },

  async 'log head'(options) {
    const { runLogHead } = await import('./history/log-chain-commands.ts')
    await withSpace(options, (space) => runLogHead(space, options))
  },

  async 'log export'(options) {
    const { runLogExport } = await import('./history/log-chain-commands.ts')
    const space = await openExistingSpace(options)
    const { signal, abort } = createStopSignal()
    // The reader may close the pipe, as `head` does.
    process.stdout.once('error', abort)
    try {
      await runLogExport(space, options.since, (line) => process.stdout.write(`${line}\n`), signal)
    } finally {
      await space.close()
    }
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
    printOutput(await runForgetHistory(space, options), options)
  },

  async 'restore-version'(options) {
    const { runRestoreVersion } = await import('./history/history-command.ts')
    await withSpace(options, (space) => runRestoreVersion(space, options.operand, options))
  },

  async import(options) {
    const { loadExportedSpace, runImportCommand } = await import('./import-command.ts')
    const { promptPassphrase } = await import('./access/password-prompt.ts')
    const loaded = await loadExportedSpace(spaceFile(options), options, () => promptPassphrase({ isNew: false }))
    if (loaded !== undefined) return printResult(loaded, options)
    const open = () => openCommandSpace(options)
    await untilStopped(async (signal) =>
      printResult(await runImportCommand(spaceFile(options), open, options, { signal, notify: showProgress }), options),
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
    printOutput(await runEmptyTrash(space, options.before), options)
  },

  async compact(options) {
    fileOnly(options, 'PostgreSQL uses the room of what was deleted again by itself')
    const file = existingSpaceFile(options)
    const { runCompact } = await import('./delete-for-good-commands.ts')
    printOutput(await runCompact(file, !options.noCopy), options)
  },

  async doctor(options) {
    const { runDoctor } = await import('./doctor/doctor-command.ts')
    const { currentHosts } = await import('./doctor/host-findings.ts')
    const hosts = currentHosts(defaultSpaceFile())
    const { sortFolder } = await import('./backup/backup-schedule.ts')
    const { spaces: folder } = options
    const { spaces, others } = folder === undefined ? { spaces: [spaceFile(options)], others: [] } : sortFolder(folder)
    // What is not known as a space may be one that is damaged, which its findings tell.
    const places = [...spaces, ...others]
    const outputs: string[] = []
    for (const place of places) {
      const { output, exitCode } = await runDoctor(isDatabaseAddress(place) ? place : realPath(place), options, hosts)
      outputs.push(output)
      process.exitCode = Math.max(Number(process.exitCode ?? 0), exitCode)
    }
    // Several spaces are one list.
    const isList = folder !== undefined && options.json
    process.stdout.write(isList ? `[${outputs.join(',')}]\n` : outputs.join(''))
  },

  async completion({ operand }) {
    const { completionScript } = await import('./completion/completion.ts')
    process.stdout.write(completionScript(operand))
  },
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
