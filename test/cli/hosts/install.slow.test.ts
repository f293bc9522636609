/** A host connected by `install` starts the program exactly as in its configuration. */
import { mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { configPath, readServer } from '../../../src/cli/hosts/host-config.ts'
import { currentSystem } from '../../../src/hosts/host-folders.ts'
import { HOST_IDS, type HostId } from '../../../src/hosts/host-ids.ts'
import { HOSTS } from '../../../src/hosts/host-table.ts'
import { CHECKOUT, folder, run } from '../../program.ts'

/** The environment that a graphical host may pass on: no PATH of a shell, no settings of this program. */
const environment = (home: string) => ({ HOME: home, USERPROFILE: home, PATH: '' })

function newHome(): string {
  const home = join(realpathSync(folder()), 'a home')
  mkdirSync(home)
  return home
}

/** The server that a host reads from its configuration. */
function serverOf(id: HostId, home: string) {
  const path = configPath(id, { ...currentSystem(), home, env: environment(home) })
  const server = readServer({ host: HOSTS[id], path, text: readFileSync(path, 'utf8') })
  if (server === undefined) throw new Error(`Expected an entry in ${path}, found none.`)
  return server
}

async function listTools(command: string, args: readonly string[], home: string): Promise<string[]> {
  const transport = new StdioClientTransport({ command, args: [...args], cwd: home, env: environment(home) })
  const client = new Client({ name: 'host', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return (await client.listTools()).tools.map(({ name }) => name)
}

/** The variables of this process that would lead hosts to other files. */
const CLEARED = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'APPDATA', 'LOCALAPPDATA', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME']
const clearedEnvironment = (home: string) => ({
  ...Object.fromEntries(CLEARED.map((name) => [name, ''])),
  HOME: home,
  USERPROFILE: home,
})

test('every host starts the same server from its own configuration', async () => {
  const home = newHome()
  const flags = ['--space', 'notes.sqlite', '--tools', 'documents', '--access', 'read', '--yes']
  for (const id of HOST_IDS) {
    const { code, errors } = await run(['install', id, ...flags], clearedEnvironment(home))
    expect({ id, code, errors }).toEqual({ id, code: 0, errors: '' })
  }
  const servers = HOST_IDS.map((id) => serverOf(id, home))
  const [server, ...others] = servers
  if (server === undefined) throw new Error('Expected servers, found none.')
  for (const other of others) expect(other).toEqual(server)
  expect(server.args.slice(1)).toEqual([
    ...['stdio', '--space', join(CHECKOUT.cwd, 'notes.sqlite')],
    ...['--access', 'read', '--tools', 'documents'],
  ])
  const args = server.args.map((arg) => (arg.endsWith('notes.sqlite') ? join(home, 'notes.sqlite') : arg))
  expect(await listTools(server.command, args, home)).toEqual(['documents_list', 'documents_search'])
})

test('a checkout is started by its own file', async () => {
  const home = newHome()
  const space = join(home, 'space.sqlite')
  await run(['install', 'claude-code', '--space', space, '--yes'], clearedEnvironment(home), '', CHECKOUT)
  const { command, args } = serverOf('claude-code', home)
  expect(args).toEqual([join(CHECKOUT.cwd, CHECKOUT.script), 'stdio', '--space', space])
  expect(await listTools(command, args, home)).toContain('blocks_get')
})

test('without a terminal nothing is changed unless --yes is given', async () => {
  const home = newHome()
  const { code, errors } = await run(['install', 'cursor'], clearedEnvironment(home), 'y\n')
  expect({ code, errors }).toEqual({
    code: 2,
    errors: 'Expected a terminal to ask on, found none; nothing was changed. Look with --print, then add --yes.\n',
  })
  expect(() => serverOf('cursor', home)).toThrow()
})

test('unknown tools are rejected before anything is written', async () => {
  const home = newHome()
  const { code, errors } = await run(['install', 'cursor', '--tools', 'nope', '--yes'], clearedEnvironment(home))
  expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('found "nope"') })
  expect(() => serverOf('cursor', home)).toThrow()
})

test('prints JSON', async () => {
  const home = newHome()
  const { output } = await run(['install', 'codex', '--yes', '--json'], clearedEnvironment(home))
  expect(JSON.parse(output)).toEqual({ path: join(home, '.codex', 'config.toml'), changed: true })
})
