/** The hosts that `install` supports: the location of their configuration, and its format. */

import { SERVER_DESCRIPTION, type ServerCommand } from './host-entry.ts'
import {
  type HostSystem,
  inApplicationData,
  inFolderOf,
  inHome,
  inPackagedData,
  inRoamingData,
  inXdgConfig,
  isAbsolutePath,
  joinPath,
} from './host-folders.ts'
import type { HostId } from './host-ids.ts'

export interface Host {
  /** The official name. */
  title: string
  /** `json` is strict; `jsonc` allows comments and trailing commas. */
  format: 'json' | 'jsonc' | 'toml' | 'yaml'
  /** The user's configuration file. */
  path(system: HostSystem): string
  /** The top-level key that contains servers by name. */
  key: string
  entry(server: ServerCommand): Record<string, unknown>
  /** The key of the program in an entry. Its arguments are `args` everywhere. */
  commandKey: 'command' | 'cmd'
  /** Public documentation of the file's location and the format of entries. */
  sources: { path: string; entry: string }
  /**
   * Where its documentation says that it loads tools when they are needed. A host without it sends the whole list with
   * each request, so `install` selects the essential ones.
   */
  toolSearch?: string
}

const plainEntry = ({ command, args }: ServerCommand) => ({ command, args })
const typedEntry = ({ command, args }: ServerCommand) => ({ type: 'stdio', command, args })
/** Goose shows the description to users, and aborts calls after this many seconds. */
const GOOSE_TIMEOUT = 300
const gooseEntry = ({ command, args }: ServerCommand) => ({
  enabled: true,
  type: 'stdio',
  name: 'scriptorium',
  description: SERVER_DESCRIPTION,
  cmd: command,
  args,
  timeout: GOOSE_TIMEOUT,
})

export const HOSTS: Readonly<Record<HostId, Host>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    path: (system) => inPackagedData(system, 'Claude_', 'Claude', 'claude_desktop_config.json'),
    key: 'mcpServers',
    entry: plainEntry,
    commandKey: 'command',
    sources: {
      path: 'https://github.com/anthropics/claude-code/issues/25579',
      entry: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
    },
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    path: (system) => inFolderOf(system, 'CLAUDE_CONFIG_DIR', system.home, '.claude.json'),
    key: 'mcpServers',
    entry: typedEntry,
    commandKey: 'command',
    sources: {
      path: 'https://github.com/anthropics/claude-code/issues/48448',
      entry: 'https://code.claude.com/docs/en/mcp',
    },
    toolSearch: 'https://code.claude.com/docs/en/mcp#scale-with-mcp-tool-search',
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    path: (system) => inHome(system, '.cursor', 'mcp.json'),
    key: 'mcpServers',
    entry: plainEntry,
    commandKey: 'command',
    sources: { path: 'https://cursor.com/docs/mcp', entry: 'https://cursor.com/docs/mcp' },
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    path: vscodePath,
    key: 'servers',
    entry: typedEntry,
    commandKey: 'command',
    sources: {
      path: 'https://github.com/microsoft/vscode/blob/main/src/vs/platform/environment/node/userDataPath.ts',
      entry: 'https://code.visualstudio.com/docs/agents/reference/mcp-configuration',
    },
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    path: (system) => inFolderOf(system, 'CODEX_HOME', inHome(system, '.codex'), 'config.toml'),
    key: 'mcp_servers',
    entry: plainEntry,
    commandKey: 'command',
    sources: {
      path: 'https://github.com/openai/codex/blob/main/codex-rs/utils/home-dir/src/lib.rs',
      entry: 'https://developers.openai.com/codex/mcp',
    },
  },
  windsurf: {
    title: 'Windsurf',
    format: 'jsonc',
    path: (system) => inHome(system, '.codeium', 'windsurf', 'mcp_config.json'),
    key: 'mcpServers',
    entry: plainEntry,
    commandKey: 'command',
    sources: {
      path: 'https://docs.windsurf.com/windsurf/cascade/mcp',
      entry: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    },
  },
  zed: {
    title: 'Zed',
    format: 'jsonc',
    path: zedPath,
    key: 'context_servers',
    entry: plainEntry,
    commandKey: 'command',
    sources: {
      path: 'https://github.com/zed-industries/zed/blob/main/crates/paths/src/paths.rs',
      entry: 'https://zed.dev/docs/ai/mcp',
    },
  },
  goose: {
    title: 'Goose',
    format: 'yaml',
    path: goosePath,
    key: 'extensions',
    entry: gooseEntry,
    commandKey: 'cmd',
    sources: {
      path: 'https://github.com/block/goose/blob/main/crates/goose/src/config/paths.rs',
      entry: 'https://block.github.io/goose/docs/guides/config-files',
    },
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    format: 'jsonc',
    path: (system) => inFolderOf(system, 'GEMINI_CLI_HOME', system.home, '.gemini', 'settings.json'),
    key: 'mcpServers',
    entry: plainEntry,
    commandKey: 'command',
    sources: {
      path: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md',
      entry: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
    },
  },
  'lm-studio': {
    title: 'LM Studio',
    format: 'jsonc',
    path: lmStudioPath,
    key: 'mcpServers',
    entry: plainEntry,
    commandKey: 'command',
    sources: {
      path: 'https://github.com/lmstudio-ai/lmstudio-js/blob/main/packages/lms-common-server/src/findLMStudioHome.ts',
      entry: 'https://lmstudio.ai/docs/app/mcp',
    },
  },
}

/** The default profile. A portable installation keeps all data in one folder. */
function vscodePath(system: HostSystem): string {
  const { VSCODE_PORTABLE: portable, VSCODE_APPDATA: data } = system.env
  if (portable) return joinPath(system, portable, 'user-data', 'User', 'mcp.json')
  if (data) return joinPath(system, data, 'Code', 'User', 'mcp.json')
  return inApplicationData(system, 'Code', 'User', 'mcp.json')
}

/** Flatpak hides the variable that Zed would read, and passes it under a different name. */
function zedPath(system: HostSystem): string {
  if (system.platform === 'win32') return inRoamingData(system, 'Zed', 'settings.json')
  if (system.platform === 'darwin') return inHome(system, '.config', 'zed', 'settings.json')
  const { FLATPAK_XDG_CONFIG_HOME: flatpak } = system.env
  return flatpak ? joinPath(system, flatpak, 'zed', 'settings.json') : inXdgConfig(system, 'zed', 'settings.json')
}

function goosePath(system: HostSystem): string {
  const { GOOSE_PATH_ROOT: folder = '' } = system.env
  if (isAbsolutePath(system, folder)) return joinPath(system, folder, 'config', 'config.yaml')
  if (system.platform === 'win32') return inRoamingData(system, 'Block', 'goose', 'config', 'config.yaml')
  return inXdgConfig(system, 'goose', 'config.yaml')
}

/** LM Studio records its folder in the home folder. Older installations use the cache folder. */
function lmStudioPath(system: HostSystem): string {
  const noted = system.read(inHome(system, '.lmstudio-home-pointer'))?.trim()
  const hasCache = system.list(inHome(system, '.cache')).includes('lm-studio')
  const usual = hasCache ? inHome(system, '.cache', 'lm-studio') : inHome(system, '.lmstudio')
  return inFolderOf(system, 'LMSTUDIO_HOME', noted || usual, 'mcp.json')
}
