/** What doctor reports about hosts: which of them open the space, how, and how to add one. */
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runDoctor } from '../../../src/cli/doctor/doctor-command.ts'
import { findHosts } from '../../../src/cli/doctor/host-findings.ts'
import { configPath } from '../../../src/cli/hosts/host-config.ts'
import { runInstall } from '../../../src/cli/hosts/install-command.ts'
import { parseOptions } from '../../../src/cli/options.ts'
import { currentSystem, type HostSystem } from '../../../src/hosts/host-folders.ts'
import { HOST_IDS, type HostId } from '../../../src/hosts/host-ids.ts'
import { HOSTS } from '../../../src/hosts/host-table.ts'
import { folder } from '../../program.ts'

const ALL_HOSTS = 'claude-desktop, claude-code, cursor, vscode, codex, windsurf, zed, goose, gemini-cli, lm-studio'

/** A home folder with a program that hosts can start. */
function machine() {
  const home = realpathSync(folder())
  const system: HostSystem = { ...currentSystem(), platform: 'linux', home, env: {} }
  const space = join(home, 'space.sqlite')
  const startFile = join(home, 'start.js')
  writeFileSync(startFile, '')
  const context = {
    system,
    launch: { node: process.execPath, startFile },
    confirm: async () => true,
    startOnce: async () => ({ tools: 50 }),
  }
  const write = (id: HostId, text: string) => {
    mkdirSync(dirname(configPath(id, system)), { recursive: true })
    writeFileSync(configPath(id, system), text)
  }
  return {
    home,
    space,
    startFile,
    path: (id: HostId) => configPath(id, system),
    write,
    /** An entry as a person writes it. */
    writeEntry: (id: HostId, entry: object) =>
      write(id, JSON.stringify({ [HOSTS[id].key]: { scriptorium: { command: 'scriptorium', ...entry } } })),
    async install(id: HostId, ...flags: string[]) {
      const options = parseOptions(['install', id, '--space', space, ...flags], {})
      await runInstall(options, options.space ?? space, context)
    },
    hosts: { system, defaultSpace: space },
    find: (file = space, defaultSpace = space) => findHosts(file, { system, defaultSpace }),
  }
}

