/**
 * Puts load on a server from a process of its own: connections that stay open, each with one request at a time. It uses
 * bare sockets, so that sending requests costs little compared with answering them.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Load {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** The body of the first request of each connection. Further requests have the session ID from its response. */
  opening?: string
  /** A text that every response must contain, so that refusals do not count. */
  contains: string
  connections: number
  /** The duration in milliseconds. */
  time: number
  /** Requests per second over all connections, evenly spaced. When absent, each follows the previous response. */
  pace?: number
}

export interface Loaded {
  /** Responses per second. */
  rate: number
  /** In milliseconds. */
  p50: number
  p99: number
}

export interface Loader {
  /** @throws if a response is not the expected one */
  run(load: Load): Promise<Loaded>
  close(): void
}

export function startLoader(): Loader {
  const child: ChildProcess = fork(import.meta.filename, { execArgv: [] })
  return {
    async run(load) {
      child.send(load)
      const [result] = (await once(child, 'message')) as [Loaded | { fault: string }]
      if ('fault' in result) throw new Error(result.fault)
      return result
    },
    close: () => child.disconnect(),
  }
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.on('message', async (load: Load) => {
    process.send?.(await answersTo(load).catch((error: Error) => ({ fault: error.message })))
  })
}

async function answersTo(load: Load): Promise<Loaded> {
  const asker = await Promise.all(Array.from({ length: load.connections }, () => Asker.open(load)))
  const times: number[] = []
  // Node accepts one connection per turn of its event loop, so with many of them the last would wait as long as a short
  // run.
  await Promise.all(asker.map((one) => one.ask()))
  const from = performance.now()
  const until = from + load.time
  await Promise.all(asker.map((one, index) => one.askUntil(until, times, index)))
  const seconds = (performance.now() - from) / 1000
  for (const one of asker) one.close()
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}

class Asker {
  readonly #socket: Socket
  readonly #load: Load
  #request: Buffer
  #received = ''
  #answered: (answer: string) => void = () => {}
  #failed: (error: Error) => void = () => {}

  static async open(load: Load): Promise<Asker> {
    const { hostname, port } = new URL(load.url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    const asker = new Asker(socket, load)
    if (load.opening !== undefined) await asker.#openSession(load.opening)
    return asker
  }

  constructor(socket: Socket, load: Load) {
    this.#socket = socket
    this.#load = load
    this.#request = requestOf(load, load.body)
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text
      if (!isWhole(this.#received)) return
      const answer = this.#received
      this.#received = ''
      this.#answered(answer)
    })
    socket.on('close', () => this.#failed(new Error('Expected a connection that stays, found it closed.')))
    socket.on('error', (error) => this.#failed(error))
  }

  /** @param index  the index of this connection, since connections with a pace take turns */
  async askUntil(until: number, times: number[], index: number): Promise<void> {
    const { pace, connections } = this.#load
    const start = performance.now()
    for (let count = 0; performance.now() < until; count++) {
      if (pace !== undefined) {
        const due = start + ((index + count * connections) * 1000) / pace
        if (due >= until) return
        await delay(Math.max(0, due - performance.now()))
      }
      const from = performance.now()
      await this.ask()
      times.push(performance.now() - from)
    }
  }

  /** @throws if the response is not the expected one */
  async ask(): Promise<void> {
    const answer = await this.#send(this.#request)
    if (!answer.includes(this.#load.contains)) {
      throw new Error(`Expected ${this.#load.contains} in the answer, found ${answer.slice(0, 2_000)}`)
    }
  }

  close(): void {
    this.#failed = () => {}
    this.#socket.destroy()
  }

  async #openSession(opening: string): Promise<void> {
    const answer = await this.#send(requestOf(this.#load, opening))
    const [, session] = /^mcp-session-id: *(\S+)/im.exec(answer) ?? []
    if (session === undefined) throw new Error(`Expected a session, found ${answer}`)
    const headers = { ...this.#load.headers, 'mcp-session-id': session }
    this.#request = requestOf({ ...this.#load, headers }, this.#load.body)
  }

  #send(request: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.write(request)
    })
  }
}

function requestOf({ url, method, headers = {} }: Load, body = ''): Buffer {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers, 'content-length': String(Buffer.byteLength(body)) })
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${head}\r\n\r\n${body}`)
}

/** True if a response is complete, according to its content length or its chunks. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = text.slice(0, end)
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? []
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length)
}
