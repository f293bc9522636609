/** Configurations of hosts with one entry, as they are printed and shown. */
import type { ConfigFormat } from './config-format.ts'
import { SERVER_NAME, type ServerCommand } from './host-entry.ts'
import type { Host } from './host-table.ts'
import { jsonFormat } from './json-config.ts'
import { tomlFormat } from './toml-config.ts'
import { yamlFormat } from './yaml-config.ts'

export const FORMATS: Readonly<Record<Host['format'], ConfigFormat>> = {
  json: jsonFormat(true),
  jsonc: jsonFormat(false),
  toml: tomlFormat,
  yaml: yamlFormat,
}

/** A configuration with only this entry, as an example. */
export const exampleConfig = (host: Host, server: ServerCommand): string => configWith(host, host.entry(server))

/** @param entry  as the host's documentation has it */
export const configWith = ({ format, key }: Pick<Host, 'format' | 'key'>, entry: Record<string, unknown>): string =>
  FORMATS[format].set('', key, SERVER_NAME, entry)
