/** Starts processes that write to a space, those of the harness and the program itself, and sends them calls. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startServe } from '../../http/serve-process.ts'
import { UNREAD } from '../../support/unread.ts'
import { ROOT } from '../mutated-sources.ts'
import type { Acknowledged, KeyedCall } from './keyed-call.ts'
import { askOverMcp, askOverRest } from './over-protocols.ts'

export interface Writing {
  /** Returns the response, or undefined if the process ended first. */
  call(call: KeyedCall): Promise<Acknowledged | undefined>
  /** Kills the process like kill -9. Resolves once it has exited. */
  kill(): Promise<void>
  /** Ends the process as its callers normally do. */
  end(): Promise<void>
  pid: number
  /** Set if the process also accepts proposals and decisions. */
  takesProposals?: true
}

/**
 * Starts the writing process of the harness.
 *
 * @param signal  the signal used to kill it
 */
export async function startWriter(
  program: string,
  space: string,
  env: NodeJS.ProcessEnv = {},
  signal: 'SIGKILL' | 'SIGUSR2' = 'SIGKILL',
): Promise<Writing> {
  const child = spawn(process.execPath, [program, space], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const response = readAll(child)
  const lines = await talk(child.stdout, child.stdin, response)
  return {
    ...lines,
    takesProposals: true,
    async kill() {
      child.kill(signal)
      await lines.over
    },
    async end() {
      child.stdin.end()
      await lines.over
    },
  }
}

/** Writing processes that are forked from a single parent. */
export interface Forks {
  start(space: string): Promise<Writing>
  /** Starts a process and kills it this many milliseconds after it began to open the space. */
  fall(space: string, after: number): Promise<void>
  close(): void
}

/** @param library  the compiled fork.c */
export async function startForks(program: string, library: string, folder: string): Promise<Forks> {
  const child = spawn(process.execPath, ['--single-threaded', '--v8-pool-size=0', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LD_PRELOAD: library },
  })
  await once(child.stdout, 'data')
  let count = 0
  const fork = async (space: string): Promise<Socket> => {
    const path = join(folder, `socket-${++count}`)
    const server = createServer()
    server.listen(path)
    await once(server, 'listening')
    const connected = once(server, 'connection') as Promise<[Socket]>
    child.stdin.write(JSON.stringify({ space, path }))
    const [socket] = await connected
    server.close()
    return socket
  }
  // Sequentially: the parent reads a request with a single read, so that two at once would be merged.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (space: string): Promise<Socket> => {
    const forked = last.then(() => fork(space))
    last = forked
    return forked
  }
  return {
    async fall(space, after) {
      const socket = await inTurn(space)
      socket.on('error', () => {})
      const closed = once(socket, 'close')
      const [line] = (await once(socket, 'data')) as [Buffer]
      const { opening } = JSON.parse(line.toString().split('\n')[0] ?? '') as { opening: number }
      await delay(after)
      process.kill(opening, 'SIGKILL')
      await closed
    },
    async start(space) {
      const socket = await inTurn(space)
      const lines = await talk(socket, socket, () => 'it says nothing')
      return {
        ...lines,
        takesProposals: true,
        async kill() {
          process.kill(lines.pid, 'SIGKILL')
          await lines.over
        },
        async end() {
          socket.end()
          await lines.over
        },
      }
    },
    close: () => void child.kill('SIGKILL'),
  }
}

/** Sends and receives lines, from when the other side is ready until it exits. */
async function talk(input: Readable, output: Writable, text: () => string) {
  const waiting = new Map<string, (response: Acknowledged | undefined) => void>()
  const ready = Promise.withResolvers<number>()
  const over = Promise.withResolvers<void>()
  let isOver = false
  const lines = createInterface(input)
  lines.on('line', (line) => {
    const response: Acknowledged | { ready: number } | { opening: number } = JSON.parse(line)
    if ('opening' in response) return
    if ('ready' in response) return ready.resolve(response.ready)
    waiting.get(response.key)?.(response)
    waiting.delete(response.key)
  })
  // On close and not on exit: acknowledgements may still be in the pipe after the exit.
  input.once('close', () => {
    isOver = true
    for (const resolve of waiting.values()) resolve(undefined)
    ready.reject(new Error(`Expected a process that writes, found that it ended: ${text()}`))
    over.resolve()
  })
  // A killed process leaves requests unread, which causes an error on this side of the stream.
  for (const stream of new Set([input, output, lines])) stream.on('error', () => {})
  const pid = await ready.promise
  const call = (call: KeyedCall) =>
    new Promise<Acknowledged | undefined>((resolve) => {
      if (isOver) return resolve(undefined)
      waiting.set(call.key, resolve)
      output.write(`${JSON.stringify(call)}\n`)
    })
  return { pid, call, over: over.promise }
}

function readAll({ stderr }: ChildProcess): () => string {
  let output = ''
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-2_000)
  })
  return () => output
}

const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0']

/** Starts `scriptorium stdio` the way a host does, with an MCP client. */
export async function startStdio(space: string): Promise<Writing> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['src/start.js', 'stdio', '--space', space, '--no-welcome', ...UNLIMITED],
    cwd: ROOT,
    env: getDefaultEnvironment(),
    stderr: UNREAD,
  })
  const client = new Client({ name: 'prover', version: '1.0.0' })
  await client.connect(transport)
  const pid = transport.pid ?? 0
  const gone = new Promise<void>((resolve) => {
    client.onclose = resolve
  })
  return {
    pid,
    call: (call) => askOverMcp(client, call).catch(() => undefined),
    async kill() {
      process.kill(pid, 'SIGKILL')
      await gone
    },
    end: () => client.close(),
  }
}

/** Starts `scriptorium serve` and calls it over REST. */
export async function startRest(space: string): Promise<Writing> {
  const serving = await startServe(space)
  return {
    pid: serving.pid,
    call: (call) => askOverRest(serving.restUrl, call).catch(() => undefined),
    async kill() {
      process.kill(serving.pid, 'SIGKILL')
      await serving.close()
    },
    end: () => serving.close(),
  }
}
