/** A scenario of the proof: something that happens to a space, and the damage that it must not cause. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import type { Program } from '../attack/process.ts'
import type { Mutation } from '../mutated-sources.ts'

export interface Scenario {
  name: string
  /** The guards without which the scenario must report a fault. */
  planted: readonly Mutation[]
  /** @returns a sentence for each fault; none if the promise was kept */
  run(context: ScenarioContext): Promise<string[]>
}

export class ScenarioContext {
  readonly program: Program
  /** Libraries for LD_PRELOAD: one makes system calls fail, the other sets the clock ahead. */
  readonly libraries: { disk: string; clock: string }
  readonly #folder: string
  readonly #left: (() => Promise<void>)[] = []

  constructor(program: Program, folder: string, libraries: ScenarioContext['libraries']) {
    mkdirSync(folder, { recursive: true })
    this.program = program
    this.libraries = libraries
    this.#folder = folder
  }

  /** Creates a folder that is deleted after the proof. */
  folder(): string {
    return mkdtempSync(join(this.#folder, 'fault-'))
  }

  /** Registers a cleanup that runs after all scenarios, for example to stop a process. */
  leave(end: () => Promise<void>): void {
    this.#left.push(end)
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#left.map((end) => end()))
  }
}

const databases = new WeakMap<ScenarioContext, Promise<PostgresServer>>()

/** The database server of all scenarios. */
export function databaseOf(context: ScenarioContext): Promise<PostgresServer> {
  const started = databases.get(context) ?? startPostgres()
  if (!databases.has(context)) context.leave(async () => (await started).stop())
  databases.set(context, started)
  return started
}
