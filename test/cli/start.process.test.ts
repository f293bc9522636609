/** The program over stdio, and its help texts. */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../tools/index.ts'
import {
  CHECKOUT,
  connectCheckout,
  connectProcess,
  type Ended,
  folder,
  PROGRAM,
  root,
  run,
  runHere,
  structured,
} from '../program.ts'
import { eventually } from '../support/eventually.ts'

describe('one host over stdio, configured as in mcp.json', () => {
  test('the space is created, kept, and found again', async () => {
    const space = join(folder(), 'space.sqlite')
    const first = await connectCheckout(space, '--name', 'Home', '--timezone', 'Asia/Tokyo')
    await structured(first, 'documents_add', { documents: [{ title: 'A', markdown: 'words' }] })
    await first.close()
    const second = await connectProcess(space)
    expect((await structured(second, 'documents_list')).items).toMatchObject([{ title: 'A' }])
    expect((await structured(second, 'connection_get')).space).toMatchObject({ name: 'Home', timezone: 'Asia/Tokyo' })
  })

  test('two processes at once, 20 parallel additions each: all 40 are stored', async () => {
    const space = join(folder(), 'space.sqlite')
    const clients = [await connectProcess(space), await connectProcess(space)]
    const [{ id }] = (await structured(clients[0] as Client, 'documents_add', { documents: [{ title: 'A' }] })).items
    const position = { position: 'end', pageId: id }
    const adds = clients.flatMap((client, one) =>
      Array.from({ length: 20 }, (_, index) =>
        structured(client, 'blocks_add', { markdown: `${one} ${index}`, position }),
      ),
    )
    await Promise.all(adds)
    const result = await (clients[1] as Client).callTool({ name: 'blocks_get', arguments: { id, format: 'json' } })
    const { content } = JSON.parse((result.content as { text: string }[])[0]?.text ?? '')
    expect(new Set(content.map(({ markdown }: { markdown: string }) => markdown)).size).toBe(40)
  })

  test('a call that is much too large gets an error, and the next one works', {
    timeout: 30_000,
  }, async () => {
    const client = await connectProcess(join(folder(), 'space.sqlite'))
    const args = { markdown: 'x'.repeat(6 * 1024 * 1024), position: { position: 'end' } }
    expect(await client.callTool({ name: 'blocks_add', arguments: args })).toMatchObject({
      isError: true,
      content: [{ text: 'Expected a call of less than 5 MiB, found more; split it into several calls.' }],
    })
    expect((await structured(client, 'documents_list')).items).toEqual([])
  })

  test('the 1.x client gets the same tools', async () => {
    const client = new ClientOf2025({ name: 'tester', version: '1.0.0' })
    const args = [PROGRAM.script, 'stdio', '--space', join(folder(), 'space.sqlite'), '--kind', 'daily']
    await client.connect(new TransportOf2025({ command: process.execPath, args, cwd: root }))
    onTestFinished(() => client.close())
    const expected = endpoints.filter(({ input, isRestOnly }) => input.daily !== undefined && isRestOnly !== true)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expected.map(({ name }) => name))
    const result = await client.callTool({
      name: 'blocks_add',
      arguments: { markdown: 'x', position: { position: 'end' } },
    })
    expect(result.isError).toBeUndefined()
  })
})

test('a host that lists the tools loads nothing of pages, imports, webhooks or sign-ins', async () => {
  const recorder = `
    import { registerHooks } from 'node:module'
    registerHooks({
      load(url, context, next) {
        if (url.includes('/src/')) console.error(url.split('/src/').at(-1))
        return next(url, context)
      },
    })`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder)}` }
  const clientInfo = { name: 'tester', version: '1.0.0' }
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ]
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
  const args = ['stdio', '--space', join(folder(), 'space.sqlite')]
  const { output, errors } = await run(args, env, input, CHECKOUT)
  expect(output).toContain('"documents_add"')
  const loaded = errors.split('\n')
  expect(loaded).toContain('mcp/stdio.ts')
  // The names of formats are values of a flag.
  const isLater = (file: string) => /^(page|import|webhooks|http|auth\/issuer)\/(?!format-names)/.test(file)
  expect(loaded.filter(isLater)).toEqual([])
})

test('a host that connects loads no HTTP, which is a tenth of a start', async () => {
  const recorder = "process.on('exit', () => console.error(process.moduleLoadList.join()))"
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder)}` }
  const { code, errors } = await run(['stdio', '--space', join(folder(), 'space.sqlite')], env)
  expect(code).toBe(0)
  expect(errors).toContain('NativeModule fs,')
  expect(errors).not.toContain('NativeModule internal/deps/undici/undici')
})