describe('doctor and hosts', () => {
  test.each(HOST_IDS)('%s has the space as install adds it', async (id) => {
    const { install, find, path } = machine()
    await install(id)
    expect(find()).toEqual([
      {
        what: 'Host',
        found: `${HOSTS[id].title} opens this space: kind full, access full, tools ${HOSTS[id].toolSearch === undefined ? 'essential' : 'all'} (${path(id)})`,
      },
    ])
  })

  test('access, tools, kind and folders are those of the entry', async () => {
    const { home, install, find, path } = machine()
    await install('codex', '--access', 'read', '--tools', 'essential', '--files', home)
    await install('goose', '--kind', 'selected', '--documents', 'a,b')
    expect(find().map(({ found }) => found)).toEqual([
      `Codex opens this space: kind full, access read, tools essential, files from ${home} (${path('codex')})`,
      `Goose opens this space: kind selected (2 documents), access full, tools essential (${path('goose')})`,
    ])
  })

  test('without an entry, the command that adds one is named', () => {
    const { home, space, find } = machine()
    expect(find()).toEqual([
      { what: 'Hosts', found: `none opens this space; scriptorium install HOST adds it (${ALL_HOSTS})` },
    ])
    expect(find(space, join(home, 'other.sqlite'))[0]?.found).toContain(
      `; scriptorium install HOST --space ${space} adds it (`,
    )
    expect(find(join(home, 'my space.sqlite'))[0]?.found).toContain(` --space "${join(home, 'my space.sqlite')}" adds`)
  })

  test('an entry for another space does not count for this one', async () => {
    const { home, space, install, find, path } = machine()
    await install('cursor')
    const found = find(join(home, 'other.sqlite'))
    expect(found.map((one) => one.found)).toEqual([
      `Cursor opens another space: ${space} (${path('cursor')})`,
      expect.stringContaining('none opens this space'),
    ])
  })

  test('entries written by people count: by name, by npx, by variable, through a symlink, and for the default space', () => {
    const { home, space, writeEntry, find } = machine()
    const link = join(home, 'link.sqlite')
    writeFileSync(space, '')
    symlinkSync(space, link)
    const connected = () => find().map(({ found }) => / opens this space: .* access \S+(?=,)/.exec(found)?.[0])
    for (const entry of [
      { args: ['stdio', '--access', 'read'] },
      { args: ['--access', 'read'] },
      { args: ['stdio', '--space', link, '--access=read'] },
      { command: 'npx', args: ['--no', 'scriptorium', 'stdio', '--access', 'read'] },
      { command: 'npx', args: ['-y', 'scriptorium', '--access', 'read'] },
      { args: ['stdio'], env: { SCRIPTORIUM_SPACE: space, SCRIPTORIUM_ACCESS: 'read' } },
    ]) {
      writeEntry('zed', entry)
      expect(connected()).toEqual([' opens this space: kind full, access read'])
    }
  })

  test('an entry that is disabled, starts nothing, or starts a missing program', async () => {
    const { home, install, writeEntry, find, path } = machine()
    writeEntry('windsurf', { args: ['stdio'], disabled: true })
    writeEntry('lm-studio', { command: undefined, url: 'http://127.0.0.1:4810' })
    writeEntry('vscode', { command: join(home, 'gone'), args: ['stdio'] })
    await install('cursor')
    expect(find()).toEqual([
      { what: 'Host', found: expect.stringContaining('Cursor opens this space') },
      {
        what: 'Host',
        found: `VS Code opens this space: kind full, access full, tools all (${path('vscode')})`,
        advice: `It cannot start ${join(home, 'gone')}, which is not there: run scriptorium install vscode again.`,
      },
      {
        what: 'Host',
        found: `Windsurf opens this space: kind full, access full, tools all, but is turned off there (${path('windsurf')})`,
      },
      { what: 'Host', found: `LM Studio has an entry scriptorium that starts no program (${path('lm-studio')})` },
    ])
  })

  test('a variable that nothing reads is named, with the one that was probably meant', () => {
    const { space, writeEntry, find, path } = machine()
    writeEntry('zed', { args: ['stdio'], env: { SCRIPTORIUM_SPACE: space, SCRIPTORIUM_ACESS: 'read' } })
    expect(find()).toEqual([
      {
        what: 'Host',
        found: `Zed opens this space: kind full, access full, tools all (${path('zed')})`,
        advice:
          'Expected variables of known names, found SCRIPTORIUM_ACESS (did you mean SCRIPTORIUM_ACCESS?); nothing reads them.',
      },
    ])
  })

  test('a file that cannot be read or parsed is one line, and the others are checked', async () => {
    const { install, write, writeEntry, find, path } = machine()
    await install('zed')
    write('cursor', '{ "mcpServers": { "scriptorium": ')
    write('codex', 'mcp_servers = 5\n')
    mkdirSync(path('claude-code'))
    writeEntry('gemini-cli', { args: ['stdio', '--kind', 'half'] })
    const found = find().map((one) => one.found)
    expect(found).toEqual([
      `Claude Code was not looked at: Expected a file at ${path('claude-code')}, found something else; name another with --host-config.`,
      expect.stringMatching(/^Cursor was not looked at: Expected \S+ to be JSON.*, found .* at line 1, column \d+/),
      expect.stringMatching(
        /^Codex was not looked at: Expected mcp_servers in \S+ to hold servers by name, found number/,
      ),
      expect.stringContaining('Zed opens this space'),
      'Gemini CLI was not looked at: Expected one of full, selected, daily as --kind, found half.',
    ])
    expect(found.every((line) => !line.includes('\n'))).toBe(true)
  })

  test('the command prints them in words and as JSON, creates nothing, and does not count them as faults', async () => {
    const { home, space, hosts, write } = machine()
    write('cursor', '{')
    const before = readdirSync(home, { recursive: true })
    const { output, exitCode } = await runDoctor(space, { repair: false, json: false }, hosts)
    expect(exitCode).toBe(0)
    expect(output).toMatch(/\n {2}Host +Cursor was not looked at: .*\n {2}Hosts +none opens this space; .*\n$/)
    const json = JSON.parse((await runDoctor(space, { repair: false, json: true }, hosts)).output)
    expect(json.state).toBe('sound')
    expect(json.findings.slice(-2).map(({ what }: { what: string }) => what)).toEqual(['Host', 'Hosts'])
    expect(readdirSync(home, { recursive: true })).toEqual(before)
  })
})
