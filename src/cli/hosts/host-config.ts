/** Reads and changes the entry of this program in the configuration of a host. */

import { isDeepStrictEqual } from 'node:util'
import { invalid, type ScriptoriumError } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { type ConfigFormat, ConfigLayoutError, ConfigSyntaxError } from '../../hosts/config-format.ts'
import { FORMATS } from '../../hosts/example-config.ts'
import { SERVER_NAME, type ServerCommand } from '../../hosts/host-entry.ts'
import type { HostSystem } from '../../hosts/host-folders.ts'
import type { HostId } from '../../hosts/host-ids.ts'
import { HOSTS, type Host } from '../../hosts/host-table.ts'

type Entry = Readonly<Record<string, unknown>>

/** A configuration: its host, its path for messages, and its text. */
export interface HostConfig {
  host: Host
  path: string
  text: string
}

/** The path of a host's configuration. @throws VALIDATION_ERROR if it is ambiguous */
export const configPath = (id: HostId, system: HostSystem): string => HOSTS[id].path(system)

/** This program's entry. @throws VALIDATION_ERROR for a text that cannot be parsed or has an unexpected structure */
export function readEntry(config: HostConfig): Entry | undefined {
  const entry = serversOf(config)[SERVER_NAME]
  return isObject(entry) ? entry : undefined
}

/** The command that the host starts; undefined if there is no entry. */
export function readServer(config: HostConfig): ServerCommand | undefined {
  const { [config.host.commandKey]: command, args } = readEntry(config) ?? {}
  return typeof command === 'string' && Array.isArray(args) ? { command, args } : undefined
}

/**
 * Adds the entry to the text. Keys that the user added to the entry are kept. A text that already has the entry is
 * returned unchanged.
 *
 * @throws VALIDATION_ERROR if this is not possible without touching other content
 */
export function addEntry(config: HostConfig, server: ServerCommand): string {
  const { host, text } = config
  const found = readEntry(config)
  const entry = { ...found, ...host.entry(server) }
  if (isDeepStrictEqual(found, entry)) return text
  const added = edit(config, (format) => format.set(text, host.key, SERVER_NAME, entry))
  return verified(config, added, { ...serversOf(config), [SERVER_NAME]: entry })
}

/** Removes the entry from the text. @throws VALIDATION_ERROR if this is not possible without touching other content */
export function removeEntry(config: HostConfig): string {
  const { host, text } = config
  const { [SERVER_NAME]: entry, ...others } = serversOf(config)
  if (entry === undefined) return text
  const removed = edit(config, (format) => format.remove(text, host.key, SERVER_NAME))
  return verified(config, removed, others)
}

function parseConfig({ host, path, text }: HostConfig): Entry {
  const { title } = FORMATS[host.format]
  let value: unknown
  try {
    // Converted to plain objects, so that values of different parsers can be compared.
    value = structuredClone(FORMATS[host.format].parse(text))
  } catch (error) {
    if (error instanceof ConfigLayoutError) throw layoutError(path, error)
    throw syntaxError(path, title, error)
  }
  if (value === undefined) return {}
  if (isObject(value)) return value
  throw invalid(`Expected ${path} to hold names with values, found ${typeName(value)}; correct it, then try again.`)
}

function syntaxError(path: string, title: string, error: unknown): ScriptoriumError {
  const found =
    error instanceof ConfigSyntaxError
      ? `${error.message} at line ${error.line}, column ${error.column}`
      : String(error)
  return invalid(`Expected ${path} to be ${title}, found ${found}; it was left unchanged. Correct it, then try again.`)
}

const layoutError = (path: string, { message }: ConfigLayoutError): ScriptoriumError =>
  invalid(
    `Expected ${path} in a form that can be changed safely, found that ${message}; it was left unchanged. Change it by hand: --print shows the entry.`,
  )

function serversOf(config: HostConfig): Record<string, unknown> {
  const { host, path } = config
  const { [host.key]: servers } = parseConfig(config)
  if (servers === undefined || servers === null) return {}
  if (isObject(servers)) return { ...servers }
  throw invalid(
    `Expected ${host.key} in ${path} to hold servers by name, found ${typeName(servers)}; correct it, then try again.`,
  )
}

function edit({ host, path }: HostConfig, change: (format: ConfigFormat) => string): string {
  try {
    return change(FORMATS[host.format])
  } catch (error) {
    if (error instanceof ConfigLayoutError) throw layoutError(path, error)
    throw error
  }
}

/** Returns a changed text after verifying that it has the expected entry and everything else is unchanged. */
function verified(config: HostConfig, changed: string, servers: Entry): string {
  const { host, path } = config
  const before: Entry = { ...parseConfig(config), [host.key]: servers }
  const after = parseChanged(config, changed)
  if (after !== undefined && isDeepStrictEqual(withoutEmpty(after, host.key), withoutEmpty(before, host.key))) {
    return changed
  }
  throw layoutError(path, new ConfigLayoutError('a change to it would change more than this entry'))
}

function parseChanged(config: HostConfig, text: string): Entry | undefined {
  try {
    return parseConfig({ ...config, text })
  } catch {
    return undefined
  }
}

/** Treats an empty table, a missing value and an absent key the same. */
function withoutEmpty(root: Entry, key: string): Entry {
  const { [key]: servers, ...others } = root
  const isEmpty = servers === undefined || servers === null || Object.keys(servers).length === 0
  return isEmpty ? others : root
}

const typeName = (value: unknown): string => (Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value)
