/** What a scenario of the proof is: something that happens to a space, and what must not come of it. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from '../attack/process.ts'
import type { Mutation } from '../mutated-sources.ts'

export interface Scenario {
  name: string
  /** The guards without which the scenario has to find a fault. */
  planted: readonly Mutation[]
  /** @returns a sentence for each fault; none where the promise was kept */
  run(workshop: Workshop): Promise<string[]>
}

export class Workshop {
  readonly program: Program
  /** A library that makes calls of the system fail, and one that sets the clock ahead: both to be preloaded. */
  readonly libraries: { disk: string; clock: string }
  readonly #folder: string
  readonly #left: (() => Promise<void>)[] = []

  constructor(program: Program, folder: string, libraries: Workshop['libraries']) {
    mkdirSync(folder, { recursive: true })
    this.program = program
    this.libraries = libraries
    this.#folder = folder
  }

  /** A new folder, gone after the proof. */
  folder(): string {
    return mkdtempSync(join(this.#folder, 'fault-'))
  }

  /** What is to be done when all scenarios have ended, such as to end a process that one of them left running. */
  leave(end: () => Promise<void>): void {
    this.#left.push(end)
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#left.map((end) => end()))
  }
}
