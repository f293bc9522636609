/**
 * `scriptorium install HOST` and `scriptorium uninstall HOST`: adds and removes this program's entry in a host's
 * configuration.
 */
import { existsSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { isDatabaseAddress, parseAddress } from '../../../storage/postgres/address.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest-name.ts'
import { exampleConfig } from '../../hosts/example-config.ts'
import type { ServerCommand } from '../../hosts/host-entry.ts'
import { currentSystem, type HostSystem } from '../../hosts/host-folders.ts'
import { HOST_IDS, type HostId } from '../../hosts/host-ids.ts'
import { HOSTS, type Host } from '../../hosts/host-table.ts'
import { askOnTerminal } from '../ask-on-terminal.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'
import { type ConfigFile, readConfigFile, readCopy, restoreConfigFile, writeConfigFile } from './config-file.ts'
import { addEntry, configPath, type HostConfig, readEntry, readServer, removeEntry } from './host-config.ts'
import { currentLaunch, type Launch, serverCommand } from './server-command.ts'
import { type StartedEntry, startedLine, startOnce } from './start-once.ts'

/** External context: the machine, what started this program, and the person at the terminal. */
export interface InstallContext {
  system: HostSystem
  launch: Launch
  /** Asks for confirmation after showing these lines. @throws VALIDATION_ERROR if there is no one to ask */
  confirm(lines: readonly string[]): Promise<boolean>
  /** Starts an entry once. @throws VALIDATION_ERROR if it cannot start */
  startOnce(server: ServerCommand): Promise<StartedEntry>
}

export type InstallResult = CommandResult & { isComplete: boolean }

type InstallOptions = Pick<
  Options,
  | 'operand'
  | 'hostConfig'
  | 'print'
  | 'yes'
  | 'kind'
  | 'access'
  | 'documents'
  | 'link'
  | 'tools'
  | 'answers'
  | 'files'
  | 'name'
  | 'timezone'
  | 'editorUrl'
  | 'fonts'
  | 'filesBucket'
>

export const currentContext = (): InstallContext => ({
  system: currentSystem(),
  launch: currentLaunch(),
  confirm: confirmOnTerminal,
  startOnce,
})

/** @param space  path of the file, which need not exist yet */
export async function runInstall(
  options: InstallOptions,
  space: string,
  context: InstallContext = currentContext(),
): Promise<InstallResult> {
  const id = parseHost(options.operand)
  const host = HOSTS[id]
  const tools = options.tools ?? (host.toolSearch === undefined ? 'essential' : undefined)
  const server = serverCommand(context.launch, serverFlags({ ...options, ...(tools && { tools }) }, space))
  const path = hostPath(id, options, context)
  if (options.print) return printed(host, path, server)
  const file = readConfigFile(path)
  const config: HostConfig = { host, path, text: file.text }
  const text = addEntry(config, server)
  if (text === file.text) {
    return result(path, false, [`${host.title} has Scriptorium in this way already; ${path} was left unchanged.`])
  }
  if (!(await isConfirmed(options, context, file, text))) return declined(path)
  // Once it is wanted, since a space that does not exist yet is made.
  const isNew = !isDatabaseAddress(space) && !existsSync(space)
  const started = await context.startOnce(server)
  const copy = writeConfigFile(file, text)
  const kept = copy === undefined ? `${path} is new.` : `${path} was changed; what it held before is in ${copy}.`
  return result(path, true, [
    `Added Scriptorium to ${host.title}, with the space ${isDatabaseAddress(space) ? parseAddress(space).shown : space}. Restart ${host.title} to use it.`,
    startedLine(started, isNew),
    kept,
    ...(tools === options.tools ? [] : [fewTools(host)]),
    ...keptSettings(options, space),
  ])
}

const fewTools = ({ title }: Host): string =>
  `${title} sends the list of tools with each request, so it gets the essential ones; install with --tools all for all of them.`

/** Says that the flags for a new space do not change an existing one. */
function keptSettings({ name, timezone }: InstallOptions, space: string): string[] {
  if (name === undefined && timezone === undefined) return []
  if (!isDatabaseAddress(space) && !existsSync(space)) return []
  return [
    'A space that exists keeps its name and its time zone; scriptorium settings shows them, and changes them with --name and --timezone.',
  ]
}

export async function runUninstall(
  options: InstallOptions,
  context: InstallContext = currentContext(),
): Promise<InstallResult> {
  const id = parseHost(options.operand)
  const host = HOSTS[id]
  const path = hostPath(id, options, context)
  const file = readConfigFile(path)
  const config: HostConfig = { host, path, text: file.text }
  const text = removeEntry(config)
  if (text === file.text) return result(path, false, [`${path} has no entry of Scriptorium; it was left unchanged.`])
  const original = originalOf(config, file)
  const after = original?.text ?? text
  if (options.print) return result(path, false, [path, '', ...changedLines(file.text, after)])
  if (!(await isConfirmed(options, context, file, after))) return declined(path)
  const done = `Removed Scriptorium from ${host.title}. Restart ${host.title} to stop it there.`
  if (original === undefined) {
    const copy = writeConfigFile(file, text)
    return result(path, true, [done, `${path} was changed; what it held before is in ${copy}.`])
  }
  restoreConfigFile(file, original.copy)
  const isRemoved = original.copy === undefined
  return result(path, true, [
    done,
    `${path} ${isRemoved ? 'held nothing else and was removed' : 'is as it was before'}.`,
  ])
}

/**
 * The content before the entry was added, if nothing else has changed since: the saved copy plus the entry must equal
 * the file. If the file did not exist before, it is removed.
 */
function originalOf(config: HostConfig, file: ConfigFile): { text: string; copy?: ConfigFile } | undefined {
  const server = readServer(config)
  if (server === undefined) return undefined
  try {
    const copy = readCopy(file)
    const before: HostConfig = { ...config, text: copy?.text ?? '' }
    if (readEntry(before) !== undefined || addEntry(before, server) !== file.text) return undefined
    return copy === undefined ? { text: '' } : { text: copy.text, copy }
  } catch (error) {
    // An unusable copy is ignored.
    if (error instanceof ScriptoriumError) return undefined
    throw error
  }
}

function hostPath(id: HostId, { hostConfig }: InstallOptions, { system }: InstallContext): string {
  return hostConfig === undefined ? configPath(id, system) : resolve(hostConfig)
}

function parseHost(name: string): HostId {
  const found = HOST_IDS.find((id) => id === name)
  if (found !== undefined) return found
  const next = didYouMean(name, HOST_IDS, 'name one of these.')
  throw invalid(`Expected a host (${HOST_IDS.join(', ')}), found ${name}; ${next}`)
}

/**
 * The flags for `stdio` that correspond to this command's, independent of the host's working folder and environment.
 */
function serverFlags(options: InstallOptions, space: string): string[] {
  const { kind, access, documents, link, tools, answers, files, name, timezone, editorUrl, fonts, filesBucket } =
    options
  const values: Readonly<Record<string, string | undefined>> = {
    space: space === ':memory:' || isDatabaseAddress(space) ? space : resolve(space),
    kind: kind === 'full' ? undefined : kind,
    access: access === 'full' ? undefined : access,
    documents: documents.join(',') || undefined,
    link,
    tools,
    answers,
    files: files.map((folder) => resolve(folder)).join(delimiter) || undefined,
    name,
    timezone,
    'editor-url': editorUrl,
    fonts,
    'files-bucket': filesBucket,
  }
  return Object.entries(values).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, value]))
}

