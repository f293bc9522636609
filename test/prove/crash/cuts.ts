/** Simulates power cuts at chosen steps of a recording: writes what is then on the disk to a folder and examines it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSpace } from '../../../src/space/open-space.ts'
import { Disk } from './disk.ts'
import { type Examined, type Expected, examine, type StoredResponses } from './examine.ts'
import type { AnsweredCall } from './keyed-call.ts'
import type { Lane } from './lane.ts'
import { apply, emptyModel, type Model } from './model.ts'
import { type Recorded, SPACE } from './record.ts'

/** One of this many cuts is also opened by the program before the examination. */
const OPENED = 20

/** A folder in memory, if the system is Linux: a space is written and removed for each cut. */
const MEMORY = '/dev/shm'

export interface Cut extends Examined {
  /** The number of steps before the cut. */
  at: number
}

/** @param moments  numbers of steps, in ascending order */
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
  let acknowledged = 0
  for (const [index, moment] of moments.entries()) {
    for (const step of steps.slice(taken, moment)) {
      disk.apply(step)
      if (step.does !== 'tell') continue
      acknowledged++
      for (const part of parts) part.onMessage(step.text)
    }
    taken = moment
    const root = join(folder, `cut-${index}`)
    writeAll(root, disk.afterPowerCut(random))
    const file = join(root, SPACE)
    // Before the first acknowledgement there need not be a space, only files from which one can be opened.
    const opening = acknowledged === 0 || index % OPENED === 0 ? await openAndClose(file) : []
    const { lost, broken } = examine(file, (kept) => parts.map((part) => part.expected(kept)))
    rmSync(root, { recursive: true })
    yield { at: moment, lost, broken: [...opening, ...broken] }
  }
}

function writeAll(root: string, paths: ReadonlyMap<string, Buffer | undefined>): void {
  mkdirSync(root, { recursive: true })
  for (const [path, bytes] of paths) {
    // Shared memory is lost in a power cut.
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

/** What one caller knows at some step of the recording. */
class Part {
  readonly #lane: Lane
  readonly #model: Model = emptyModel()
  #done = 0

  constructor(lane: Lane) {
    this.#lane = lane
  }

  /**
   * Reads an acknowledgement. A caller's earlier calls without a response were done too, since it calls in sequence.
   */
  onMessage(text: string): void {
    const { key } = JSON.parse(text) as { key?: string }
    const index = this.#lane.done.findIndex((done) => done.key === key)
    for (; this.#done <= index; this.#done++) apply(this.#model, this.#lane.done[this.#done] as AnsweredCall)
  }

  /**
   * Includes the pending call if the space says that it was done, and before it the call that was pending when the
   * previous process was killed, which got no response.
   */
  expected(kept: StoredResponses): Expected {
    const { done } = this.#lane
    const unheard = done.slice(this.#done)
    const count = unheard.findIndex(({ key }) => !kept.has(key))
    const isDone = count === -1 ? unheard : unheard.slice(0, count)
    const model = isDone.length > 0 ? structuredClone(this.#model) : this.#model
    for (const one of isDone) apply(model, one)
    return { done: done.slice(0, this.#done + isDone.length), model }
  }
}
