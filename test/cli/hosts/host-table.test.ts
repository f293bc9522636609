/** Where hosts have their configuration, on each system and with the variables that they respect. */
import { describe, expect, test } from 'vitest'
import { helpText } from '../../../src/cli/help-text.ts'
import { configPath } from '../../../src/cli/hosts/host-config.ts'
import type { HostSystem } from '../../../src/hosts/host-folders.ts'
import { HOST_IDS, type HostId } from '../../../src/hosts/host-ids.ts'
import { HOSTS } from '../../../src/hosts/host-table.ts'

const HOMES = { linux: '/home/u', darwin: '/Users/u', win32: 'C:\\Users\\u' } as const
type Platform = keyof typeof HOMES

const systemOf = (platform: Platform, env: NodeJS.ProcessEnv = {}, files: Record<string, string> = {}): HostSystem => ({
  platform,
  home: HOMES[platform],
  env,
  list: (folder) => files[folder]?.split('\n') ?? [],
  read: (file) => files[file],
})

/** Paths on Linux, macOS and Windows without variables. */
const PATHS: Readonly<Record<HostId, readonly [linux: string, darwin: string, win32: string]>> = {
  'claude-desktop': [
    '/home/u/.config/Claude/claude_desktop_config.json',
    '/Users/u/Library/Application Support/Claude/claude_desktop_config.json',
    'C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  ],
  'claude-code': ['/home/u/.claude.json', '/Users/u/.claude.json', 'C:\\Users\\u\\.claude.json'],
  cursor: ['/home/u/.cursor/mcp.json', '/Users/u/.cursor/mcp.json', 'C:\\Users\\u\\.cursor\\mcp.json'],
  vscode: [
    '/home/u/.config/Code/User/mcp.json',
    '/Users/u/Library/Application Support/Code/User/mcp.json',
    'C:\\Users\\u\\AppData\\Roaming\\Code\\User\\mcp.json',
  ],
  codex: ['/home/u/.codex/config.toml', '/Users/u/.codex/config.toml', 'C:\\Users\\u\\.codex\\config.toml'],
  windsurf: [
    '/home/u/.codeium/windsurf/mcp_config.json',
    '/Users/u/.codeium/windsurf/mcp_config.json',
    'C:\\Users\\u\\.codeium\\windsurf\\mcp_config.json',
  ],
  zed: [
    '/home/u/.config/zed/settings.json',
    '/Users/u/.config/zed/settings.json',
    'C:\\Users\\u\\AppData\\Roaming\\Zed\\settings.json',
  ],
  goose: [
    '/home/u/.config/goose/config.yaml',
    '/Users/u/.config/goose/config.yaml',
    'C:\\Users\\u\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
  ],
  'gemini-cli': [
    '/home/u/.gemini/settings.json',
    '/Users/u/.gemini/settings.json',
    'C:\\Users\\u\\.gemini\\settings.json',
  ],
  'lm-studio': ['/home/u/.lmstudio/mcp.json', '/Users/u/.lmstudio/mcp.json', 'C:\\Users\\u\\.lmstudio\\mcp.json'],
}

test.each(HOST_IDS)('%s on each system', (id) => {
  const found = (['linux', 'darwin', 'win32'] as const).map((platform) => configPath(id, systemOf(platform)))
  expect(found).toEqual(PATHS[id])
})

describe('variables', () => {
  const cases: [HostId, Platform, NodeJS.ProcessEnv, string][] = [
    ['claude-desktop', 'linux', { XDG_CONFIG_HOME: '/x' }, '/x/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'win32', { APPDATA: 'D:\\r' }, 'D:\\r\\Claude\\claude_desktop_config.json'],
    ['claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
    ['claude-code', 'linux', { CLAUDE_CONFIG_DIR: '' }, '/home/u/.claude.json'],
    ['vscode', 'linux', { XDG_CONFIG_HOME: '/x' }, '/x/Code/User/mcp.json'],
    ['vscode', 'darwin', { XDG_CONFIG_HOME: '/x' }, '/Users/u/Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'win32', { APPDATA: 'D:\\r' }, 'D:\\r\\Code\\User\\mcp.json'],
    ['vscode', 'linux', { VSCODE_APPDATA: '/d' }, '/d/Code/User/mcp.json'],
    ['vscode', 'linux', { VSCODE_PORTABLE: '/p', VSCODE_APPDATA: '/d' }, '/p/user-data/User/mcp.json'],
    ['codex', 'linux', { CODEX_HOME: '/c' }, '/c/config.toml'],
    ['zed', 'linux', { XDG_CONFIG_HOME: '/x' }, '/x/zed/settings.json'],
    ['zed', 'linux', { XDG_CONFIG_HOME: '/x', FLATPAK_XDG_CONFIG_HOME: '/f' }, '/f/zed/settings.json'],
    ['zed', 'darwin', { XDG_CONFIG_HOME: '/x' }, '/Users/u/.config/zed/settings.json'],
    ['zed', 'win32', { APPDATA: 'D:\\r' }, 'D:\\r\\Zed\\settings.json'],
    ['goose', 'darwin', { XDG_CONFIG_HOME: '/x' }, '/x/goose/config.yaml'],
    ['goose', 'linux', { XDG_CONFIG_HOME: 'relative' }, '/home/u/.config/goose/config.yaml'],
    ['goose', 'linux', { GOOSE_PATH_ROOT: '/g' }, '/g/config/config.yaml'],
    ['goose', 'linux', { GOOSE_PATH_ROOT: 'relative' }, '/home/u/.config/goose/config.yaml'],
    ['goose', 'win32', { APPDATA: 'D:\\r' }, 'D:\\r\\Block\\goose\\config\\config.yaml'],
    ['gemini-cli', 'linux', { GEMINI_CLI_HOME: '/g' }, '/g/.gemini/settings.json'],
    ['lm-studio', 'linux', { LMSTUDIO_HOME: '/l' }, '/l/mcp.json'],
  ]
  test.each(cases)('%s on %s with %j', (id, platform, env, path) => {
    expect(configPath(id, systemOf(platform, env))).toBe(path)
  })
})

describe('Claude Desktop as an MSIX package', () => {
  const packages = 'D:\\l\\Packages'
  const withPackages = (names: string) => systemOf('win32', { LOCALAPPDATA: 'D:\\l' }, { [packages]: names })

  test('has the folder of its package', () => {
    expect(configPath('claude-desktop', withPackages('Other_1\nClaude_pzs8'))).toBe(
      'D:\\l\\Packages\\Claude_pzs8\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
    )
    expect(configPath('claude-desktop', withPackages('Other_1'))).toBe(PATHS['claude-desktop'][2])
  })

  test('is not chosen from several packages', () => {
    expect(() => configPath('claude-desktop', withPackages('Claude_a\nClaude_b'))).toThrow(
      'Expected one package Claude_… in D:\\l\\Packages, found Claude_a, Claude_b; name the file to change with --host-config.',
    )
  })
})

test('LM Studio has its folder where it recorded it, or among the caches', () => {
  const pointer = { '/home/u/.lmstudio-home-pointer': '/data/lm\n' }
  const cache = { '/home/u/.cache': 'other\nlm-studio' }
  expect(configPath('lm-studio', systemOf('linux', {}, { ...pointer, ...cache }))).toBe('/data/lm/mcp.json')
  expect(configPath('lm-studio', systemOf('linux', {}, cache))).toBe('/home/u/.cache/lm-studio/mcp.json')
})

test('the help names every host', () => {
  for (const id of HOST_IDS) expect(helpText('install')).toContain(id)
})

test('each host has its sources, over HTTPS', () => {
  const sources = Object.values(HOSTS).flatMap(({ sources }) => Object.values(sources))
  expect(sources.every((url) => new URL(url).protocol === 'https:')).toBe(true)
})