function printed(host: Host, path: string, server: ServerCommand): InstallResult {
  const example = exampleConfig(host, server)
  const value = { path, entry: host.entry(server) }
  return { value, lines: [path, '', ...example.trimEnd().split('\n')].map((line) => [line]), isComplete: true }
}

const result = (path: string, isChanged: boolean, lines: readonly string[]): InstallResult => ({
  value: { path, changed: isChanged },
  lines: lines.map((line) => [line]),
  isComplete: true,
})

const declined = (path: string): InstallResult => ({
  ...result(path, false, ['Nothing was changed.']),
  isComplete: false,
})

async function isConfirmed(
  { yes }: InstallOptions,
  { confirm }: InstallContext,
  file: ConfigFile,
  after: string,
): Promise<boolean> {
  if (yes) return true
  const what = file.bytes === undefined ? `${file.path} will be made:` : `${file.path} will be changed:`
  return confirm([what, '', ...changedLines(file.text, after), ''])
}

/** The lines in which two texts differ, with `+` and `-` signs and without common context. */
function changedLines(before: string, after: string): string[] {
  const old = linesOf(before)
  const now = linesOf(after)
  const shortest = Math.min(old.length, now.length)
  let start = 0
  while (start < shortest && old[start] === now[start]) start++
  let end = 0
  while (end < shortest - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++
  const removed = old.slice(start, old.length - end).map((line) => `- ${line}`)
  const added = now.slice(start, now.length - end).map((line) => `+ ${line}`)
  return [...removed, ...added]
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

const confirmOnTerminal = (lines: readonly string[]): Promise<boolean> =>
  askOnTerminal(lines, 'Change it?', 'Look with --print, then add --yes.')
