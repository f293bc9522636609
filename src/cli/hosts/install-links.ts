/** Links that ask a host to add this server with one click, instead of editing its configuration. */
import { SERVER_NAME, type ServerCommand } from '../../hosts/host-entry.ts'
import type { HostId } from '../../hosts/host-ids.ts'
import { HOSTS } from '../../hosts/host-table.ts'

type LinkedHost = Extract<HostId, 'cursor' | 'vscode' | 'goose' | 'lm-studio'>

/** A link in the host's own scheme, and an HTTPS link that redirects to it, for pages that only allow HTTPS. */
export interface InstallLink {
  url: string
  web?: string
}

const LINKS: Readonly<Record<LinkedHost, (server: ServerCommand) => InstallLink>> = {
  /** https://cursor.com/docs/mcp/install-links */
  cursor(server) {
    const query = configQuery(HOSTS.cursor.entry(server))
    return {
      url: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
      web: `https://cursor.com/en/install-mcp?${query}`,
    }
  },
  /** https://code.visualstudio.com/api/extension-guides/ai/mcp */
  vscode(server) {
    const config = JSON.stringify({ name: SERVER_NAME, ...HOSTS.vscode.entry(server) })
    const url = `vscode:mcp/install?${encodeURIComponent(config)}`
    return { url, web: `https://vscode.dev/redirect?url=${encodeURIComponent(url)}` }
  },
  /** https://block.github.io/goose/deeplink-generator */
  goose({ command, args }) {
    const { description, timeout } = HOSTS.goose.entry({ command, args })
    const query = [
      ['cmd', command],
      ...args.map((arg) => ['arg', arg]),
      ['id', SERVER_NAME],
      ['name', SERVER_NAME],
      ['description', String(description)],
      ['timeout', String(timeout)],
    ]
    return {
      url: `goose://extension?${query.map(([key, value = '']) => `${key}=${encodeURIComponent(value)}`).join('&')}`,
    }
  },
  /** https://lmstudio.ai/docs/app/mcp/deeplink */
  'lm-studio'(server) {
    const query = configQuery(HOSTS['lm-studio'].entry(server))
    return { url: `lmstudio://add_mcp?${query}`, web: `https://lmstudio.ai/install-mcp?${query}` }
  },
}

export const LINKED_HOSTS = Object.keys(LINKS) as LinkedHost[]

const configQuery = (entry: Readonly<Record<string, unknown>>): string =>
  `name=${SERVER_NAME}&config=${encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'))}`

export const installLink = (host: LinkedHost, server: ServerCommand): InstallLink => LINKS[host](server)

/**
 * The server command for links on web pages, which do not know the path of the program: its name, found in the PATH.
 *
 * Goose only accepts a few commands in links. `npx --no` is one of them; it starts an installed program without
 * installing anything.
 */
export const linkedServer = (host: LinkedHost): ServerCommand =>
  host === 'goose'
    ? { command: 'npx', args: ['--no', 'scriptorium', 'stdio'] }
    : { command: 'scriptorium', args: ['stdio'] }
