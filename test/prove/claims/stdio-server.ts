/** `scriptorium stdio` in a process of its own, whose calls several workers make. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Program } from '../../program.ts'
import type { McpResult } from './claim-workers.ts'

export class StdioServer {
  readonly pid: number
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, (result: McpResult | undefined) => void>()
  #calls = 0

  constructor(space: string, { script, cwd, env }: Program & { env?: NodeJS.ProcessEnv }) {
    const args = [script, 'stdio', '--space', space, '--no-welcome']
    const child = spawn(process.execPath, args, { cwd, stdio: 'pipe', env: { ...process.env, ...env } })
    this.#child = child
    this.pid = child.pid ?? 0
    child.stderr.resume()
    // Writing to a process that was killed fails, and its exit answers what waits.
    child.stdin.on('error', () => {})
    createInterface(child.stdout).on('line', (line) => this.#receive(line))
    child.once('exit', () => {
      for (const answer of this.#waiting.values()) answer(undefined)
      this.#waiting.clear()
    })
  }

  /** Undefined if the process ends before it answers. */
  call(params: object): Promise<McpResult | undefined> {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) return Promise.resolve(undefined)
    const id = ++this.#calls
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`)
    })
  }

  /** Closes its input, as a host does, and waits until it has exited. */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) return
    this.#child.stdin.end()
    await once(this.#child, 'exit')
  }

  #receive(line: string): void {
    const { id, result = {} } = JSON.parse(line) as { id?: number; result?: McpResult }
    const answer = this.#waiting.get(id ?? 0)
    this.#waiting.delete(id ?? 0)
    answer?.(result)
  }
}