describe('errors are one sentence on standard error, with exit code 2', () => {
  const flags =
    '--space, --database-pool, --files-bucket, --name, --timezone, --editor-url, --fonts, --no-copy, --no-welcome, --kind, --access, --documents, --tools, --answers, --files, --limit-requests, --limit-blocks, --limit-file, --link, --keep-log, --keep-history, --help'
  test.each([
    [
      ['fly'],
      'Expected a command (stdio, serve, open, install, uninstall, links add, links list, links revoke, links pause, links resume, links expose, links events, spaces add, spaces list, spaces move, spaces remove, webhooks list, webhooks test, webhooks remove, participants add, participants list, participants remove, participants erase, members list, members update, groups add, groups list, groups update, groups remove, locks add, locks list, locks remove, settings, log, log verify, log head, log export, history, undo, history forget, restore-version, proposals list, proposals show, proposals approve, proposals reject, import, export, backup, restore, trash empty, compact, doctor, completion), found fly; see --help.',
    ],
    [
      ['participants', 'fly'],
      'Expected a command (participants add, participants list, participants remove, participants erase), found participants fly; see --help.',
    ],
    [['participants', 'add'], 'Expected one NAME after participants add, found none; put what has spaces in quotes.'],
    [
      ['participants', 'remove', 'a', 'b'],
      'Expected one NAME or ID after participants remove, found 2 (a, b); put what has spaces in quotes.',
    ],
    [['spaces', 'move', 'a'], 'Expected FROM and TO after spaces move, found 1; put what has spaces in quotes.'],
    [
      ['--spce', 'x'],
      `Expected the flags of stdio (${flags}), found this: Unknown option '--spce'; did you mean --space?`,
    ],
    [['log', '--limit', '--json'], 'Expected a value after --limit, found none; see log --help.'],
    [['log', '--limit'], 'Expected a value after --limit, found none; see log --help.'],
    [['log', '--limit', '-7'], 'Expected a whole number from 1 on as --limit, found -7.'],
    [['log', '--limit', '-h'], 'Expected a value after --limit, found none; see log --help.'],
    [
      ['serv'],
      'Expected a command (stdio, serve, open, install, uninstall, links add, links list, links revoke, links pause, links resume, links expose, links events, spaces add, spaces list, spaces move, spaces remove, webhooks list, webhooks test, webhooks remove, participants add, participants list, participants remove, participants erase, members list, members update, groups add, groups list, groups update, groups remove, locks add, locks list, locks remove, settings, log, log verify, log head, log export, history, undo, history forget, restore-version, proposals list, proposals show, proposals approve, proposals reject, import, export, backup, restore, trash empty, compact, doctor, completion), found serv; did you mean serve?',
    ],
    [
      ['help', 'links', 'ad'],
      'Expected a command (links add, links list, links revoke, links pause, links resume, links expose, links events), found links ad; did you mean links add?',
    ],
    [
      ['links', 'ad'],
      'Expected a command (links add, links list, links revoke, links pause, links resume, links expose, links events), found links ad; did you mean links add?',
    ],
    [['--kind', 'half'], 'Expected one of full, selected, daily as --kind, found half.'],
    [
      ['--access', 'raed'],
      'Expected one of full, no-delete, propose, comment, read as --access, found raed; did you mean read?',
    ],
    [['serve', '--port', '99999'], 'Expected a port from 0 to 65535 as --port, found 99999.'],
    [['serve', '--every', '12h'], 'Expected --backup-to with --every, found none; name the folder of the backups.'],
    [['serve', '--every', 'daily'], 'Expected a duration such as 12h or 90d as --every, found daily.'],
    [['--keep-log', 'long'], 'Expected a duration such as 12h or 90d as --keep-log, found long.'],
    [['backup', '--keep', '0'], 'Expected a whole number from 1 on as --keep, found 0.'],
    [['--editor-url', 'docs'], 'Expected an address with http or https as --editor-url, found docs.'],
    [['--timezone', 'Mars'], 'Expected the IANA name of a time zone such as Europe/Budapest, found "Mars".'],
    [['--kind', 'selected'], 'Expected the IDs of the documents that the selected connection exposes, found none.'],
  ])('%j', async (args, message) => {
    const space = join(folder(), 'space.sqlite')
    expect(await runHere(args, { SCRIPTORIUM_SPACE: space })).toEqual({ code: 2, output: '', errors: `${message}\n` })
  })

  test('a file that is not a database', async () => {
    const path = join(folder(), 'file')
    writeFileSync(path, 'Dear diary, '.repeat(100))
    expect(await run(['--space', path])).toEqual({
      code: 2,
      output: '',
      errors: `Expected the file of a space, found that ${path} is no database; name another file with --space.\n`,
    })
  })
})

