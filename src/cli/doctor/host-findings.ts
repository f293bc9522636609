/** Finds the hosts of this user that open the space, from the hosts' configurations. Only reads, and never fails. */

import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { realPath } from '../../../storage/sqlite/real-path.ts'
import { messageOf } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { SERVER_NAME, type ServerCommand } from '../../hosts/host-entry.ts'
import { currentSystem, type HostSystem } from '../../hosts/host-folders.ts'
import { HOST_IDS, type HostId } from '../../hosts/host-ids.ts'
import { HOSTS } from '../../hosts/host-table.ts'
import { describeUnknownVariables } from '../flag-values.ts'
import { readConfigFile } from '../hosts/config-file.ts'
import { configPath, type HostConfig, readEntry, readServer } from '../hosts/host-config.ts'
import { type Options, parseOptions } from '../options.ts'
import type { Finding } from './findings.ts'

/** The context that determines which space a host's entry opens. */
export interface HostContext {
  system: HostSystem
  /** The space of an entry without one. */
  defaultSpace: string
}

export const currentHosts = (defaultSpace: string): HostContext => ({ system: currentSystem(), defaultSpace })

/**
 * Returns a line per host with an entry or an unreadable configuration. If no host opens the space, adds the command
 * that installs one. None of these counts as a fault.
 *
 * @param file  the space, with symbolic links resolved
 */
export function findHosts(file: string, context: HostContext): Finding[] {
  const found = HOST_IDS.map((id) => findHost(id, file, context))
  const findings = found.flatMap(({ finding }) => finding ?? [])
  if (found.some(({ isConnected }) => isConnected)) return findings
  const flags = file === realPath(context.defaultSpace) ? '' : ` --space ${/\s/.test(file) ? `"${file}"` : file}`
  const none = `none opens this space; scriptorium install HOST${flags} adds it (${HOST_IDS.join(', ')})`
  return [...findings, { what: 'Hosts', found: none }]
}

interface HostFinding {
  finding?: Finding
  /** True if the host opens this space. */
  isConnected: boolean
}

function findHost(id: HostId, file: string, { system, defaultSpace }: HostContext): HostFinding {
  const host = HOSTS[id]
  const line = (text: string, advice?: string): Finding => ({
    what: 'Host',
    found: `${host.title} ${text}`,
    ...(advice !== undefined && { advice }),
  })
  try {
    const path = configPath(id, system)
    const config: HostConfig = { host, path, text: readConfigFile(path).text }
    const entry = readEntry(config)
    if (entry === undefined) return { isConnected: false }
    const server = readServer(config)
    if (server === undefined) {
      return { finding: line(`has an entry ${SERVER_NAME} that starts no program (${path})`), isConnected: false }
    }
    const variables = environmentOf(entry)
    const options = serverOptions(server, variables)
    const space = options.space ?? defaultSpace
    const isConnected = realPath(space) === file
    const missing = [server.command, ...server.args.slice(0, 1)].find((name) => isAbsolute(name) && !existsSync(name))
    const opens = isConnected ? `opens this space: ${connectionText(options)}` : `opens another space: ${space}`
    const state = isTurnedOff(entry) ? ', but is turned off there' : ''
    const advice = [
      missing && `It cannot start ${missing}, which is not there: run scriptorium install ${id} again.`,
      describeUnknownVariables(variables),
    ].filter((one) => one !== undefined)
    return { finding: line(`${opens}${state} (${path})`, advice.join(' ') || undefined), isConnected }
  } catch (error) {
    const reason = messageOf(error)
    return { finding: line(`was not looked at: ${reason}`), isConnected: false }
  }
}

/**
 * Parses the arguments of an entry as the program would. They may be preceded by the start file, the program's name,
 * and the names of launchers.
 *
 * @throws VALIDATION_ERROR for flags that the program would reject
 */
function serverOptions({ args }: ServerCommand, env: NodeJS.ProcessEnv): Options {
  const command = args.indexOf('stdio')
  const program = args.findLastIndex((name) => /(?:^|[\\/])(?:scriptorium|start\.js)$/.test(name))
  const flags = args.slice(Math.max(command, program) + 1)
  return parseOptions(['stdio', ...flags], env)
}

/** Hosts use one of these names. */
function environmentOf({ env, envs }: Readonly<Record<string, unknown>>): NodeJS.ProcessEnv {
  const given = env ?? envs
  return typeof given === 'object' && given !== null ? { ...given } : {}
}

function connectionText({ kind, access, tools = 'all', documents, files }: Options): string {
  return [
    kind === 'selected' ? `kind selected (${formatCount(documents.length, 'document')})` : `kind ${kind}`,
    `access ${access}`,
    `tools ${tools}`,
    ...(files.length > 0 ? [`files from ${files.join(', ')}`] : []),
  ].join(', ')
}

/** Hosts use one of these names. */
const isTurnedOff = ({ enabled, disabled }: Readonly<Record<string, unknown>>): boolean =>
  enabled === false || disabled === true
