/** One-click links contain the same server as the configuration that `install` writes. */
import { describe, expect, test } from 'vitest'
import { installLink, LINKED_HOSTS, linkedServer } from '../../../src/cli/hosts/install-links.ts'
import { HOSTS } from '../../../src/hosts/host-table.ts'

/** Contains characters with a meaning in addresses, Base64 and JSON. */
const SERVER = { command: 'C:\\Program Files\\node', args: ['a&b=c', '#?%20', 'é+/=', '"x"'] }

const parametersOf = (url: string): URLSearchParams => new URL(url).searchParams
const fromBase64 = (text: string | null): unknown => JSON.parse(Buffer.from(text ?? '', 'base64').toString())

/** Parses a link like its host does: into the entry of its configuration. */
const READERS: Record<(typeof LINKED_HOSTS)[number], (url: string) => unknown> = {
  cursor: (url) => fromBase64(parametersOf(url).get('config')),
  'lm-studio': (url) => fromBase64(parametersOf(url).get('config')),
  vscode: (url) => JSON.parse(decodeURIComponent(url.slice(url.indexOf('?') + 1))),
  goose(url) {
    const parameters = parametersOf(url)
    const { cmd, name, description, timeout } = Object.fromEntries(parameters)
    return {
      enabled: true,
      type: 'stdio',
      name,
      description,
      cmd,
      args: parameters.getAll('arg'),
      timeout: Number(timeout),
    }
  },
}

describe.each(LINKED_HOSTS)('%s', (host) => {
  test.each([SERVER, linkedServer(host)])('a link has what the table says about %j', (server) => {
    const { url } = installLink(host, server)
    const entry = HOSTS[host].entry(server)
    expect(READERS[host](url)).toEqual(host === 'vscode' ? { name: 'scriptorium', ...entry } : entry)
  })
})

test('links have the format that hosts document', () => {
  const urls = LINKED_HOSTS.map((host) => installLink(host, SERVER).url.split(/[?&]/)[0])
  expect(urls).toEqual([
    'cursor://anysphere.cursor-deeplink/mcp/install',
    'vscode:mcp/install',
    'goose://extension',
    'lmstudio://add_mcp',
  ])
  for (const host of ['cursor', 'lm-studio'] as const) {
    expect(parametersOf(installLink(host, SERVER).url).get('name')).toBe('scriptorium')
  }
  expect(parametersOf(installLink('goose', SERVER).url).get('id')).toBe('scriptorium')
})

test('a link over HTTPS does the same', () => {
  const cursor = installLink('cursor', SERVER)
  const vscode = installLink('vscode', SERVER)
  const studio = installLink('lm-studio', SERVER)
  expect(new URL(cursor.web ?? '').search).toBe(new URL(cursor.url).search)
  expect(new URL(studio.web ?? '').search).toBe(new URL(studio.url).search)
  expect(parametersOf(vscode.web ?? '').get('url')).toBe(vscode.url)
})

test('Goose accepts links for few commands, one of which starts the installed program', () => {
  // The list in ui/desktop/src/components/settings/extensions/deeplink.ts of Goose.
  expect(['cu', 'docker', 'jbang', 'npx', 'uvx', 'goosed', 'npx.cmd']).toContain(linkedServer('goose').command)
  expect(linkedServer('goose').args).toContain('--no')
})
