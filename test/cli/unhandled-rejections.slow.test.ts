/** A fault that nothing handles is logged by the command line, and ends neither its process nor that of a library's user. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { folder, PROGRAM, root, start } from '../program.ts'
import { eventually } from '../support/eventually.ts'
import { freePorts } from '../support/free-ports.ts'
import { NO_INPUT, UNREAD } from '../support/unread.ts'

const FAULTS = pathToFileURL(join(root, 'test/support/faults-on-signal.mjs')).href
const NODE_OPTIONS = { NODE_OPTIONS: `--import=${FAULTS}` }
const LOGGED = 'Expected each failure to be handled, found Error: a planted fault'

const isServing = async (origin: string) => (await fetch(`${origin}/health`)).status === 200

test('serve logs it as JSON, and goes on', async () => {
  const server = start(['serve', '--port', '0', '--space', join(folder(), 'a.sqlite')], NODE_OPTIONS)
  const [, origin = ''] = await server.until(/Serving at (\S+);/)
  server.child.kill('SIGUSR2')
  const [line] = await server.until(/^\{.*a planted fault.*$/m)
  expect(JSON.parse(line)).toMatchObject({ level: 50, msg: expect.stringContaining(LOGGED) })
  expect(await isServing(origin)).toBe(true)
  expect(await server.end()).toBe(0)
})

test('open logs it, and goes on', async () => {
  const flags = ['--port', '0', '--no-browser', '--space', join(folder(), 'a.sqlite')]
  const server = start(['open', ...flags], NODE_OPTIONS)
  const [, origin = ''] = await server.until(/ at (http:\/\/[^;]+);/)
  server.child.kill('SIGUSR2')
  await server.until(new RegExp(LOGGED))
  expect(await isServing(origin)).toBe(true)
  expect(await server.end()).toBe(0)
})

test('stdio logs it to standard error, and answers the next call', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', FAULTS, PROGRAM.script, 'stdio', '--space', ':memory:'],
    cwd: root,
    stderr: 'pipe',
  })
  const client = new Client({ name: 'tester', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  let errors = ''
  transport.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  process.kill(transport.pid ?? 0, 'SIGUSR2')
  await eventually(() => expect(errors).toContain(LOGGED))
  expect(await client.callTool({ name: 'connection_get' })).not.toMatchObject({ isError: true })
})

test('createServer leaves the process as it was: the fault of its user ends it', async () => {
  const program = `
    import { createServer } from ${JSON.stringify(pathToFileURL(join(root, 'src/local/create-server.ts')).href)}
    const listeners = () => process.eventNames().map((name) => [String(name), process.listenerCount(name)])
    const before = JSON.stringify(listeners())
    const server = await createServer({ space: ':memory:' })
    console.log(before === JSON.stringify(listeners()))
    Promise.reject(new Error('a planted fault'))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: root })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(output).toBe('true\n')
  expect(errors).toContain('a planted fault')
  expect(code).toBe(1)
})

test('serve goes on when its log is on a full disk', async () => {
  const [port = 0] = await freePorts(1)
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const flags = ['--port', String(port), '--space', join(folder(), 'a.sqlite')]
  const child = spawn(process.execPath, [PROGRAM.script, 'serve', ...flags], {
    cwd: root,
    stdio: [NO_INPUT, UNREAD, full],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const origin = `http://127.0.0.1:${port}`
  await eventually(async () => expect(await isServing(origin)).toBe(true))
  // The line about the first request could not be written.
  expect(await isServing(origin)).toBe(true)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
