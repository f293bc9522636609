/** Power cuts at moments of a recording: what is then on the disk is written to a folder and looked through. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSpace } from '../../../src/space/open-space.ts'
import type { Done } from './asked.ts'
import { Disk } from './disk.ts'
import { type Examined, type Expected, examine, type Kept } from './examine.ts'
import type { Lane } from './lane.ts'
import { apply, emptyModel, type Model } from './model.ts'
import { type Recorded, SPACE } from './record.ts'

/** One cut in so many is opened as the program opens a space before it is looked through. */
const OPENED = 20

/** A folder in memory, where Linux has one: each cut is a space to be written and removed. */
const MEMORY = '/dev/shm'

export interface Cut extends Examined {
  /** Steps before it. */
  at: number
}

/** @param moments  numbers of steps, the lowest first */
export async function* cutPower(
  { steps, lanes }: Recorded,
  moments: readonly number[],
  random: () => number,
): AsyncGenerator<Cut> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scriptorium-cuts-'))
  try {
    yield* cutIn(folder, { steps, lanes }, moments, random)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function* cutIn(
  folder: string,
  { steps, lanes }: Pick<Recorded, 'steps' | 'lanes'>,
  moments: readonly number[],
  random: () => number,
): AsyncGenerator<Cut> {
  const disk = new Disk()
  const parts = lanes.map((lane) => new Part(lane))
  let taken = 0
  let told = 0
  for (const [index, moment] of moments.entries()) {
    for (const step of steps.slice(taken, moment)) {
      disk.take(step)
      if (step.does !== 'tell') continue
      told++
      for (const part of parts) part.hear(step.said)
    }
    taken = moment
    const root = join(folder, `cut-${index}`)
    writeAll(root, disk.afterPowerCut(random))
    const file = join(root, SPACE)
    // Before anything was acknowledged there need not be a space, only something that can become one.
    const opening = told === 0 || index % OPENED === 0 ? await openAndClose(file) : []
    const { lost, broken } = examine(file, (kept) => parts.map((part) => part.expected(kept)))
    rmSync(root, { recursive: true })
    yield { at: moment, lost, broken: [...opening, ...broken] }
  }
}

function writeAll(root: string, paths: ReadonlyMap<string, Buffer | undefined>): void {
  mkdirSync(root, { recursive: true })
  for (const [path, bytes] of paths) {
    // What processes share in memory is gone with the power.
    if (path.endsWith('-shm')) continue
    mkdirSync(join(root, bytes === undefined ? path : dirname(path)), { recursive: true })
    if (bytes !== undefined) writeFileSync(join(root, path), bytes)
  }
}

async function openAndClose(file: string): Promise<string[]> {
  try {
    await (await openSpace(file)).close()
    return []
  } catch (error) {
    return [`Expected a space that opens, found: ${error instanceof Error ? error.message : error}`]
  }
}

/** What one caller was told until now. */
class Part {
  readonly #lane: Lane
  readonly #model: Model = emptyModel()
  #done = 0

  constructor(lane: Lane) {
    this.#lane = lane
  }

  /** What was acknowledged later than a call of the same caller came after it: a call that nobody answered was done. */
  hear(said: string): void {
    const { key } = JSON.parse(said) as { key?: string }
    const index = this.#lane.done.findIndex((done) => done.key === key)
    for (; this.#done <= index; this.#done++) apply(this.#model, this.#lane.done[this.#done] as Done)
  }

  /**
   * With the call that was under way, where the space says that it was done; and before it the one that was under way
   * when the process before was killed, which nobody heard of.
   */
  expected(kept: Kept): Expected {
    const { done } = this.#lane
    const unheard = done.slice(this.#done)
    const count = unheard.findIndex(({ key }) => !kept.has(key))
    const isDone = count === -1 ? unheard : unheard.slice(0, count)
    const model = isDone.length > 0 ? structuredClone(this.#model) : this.#model
    for (const one of isDone) apply(model, one)
    return { done: done.slice(0, this.#done + isDone.length), model }
  }
}