describe('doctor', () => {
  test('prints what it found, and creates nothing', async () => {
    const path = join(folder(), 'space.sqlite')
    const before = await runHere(['doctor', '--space', path])
    expect(before).toMatchObject({ code: 0, errors: '' })
    expect(before.output).toContain('not there yet; the first start makes it')
    expect(existsSync(path)).toBe(false)
    await (await connectProcess(path, '--timezone', 'Asia/Tokyo', '--name', 'Home')).close()
    const { code, output } = await runHere(['doctor', '--space', path])
    expect(code).toBe(0)
    for (const line of [
      /Node +\d+\./,
      /SQLite +3\./,
      /Schema +version (\d+) of \1/,
      /Integrity +ok/,
      /Time zone +Asia\/Tokyo/,
      /Size +[\d.]+ [KM]B/,
    ]) {
      expect(output).toMatch(line)
    }
  })

  test('prints how to fix what is wrong', async () => {
    const path = join(folder(), 'file')
    writeFileSync(path, 'Dear diary, '.repeat(100))
    const { code, output } = await runHere(['doctor', '--space', path])
    expect(code).toBe(4)
    expect(output).toMatch(/! Opening +file is not a database\n +Restore a backup, or name another file with --space\./)
  })
})

describe('on a Node that is too old', () => {
  const NODE_20 = { node: '20.20.2', napi: '9' }

  /** A checkout whose program prints its arguments, started by a Node that pretends to have these versions. */
  async function startOld(versions: object, prepare: (folder: string) => void = () => {}): Promise<Ended> {
    const checkout = folder()
    mkdirSync(join(checkout, 'src', 'cli'), { recursive: true })
    copyFileSync(join(root, 'src', 'start.js'), join(checkout, 'src', 'start.js'))
    writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(checkout, 'src', 'cli', 'main.ts'),
      'export const main = (args: string[]) => console.log(...args)',
    )
    prepare(checkout)
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, ...${JSON.stringify(versions)} } })`
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(old)}`,
      'src/start.js',
      'doctor',
      '--space',
      'x',
    ]
    return new Promise((resolve) => {
      const child = execFile(process.execPath, args, { cwd: checkout }, (_, output, errors) => {
        resolve({ code: child.exitCode, output, errors })
      })
    })
  }

  test.each([
    NODE_20,
    // These support the language, but not the interface that the database binding needs.
    { node: '22.13.1', napi: '9' },
    { node: '23.5.0', napi: '9' },
  ])('it prints which it needs: $node', async (versions) => {
    expect(await startOld(versions)).toEqual({
      code: 2,
      output: '',
      errors: `Expected Node 22.14 or newer, found ${versions.node}; install a current one from https://nodejs.org.\n`,
    })
  })

  test('it continues in the one that was installed with it', async () => {
    const ended = await startOld(NODE_20, (checkout) => {
      mkdirSync(join(checkout, 'node_modules', 'node', 'bin'), { recursive: true })
      symlinkSync(process.execPath, join(checkout, 'node_modules', 'node', 'bin', 'node'))
    })
    expect(ended).toEqual({ code: 0, output: 'doctor --space x\n', errors: '' })
  })
})

