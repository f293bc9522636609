/** `install` and `uninstall` on files in a home folder: what they change, and what they reject. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configPath, readServer } from '../../../src/cli/hosts/host-config.ts'
import { type InstallContext, runInstall, runUninstall } from '../../../src/cli/hosts/install-command.ts'
import { parseOptions } from '../../../src/cli/options.ts'
import { currentSystem, type HostSystem } from '../../../src/hosts/host-folders.ts'
import { HOST_IDS, type HostId } from '../../../src/hosts/host-ids.ts'
import { HOSTS, type Host } from '../../../src/hosts/host-table.ts'
import { folder } from '../../program.ts'

/** Typical contents: other servers, comments if the format has them, and a custom layout. */
const EXISTING: Readonly<Record<Host['format'], (key: string) => string>> = {
  json: (key) => `{\n    "theme":"dark",\n    "${key}": {\n        "other": { "command": "npx" }\n    }\n}`,
  jsonc: (key) => `// mine\n{\n\t"${key}": {\n\t\t"other": { "command": "npx" }, // keep\n\t},\n}\n`,
  toml: (key) => `# mine\nmodel = "a" # keep\n\n[${key}.other]\ncommand = "npx"\n`,
  yaml: (key) => `# mine\nGOOSE_MODEL:   x\n${key}:\n  other:\n    cmd: npx   # keep\n`,
}

/** A machine with its own home folder, and the two commands on it. */
function machine(id: HostId, content?: string) {
  const home = realpathSync(folder())
  const system: HostSystem = { ...currentSystem(), platform: 'linux', home, env: {} }
  const path = configPath(id, system)
  const startFile = join(home, 'start.js')
  writeFileSync(startFile, '')
  if (content !== undefined) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const questions: string[] = []
  let answer = true
  const context: InstallContext = {
    system,
    launch: { node: '/opt/node', startFile },
    confirm: async (lines) => {
      questions.push(lines.join('\n'))
      return answer
    },
    startOnce: async () => ({ tools: 50, documents: { count: 1, hasMore: false } }),
  }
  const space = join(home, 'space.sqlite')
  const command = (name: 'install' | 'uninstall', args: string[]) => {
    const options = parseOptions([name, id, ...args], {})
    return name === 'install' ? runInstall(options, options.space ?? space, context) : runUninstall(options, context)
  }
  return {
    home,
    path,
    questions,
    decline: () => {
      answer = false
    },
    read: () => readFileSync(path, 'utf8'),
    server: (file = path) => readServer({ host: HOSTS[id], path: file, text: readFileSync(file, 'utf8') }),
    /** The file names in the folder of the configuration. */
    names: () => readdirSync(dirname(path)),
    expected: { command: '/opt/node', args: [startFile, 'stdio', '--space', space, ...toolsOf(id)] },
    install: (...args: string[]) => command('install', args),
    uninstall: (...args: string[]) => command('uninstall', args),
  }
}

/** A host that does not search for tools gets few. */
const toolsOf = (id: HostId): string[] => (HOSTS[id].toolSearch === undefined ? ['--tools', 'essential'] : [])

describe.each(HOST_IDS)('%s', (id) => {
  const { format, key } = HOSTS[id]

  test('is added next to other servers once, and removed without a trace', async () => {
    const before = EXISTING[format](key)
    const { path, read, server, names, expected, install, uninstall, questions } = machine(id, before)
    const installed = await install('--yes')
    expect(installed.value).toEqual({ path, changed: true })
    expect(server()).toEqual(expected)
    expect(read()).toContain('npx')
    expect(readFileSync(`${path}.before-scriptorium`, 'utf8')).toBe(before)
    const after = read()
    expect((await install()).value).toEqual({ path, changed: false })
    expect(read()).toBe(after)
    expect(questions).toEqual([])
    expect((await uninstall('--yes')).value).toEqual({ path, changed: true })
    expect(read()).toBe(before)
    expect(names().filter((name) => name.includes('scriptorium'))).toEqual([])
    expect((await uninstall()).value).toEqual({ path, changed: false })
  })

  test('is removed if it has another entry by now', async () => {
    const { path, read, server, install, uninstall } = machine(id, EXISTING[format](key))
    await install('--yes')
    writeFileSync(path, read().replaceAll('other', 'renamed'))
    await uninstall('--yes')
    expect(server()).toBeUndefined()
    expect(read()).toBe(EXISTING[format](key).replaceAll('other', 'renamed'))
  })

  test('gets a file of its own if there is none, which is removed again', async () => {
    const { path, server, names, expected, install, uninstall } = machine(id)
    await install('--yes')
    expect(server()).toEqual(expected)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await uninstall('--yes')
    expect(existsSync(path)).toBe(false)
    expect(names().filter((name) => name.includes('scriptorium'))).toEqual([])
  })

  test('leaves a file that cannot be parsed', async () => {
    const broken = format === 'yaml' ? 'a: [\n' : '{ broken'
    const { path, read, names, install, uninstall } = machine(id, broken)
    const message = new RegExp(
      `^Expected ${path} to be .*, found .* at line \\d+, column \\d+; it was left unchanged\\.`,
    )
    await expect(install('--yes')).rejects.toThrow(message)
    await expect(uninstall('--yes')).rejects.toThrow(message)
    expect(read()).toBe(broken)
    expect(names().some((name) => name.includes('before-scriptorium'))).toBe(false)
  })
})

