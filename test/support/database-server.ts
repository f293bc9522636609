/** Runs `scriptorium serve` on a database. The server can be killed and restarted on the same port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { portOf } from '../http/serve-process.ts'
import { NO_INPUT, UNREAD } from './unread.ts'

const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']

/** Milliseconds until a server that could not start is started again. */
const AGAIN = 250

export class DatabaseServer {
  readonly port: number
  isListening = false
  /** Grows with each kill. */
  kills = 0
  /** The output of the server before it ended on its own, which should never happen. */
  readonly faults: string[] = []
  readonly #script: string
  readonly #address: string
  readonly #flags: readonly string[]
  #child: ChildProcess | undefined

  /**
   * @param script  the program to run
   * @param flags  flags in addition to those for the port and limits
   */
  constructor(script: string, address: string, port: number, flags: readonly string[] = []) {
    this.#flags = flags
    this.#script = script
    this.#address = address
    this.port = port
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /**
   * Resolves once the server listens. A server that finds no database exits, and is started again, as a supervisor
   * does.
   */
  async start(): Promise<void> {
    for (;;) {
      const child = this.#spawn()
      try {
        await portOf(child)
        this.isListening = true
        return
      } catch {
        await delay(AGAIN)
      }
    }
  }

  #spawn(): ChildProcess {
    const args = [this.#script, 'serve', '--port', String(this.port), '--no-welcome', ...UNLIMITED, ...this.#flags]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, SCRIPTORIUM_DATABASE: this.#address },
      stdio: [NO_INPUT, UNREAD, 'pipe'],
    })
    this.#child = child
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-1_000)
    })
    child.once('exit', (code) => {
      if (this.isListening) this.faults.push(`Expected the server to go on, found it ended with ${code}: ${output}`)
      this.isListening = false
    })
    return child
  }

  /** Kills the server with `kill -9`. Resolves when the process has ended. */
  async kill(): Promise<void> {
    this.kills++
    await this.#end('SIGKILL')
  }

  /** Ends the server like an operator does, with SIGTERM. */
  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    this.isListening = false
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
