/** The program as a host or a person starts it: in a process of its own. */
import { type ChildProcess, execFile } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { inject, onTestFinished } from 'vitest'
import type { Answer } from './connect.ts'
import { askForAll } from './whole-answer.ts'

export const root = join(import.meta.dirname, '..')

/** A folder that is deleted after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export interface Ended {
  code: number | null
  output: string
  errors: string
}

/** A form of the program: its script, and its working directory. */
export interface Program {
  script: string
  cwd: string
}

/** The form of a checkout. */
export const CHECKOUT: Program = { script: 'src/start.js', cwd: root }
/** Bundled in tests of the project `process` and on PostgreSQL; otherwise that of the checkout. */
export const PROGRAM: Program = { script: inject('bundledProgram') ?? CHECKOUT.script, cwd: root }

/** Runs the program to its end. @param input  standard input */
export function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input = '',
  { script, cwd } = PROGRAM,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      // The database of the tests is no setting of the program, which would report it as an unknown one.
      { cwd, env: { ...process.env, SCRIPTORIUM_TEST_DATABASE: undefined, ...env } },
      (_, output, errors) => resolve({ code: child.exitCode, output, errors }),
    )
    child.stdin?.end(input)
  })
}

let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs a command to its end as {@link run} does, but in this process, which takes a tenth of the time. For commands that
 * end by themselves. One runs at a time, since each takes over standard input and output.
 */
export function runHere(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<Ended> {
  const ended = previous.then(() => runAlone(args, env, input))
  previous = ended.catch(() => {})
  return ended
}

async function runAlone(args: readonly string[], env: NodeJS.ProcessEnv, input: string): Promise<Ended> {
  const { main } = await import(join(dirname(PROGRAM.script), 'main.js'))
  const { env: outer, exitCode } = process
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')
  const { error: printError } = console
  const written = { output: '', errors: '' }
  const forgetListeners = rememberListeners([process, process.stdout, process.stderr])
  const writing = [
    [process.stdout, process.stdout.write, 'output'],
    [process.stderr, process.stderr.write, 'errors'],
  ] as const
  try {
    for (const [stream, , name] of writing) {
      stream.write = (text: string | Uint8Array) => {
        written[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
        return true
      }
    }
    // The runner of the tests has a console of its own.
    console.error = (text: string) => {
      written.errors += `${text}\n`
    }
    const { SCRIPTORIUM_TEST_DATABASE: _, ...inherited } = outer
    process.env = { ...inherited, ...env }
    process.exitCode = undefined
    Object.defineProperty(process, 'stdin', { value: Readable.from(input === '' ? [] : [input]), configurable: true })
    await main(args)
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    forgetListeners()
    for (const [stream, write] of writing) stream.write = write
    console.error = printError
    process.env = outer
    process.exitCode = exitCode
    if (stdin !== undefined) Object.defineProperty(process, 'stdin', stdin)
  }
}

/**
 * A command listens for signals and errors until its process ends. Here the process goes on, so the returned function
 * removes what was added since: Node warns of a leak on standard error otherwise, in the output of a later command.
 */
function rememberListeners(emitters: readonly EventEmitter[]): () => void {
  const before = emitters.map(
    (emitter) => new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)])),
  )
  return () => {
    for (const [index, emitter] of emitters.entries())
      for (const name of emitter.eventNames()) {
        // A module that is loaded once adds its handler of the end once.
        if (name === 'exit') continue
        const kept = new Set(before[index]?.get(name))
        for (const listener of emitter.rawListeners(name))
          if (!kept.has(listener)) emitter.removeListener(name, listener as (...args: unknown[]) => void)
      }
  }
}

/** A client of the program; a new space is empty. */
export const connectProcess = (space: string, ...flags: string[]): Promise<Client> =>
  connectWith([PROGRAM.script, 'stdio', '--space', space, '--no-welcome', ...flags], root)

/** A client of the checkout's program as started by `mcp.json`. */
export async function connectCheckout(space: string, ...flags: string[]): Promise<Client> {
  const { mcpServers } = JSON.parse(readFileSync(join(root, 'mcp.json'), 'utf8'))
  const { args } = mcpServers.scriptorium
  return connectWith([...args, '--space', space, '--no-welcome', ...flags], root)
}

/** @param args  arguments of Node */
export async function connectWith(args: string[], cwd: string): Promise<Client> {
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd, env: getDefaultEnvironment() })
  const client = new Client({ name: 'tester', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** The response of a tool as an object. @throws Error with the message of the tool */
export async function structured(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: { ...askForAll(name), ...args } })
  if (result.isError) throw new Error(JSON.stringify(result.content))
  return result.structuredContent
}

export interface Running {
  child: ChildProcess
  /** The output so far. */
  output(): string
  errors(): string
  /** Resolves once the output on either stream matches. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends it if needed. Returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the program without waiting for its end. */
export function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  { script, cwd }: Program = PROGRAM,
): Running {
  const child = execFile(process.execPath, [script, ...args], { cwd, env: { ...process.env, ...env } })
  const response = { output: '', errors: '' }
  const waiting: (() => void)[] = []
  for (const [name, stream] of [
    ['output', child.stdout],
    ['errors', child.stderr],
  ] as const) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      response[name] += text
      for (const check of waiting) check()
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  onTestFinished(() => void end('SIGKILL'))
  return {
    child,
    output: () => response.output,
    errors: () => response.errors,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = pattern.exec(response.output) ?? pattern.exec(response.errors)
          if (found !== null) resolve(found)
        }
        waiting.push(check)
        void ended.then(() => reject(new Error(`Expected ${pattern}, found the program ended: ${response.errors}`)))
        check()
      }),
    end,
  }
}

/** A server of the program, and its address. */
export async function startServe(...flags: string[]): Promise<Running & { origin: string }> {
  const running = start(['serve', '--port', '0', '--no-welcome', ...flags])
  const [, origin = ''] = await running.until(/Serving at (\S+);/)
  return { ...running, origin }
}