describe('the written entry', () => {
  test('has what the flags say, with absolute paths', async () => {
    const { server, install, home } = machine('cursor')
    const flags = [
      '--kind',
      'selected',
      '--documents',
      '1,2',
      '--access',
      'read',
      '--tools',
      'essential',
      '--files',
      'here',
    ]
    await install('--yes', '--space', 'notes.sqlite', ...flags, '--timezone', 'Asia/Tokyo')
    expect(server()?.args).toEqual([
      ...[join(home, 'start.js'), 'stdio', '--space', join(process.cwd(), 'notes.sqlite')],
      ...['--kind', 'selected', '--access', 'read', '--documents', '1,2', '--tools', 'essential'],
      ...['--files', join(process.cwd(), 'here'), '--timezone', 'Asia/Tokyo'],
    ])
  })

  test('names the bucket of a space in a database', async () => {
    const { server, install } = machine('cursor')
    const [space, bucket] = ['postgres://me@localhost/notes#one', 'https://s3.example/files']
    await install('--yes', '--space', space, '--files-bucket', bucket)
    expect(server()?.args.slice(1)).toEqual([
      ...['stdio', '--space', space, '--tools', 'essential', '--files-bucket', bucket],
    ])
  })

  test('names the link that the agent acts with', async () => {
    const { server, install } = machine('cursor')
    await install('--yes', '--space', ':memory:', '--link', 'abc')
    expect(server()?.args.slice(1)).toEqual(['stdio', '--space', ':memory:', '--link', 'abc', '--tools', 'essential'])
  })

  test('replaces a different entry, and the previous file is kept', async () => {
    const { path, read, server, install, uninstall } = machine('cursor', '{}\n')
    await install('--yes')
    const first = read()
    await install('--yes', '--access', 'read')
    expect(server()?.args).toContain('read')
    expect(readFileSync(`${path}.before-scriptorium`, 'utf8')).toBe(first)
    await uninstall('--yes')
    expect(JSON.parse(read())).toEqual({ mcpServers: {} })
  })

  test('is printed with --print, and nothing is changed', async () => {
    const { path, home, install, uninstall } = machine('goose')
    const { lines } = await install('--print')
    expect(lines.flat().join('\n')).toBe(`${path}

extensions:
  scriptorium:
    enabled: true
    type: stdio
    name: scriptorium
    description: A workspace of documents that agents and people share
    cmd: /opt/node
    args:
      - ${home}/start.js
      - stdio
      - --space
      - ${home}/space.sqlite
      - --tools
      - essential
    timeout: 300`)
    expect(existsSync(path)).toBe(false)
    await install('--yes')
    const shown = await uninstall('--print')
    expect(shown.lines.flat()).toContain('- extensions:')
    expect(existsSync(path)).toBe(true)
  })

  test('is written to another file with --host-config', async () => {
    const { home, path, server, expected, install, uninstall } = machine('cursor')
    const project = join(home, 'project/.cursor/mcp.json')
    await install('--yes', '--host-config', project)
    expect(server(project)).toEqual(expected)
    expect(existsSync(path)).toBe(false)
    await uninstall('--yes', '--host-config', project)
    expect(existsSync(project)).toBe(false)
  })
})

