/** A server as those who operate it see it: its probes, its log, its metrics, and what its clients are answered. */
import type { ChildProcess } from 'node:child_process'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '../../support/free-ports.ts'
import { commandOf, endProcess, startProgram } from '../attack/process.ts'
import type { ScenarioContext } from '../faults/scenario.ts'
import { UNLIMITED } from '../faults/transports.ts'

export interface Answered {
  status: number
  body: string
  /** Of an error. */
  code?: string
  /** The serial number of the certificate. */
  certificate?: string
}

/** Milliseconds in which what must come has to come, also on a busy machine. `/ready` is cached for five seconds. */
const PATIENCE_MS = 25_000
const PAUSE_MS = 250
/** Sources without a build take longer to load. */
const START_MS = 90_000

export class Served {
  readonly #child: ChildProcess
  readonly #base: string
  readonly #metricsPort: number
  #restUrl = ''
  #output = ''

  private constructor(child: ChildProcess, base: string, metricsPort: number) {
    this.#child = child
    this.#base = base
    this.#metricsPort = metricsPort
  }

  /** @param place  the file of a space, or its address in a database */
  static async start(
    context: ScenarioContext,
    place: string,
    { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
  ): Promise<Served> {
    const { program } = context
    const [port = 0, metricsPort = 0] = await freePorts(2)
    const given = ['--space', place, '--port', `${port}`, '--metrics-port', `${metricsPort}`, '--limit-ip', '0']
    const child = startProgram(program, ['serve', ...given, '--no-welcome', ...UNLIMITED, ...args], env)
    context.leave(() => endProcess(child, 'SIGKILL'))
    const scheme = args.includes('--tls-cert') ? 'https' : 'http'
    const served = new Served(child, `${scheme}://127.0.0.1:${port}`, metricsPort)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      served.#output += text
    })
    child.stdout?.resume()
    const isStarted = async () => served.#output.includes('Serving at') || child.exitCode !== null
    if (!(await served.until(isStarted, START_MS)) || child.exitCode !== null)
      throw new Error(`Expected a server that listens, found ${served.#output}`)
    const made = await commandOf(program, ['links', 'add', '--json', '--space', place, '--port', `${port}`])
    served.#restUrl = new URL((JSON.parse(made) as { restUrl: string }).restUrl).pathname
    return served
  }

  async get(path: string): Promise<Answered> {
    return ask('GET', `${this.#base}${path}`)
  }

  ready = (): Promise<Answered> => this.get('/ready')

  addDocument(title: string): Promise<Answered> {
    return ask('POST', `${this.#base}${this.#restUrl}/documents`, { documents: [{ title }] })
  }

  addFile(pageId: string, text: string): Promise<Answered> {
    const query = new URLSearchParams({ fileName: 'a.txt', position: 'end', pageId })
    return ask('POST', `${this.#base}${this.#restUrl}/upload?${query}`, text)
  }

  /** The sum of the samples of a metric whose labels have this text. */
  async metric(name: string, labels = ''): Promise<number> {
    const { body } = await ask('GET', `http://127.0.0.1:${this.#metricsPort}/metrics`)
    const samples = body.split('\n').filter((line) => line.startsWith(name) && line.includes(labels))
    return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }

  /** The lines of the log, and those that are no JSON. */
  log(): { lines: { level?: number; code?: string; msg?: string }[]; others: string[] } {
    const others: string[] = []
    const lines = this.#output
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as { level?: number }]
        } catch {
          others.push(line)
          return []
        }
      })
    return { lines, others }
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  end = (): Promise<void> => endProcess(this.#child)

  /** Waits for a condition. @returns false if it did not come true */
  async until(condition: () => Promise<boolean>, milliseconds = PATIENCE_MS): Promise<boolean> {
    for (const end = performance.now() + milliseconds; performance.now() < end; await delay(PAUSE_MS)) {
      if (await condition()) return true
    }
    return condition()
  }
}

/** A request on a connection of its own, whatever certificate the server has. Never rejects. */
function ask(method: string, url: string, body?: object | string): Promise<Answered> {
  const request = url.startsWith('https') ? requestSecure : requestPlain
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  const headers = body === undefined ? {} : { 'content-type': type }
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, body: error.message })
    const options = { method, headers, rejectUnauthorized: false, agent: false, timeout: PATIENCE_MS }
    const sent = request(url, options, (response) => {
      const { socket } = response as unknown as {
        socket: { getPeerCertificate?(): { fingerprint: string } }
      }
      const certificate = socket.getPeerCertificate?.().fingerprint
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('error', failed)
      response.on('end', () =>
        resolve({
          ...{ status: response.statusCode ?? 0, body: text },
          ...(codeIn(text) && { code: codeIn(text) as string }),
          ...(certificate !== undefined && { certificate }),
        }),
      )
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', failed)
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body)
  })
}

const codeIn = (text: string): string | undefined => /"code":"([A-Z_]+)"/.exec(text)?.[1]