test('participants manages who takes part', async () => {
  const at = ['--space', join(folder(), 'space.sqlite')]
  const participants = (...args: string[]) => runHere(['participants', ...args, ...at])
  expect((await participants('add', 'Anna Bee')).output).toMatch(/^Added Anna Bee\t[0-9a-f-]{36}\n$/)
  const list = JSON.parse((await participants('list', '--json')).output)
  expect(list).toMatchObject([{ name: 'Owner' }, { name: 'Anna Bee' }])
  expect(await participants('add', 'Anna Bee')).toMatchObject({
    code: 2,
    errors: `Expected a name that no participant has, found Anna Bee, which is that of ${list[1].id}; add another.\n`,
  })
  expect(await participants('remove', 'Bob')).toMatchObject({
    code: 2,
    errors: `Expected a participant by ID or name, found Bob; choose one of Owner (${list[0].id}), Anna Bee (${list[1].id}).\n`,
  })
  expect((await participants('remove', list[1].id)).output).toBe(`Removed Anna Bee\t${list[1].id}\n`)
  expect(await participants('remove', 'Owner')).toMatchObject({
    code: 2,
    errors: 'Expected a participant to stay, found Owner, the only one; add another first.\n',
  })
  expect((await participants('list')).output).toMatch(/^Owner\t[0-9a-f-]{36}\tsince .*Z\n$/)
})

test('settings shows and changes the name and the time zone, also while the space is served', async () => {
  const space = join(folder(), 'space.sqlite')
  const client = await connectProcess(space, '--timezone', 'Asia/Tokyo', '--name', 'Home')
  const settings = (...args: string[]) => runHere(['settings', ...args, '--space', space])
  expect(await settings()).toEqual({
    code: 0,
    output: 'Name\tHome\nTime zone\tAsia/Tokyo\nWeeks begin\tlanguage\nDates as in\tlanguage\n',
    errors: '',
  })
  expect((await settings('--week-start', 'sunday')).output).toContain('Weeks begin\tsunday\twas language')
  expect((await settings('--date-language', 'de')).output).toContain('Dates as in\tde\twas language')
  expect((await settings('--date-language', 'nothing at all')).errors).toBe(
    'Expected a language of dates such as de or en-GB, found "nothing at all".\n',
  )
  expect((await settings('--date-language', 'language')).output).toContain('Dates as in\tlanguage\twas de')
  const changed = await settings('--timezone', 'europe/budapest', '--json')
  expect(JSON.parse(changed.output)).toMatchObject({ name: 'Home', timezone: 'Europe/Budapest' })
  await eventually(async () =>
    expect((await structured(client, 'connection_get')).space.timezone).toBe('Europe/Budapest'),
  )
  expect((await settings('--timezone', 'Mars')).errors).toBe(
    'Expected the IANA name of a time zone such as Europe/Budapest, found "Mars".\n',
  )
  const ignored = await runHere(['links', 'add', '--timezone', 'Asia/Tokyo', '--space', space])
  expect(ignored.errors).toBe(
    'The space keeps its time zone Europe/Budapest, not Asia/Tokyo; to change it, run scriptorium settings --timezone.\n',
  )
  expect((await runHere(['history', '--timezone', 'Asia/Tokyo', '--space', space])).code).toBe(2)
  expect((await runHere(['settings', '--space', join(folder(), 'none.sqlite')])).code).toBe(2)
})

test('--version prints the version', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(await run(['--version'])).toEqual({ code: 0, output: `${version}\n`, errors: '' })
})

test('--help lists commands, flags and their environment variables', async () => {
  const { code, output } = await runHere(['--help'])
  expect(code).toBe(0)
  for (const word of ['stdio', 'serve', 'doctor', '--space FILE', 'SCRIPTORIUM_EDITOR_URL'])
    expect(output).toContain(word)
  expect((await runHere(['serve', '--help'])).output).toContain('--port PORT')
  expect((await runHere(['serve', '--help'])).output).toMatch(/\nServer:\n[\s\S]+\nSpace:\n/)
})

test('it starts for a user without a home folder', async () => {
  // Without HOME, Node reads the list of users, and throws if the user is not in it.
  const homeless = `
    import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    const { homedir } = os
    os.homedir = () => {
      if (process.env.HOME === undefined) throw new Error('no home folder')
      return homedir()
    }
    syncBuiltinESMExports()`
  const env = { HOME: undefined, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(homeless)}` }
  const { code, errors } = await run(['links', 'add', '--space', join(folder(), 'space.sqlite')], env)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
})