describe('the confirmation', () => {
  test('shows the changed lines, and a no changes nothing', async () => {
    const { path, read, home, questions, decline, install } = machine('codex', 'model = "a"\n')
    decline()
    expect(await install()).toMatchObject({ isComplete: false, lines: [['Nothing was changed.']] })
    expect(questions).toEqual([
      `${path} will be changed:

+ 
+ [mcp_servers.scriptorium]
+ command = "/opt/node"
+ args = [ "${home}/start.js", "stdio", "--space", "${home}/space.sqlite", "--tools", "essential" ]
`,
    ])
    expect(read()).toBe('model = "a"\n')
  })

  test('is also required before an entry is removed', async () => {
    const { read, questions, decline, install, uninstall } = machine('cursor')
    await install('--yes')
    const before = read()
    decline()
    expect((await uninstall()).isComplete).toBe(false)
    expect(questions).toHaveLength(1)
    expect(read()).toBe(before)
  })
})

describe('a configuration file', () => {
  test('behind a symlink is changed, and the symlink stays', async () => {
    const { home, path, install, uninstall } = machine('zed')
    const real = join(home, 'dotfiles/settings.json')
    mkdirSync(dirname(real))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(real, '{}\n')
    symlinkSync(real, path)
    await install('--yes')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toContain('scriptorium')
    expect(readdirSync(dirname(real))).toEqual(['settings.json'])
    await uninstall('--yes')
    expect(readFileSync(real, 'utf8')).toBe('{}\n')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })

  test('keeps its mode, and so does the copy', async () => {
    const { path, install } = machine('cursor', '{}')
    chmodSync(path, 0o640)
    await install('--yes')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(statSync(`${path}.before-scriptorium`).mode & 0o777).toBe(0o640)
  })

  test('that is read-only stays read-only', async () => {
    const { path, read, names, install } = machine('cursor', '{}')
    chmodSync(path, 0o444)
    await expect(install('--yes')).rejects.toThrow(
      `Expected ${path} to be writable, found it read-only; it was left unchanged. Make it writable, or change it where it comes from: --print shows the entry.`,
    )
    expect(read()).toBe('{}')
    expect(names()).toEqual(['mcp.json'])
  })

  test('that another program changes meanwhile is not overwritten', async () => {
    const { home, path, read } = machine('cursor', '{}')
    const options = parseOptions(['install', 'cursor', '--host-config', path], {})
    const confirm = async () => {
      writeFileSync(path, '{"new": 1}')
      return true
    }
    const system = currentSystem()
    const launch = { node: '/opt/node', startFile: join(home, 'start.js') }
    await expect(
      runInstall(options, '/s', { system, launch, confirm, startOnce: async () => ({ tools: 50 }) }),
    ).rejects.toThrow(`Expected ${path} as it was read, found that another program changed it; try again.`)
    expect(read()).toBe('{"new": 1}')
  })

  test('keeps its byte order mark', async () => {
    const { read, install, uninstall } = machine('cursor', '\uFEFF{}\r\n')
    await install('--yes')
    expect(read()).toMatch(/^\uFEFF\{\r\n {2}"mcpServers"/)
    await uninstall('--yes')
    expect(read()).toBe('\uFEFF{}\r\n')
  })

  test('in another encoding, or that is a folder, is rejected', async () => {
    const { path, install } = machine('cursor', '{}')
    writeFileSync(path, Buffer.from('\uFEFF{}', 'utf16le'))
    await expect(install('--yes')).rejects.toThrow(
      `Expected ${path} to be text in UTF-8, found another encoding; save it as UTF-8, then try again.`,
    )
    const other = machine('cursor')
    mkdirSync(other.path, { recursive: true })
    await expect(other.install('--yes')).rejects.toThrow(
      `Expected a file at ${other.path}, found something else; name another with --host-config.`,
    )
  })

  test('whose parent is a file is rejected with a sentence', async () => {
    const { home, install } = machine('cursor')
    writeFileSync(join(home, '.cursor'), '')
    await expect(install('--yes')).rejects.toThrow(
      `Expected to read ${home}/.cursor/mcp.json, found that the system refuses it (ENOTDIR)`,
    )
  })
})

test('for an unknown host the nearest one is suggested', async () => {
  const names = HOST_IDS.join(', ')
  const run = (name: string) => runInstall(parseOptions(['install', name], {}), '/s')
  await expect(run('clade-code')).rejects.toThrow(
    `Expected a host (${names}), found clade-code; did you mean claude-code?`,
  )
  await expect(run('emacs')).rejects.toThrow(`Expected a host (${names}), found emacs; name one of these.`)
  expect(() => parseOptions(['install'], {})).toThrow('Expected one HOST after install, found none')
})
