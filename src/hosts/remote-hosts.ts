/** How hosts connect to an address over HTTP: what to paste, and where. For addresses of links, which need no sign-in. */
import { configWith } from './example-config.ts'
import { SERVER_DESCRIPTION, SERVER_NAME } from './host-entry.ts'
import type { HostSystem } from './host-folders.ts'
import type { HostId } from './host-ids.ts'
import { HOSTS } from './host-table.ts'

/** What to paste, and where, for one host. */
export interface RemoteForm {
  title: string
  /** Where it goes, as a sentence. */
  where: string
  text: string
}

/**
 * Entries of hosts that read an address from their configuration. Claude Desktop takes addresses in its settings, and Claude
 * Code from a command.
 */
const ENTRIES: Readonly<
  Record<Exclude<HostId, 'claude-desktop' | 'claude-code'>, (url: string) => Record<string, unknown>>
> = {
  cursor: (url) => ({ url }),
  vscode: (url) => ({ type: 'http', url }),
  codex: (url) => ({ url }),
  windsurf: (serverUrl) => ({ serverUrl }),
  zed: (url) => ({ url }),
  goose: (uri) => ({
    enabled: true,
    type: 'streamable_http',
    name: SERVER_NAME,
    description: SERVER_DESCRIPTION,
    uri,
    timeout: 300,
  }),
  'gemini-cli': (httpUrl) => ({ httpUrl }),
  'lm-studio': (url) => ({ url }),
}

/** The order in which they are offered. */
const OFFERED = ['cursor', 'vscode', 'codex', 'gemini-cli', 'goose', 'lm-studio', 'windsurf', 'zed'] as const

/** Paths as on Linux, with `~` for the home folder. */
const ANYWHERE: HostSystem = { platform: 'linux', home: '~', env: {}, list: () => [], read: () => undefined }

/** @param url  the MCP address of a link */
export const remoteForms = (url: string): RemoteForm[] => [
  {
    title: 'Claude Desktop and claude.ai',
    where: 'In the settings, under Connectors: Add custom connector, with this address. It must be on the internet.',
    text: url,
  },
  {
    title: 'ChatGPT',
    where:
      'In the settings, under Connectors with the developer mode on: Create, with this address and without authentication. It must be on the internet.',
    text: url,
  },
  {
    title: 'Claude Code',
    where: 'In a terminal, for all of your projects.',
    text: `claude mcp add --scope user --transport http ${SERVER_NAME} ${url}`,
  },
  ...OFFERED.map((id) => ({
    title: HOSTS[id].title,
    where: `In ${HOSTS[id].path(ANYWHERE)}, beside the servers that are there.`,
    text: configWith(HOSTS[id], ENTRIES[id](url)),
  })),
]
