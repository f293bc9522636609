/** An agent in a process of its own, which dies at its steps and is started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { NO_INPUT, UNREAD } from '../../support/unread.ts'
import type { AgentOptions } from './agent-options.ts'

const PROGRAM = join(import.meta.dirname, 'agent-process.ts')

export class Agent {
  /** How many lives it has had. */
  lives = 0
  /** Each of so many lives ends at a step that is one later than that of the life before. */
  readonly #deaths: number
  readonly #options: Omit<AgentOptions, 'diesAt'>
  readonly #onStep: () => void
  #child: ChildProcess | undefined
  #isStopped = false

  /** @param onStep  is called at each step of a life */
  constructor(options: Omit<AgentOptions, 'diesAt'>, deaths: number, onStep: () => void) {
    this.#options = options
    this.#deaths = deaths
    this.#onStep = onStep
  }

  start(): void {
    const life = this.lives++
    const options: AgentOptions = { ...this.#options, diesAt: life < this.#deaths ? life + 1 : undefined }
    const stdio = [NO_INPUT, 'pipe', process.env.HANDOVER_LOG === undefined ? UNREAD : 'inherit'] as const
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], { stdio: [...stdio] })
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      for (const _ of text.matchAll(/^step \d+$/gm)) this.#onStep()
    })
    child.once('exit', () => {
      if (!this.#isStopped && this.#child === child) this.start()
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
