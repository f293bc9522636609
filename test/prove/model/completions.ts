/**
 * Which repeating tasks were completed when. A completion within a minute of another one, by a caller that has not read
 * the task since, changes nothing. Undo does not change what was read.
 */
import { RECENT_CHANGE_SECONDS } from '../../../src/base/limits.ts'
import type { Block } from './world.ts'

interface Completion {
  at: number
  /** The number of the call. */
  call: number
  /** When the task was due before. */
  due: string | undefined
}

const dueOf = ({ task }: Block): string | undefined => task?.scheduleDate ?? task?.deadlineDate

export class Completions {
  readonly #before = new Map<Block, Completion[]>()
  /** The last call that each caller could see when it read a task. */
  readonly #reads = new Map<string, Map<Block, number>>()
  /** What the present call completes, with the day that it was due, and what it has read. */
  #inCall = new Map<Block, string | undefined>()
  #read: readonly Block[] = []
  #calls = 0

  begin(): void {
    this.#inCall = new Map()
    this.#read = []
  }

  note(block: Block): void {
    this.#inCall.set(block, dueOf(block))
  }

  /** Notes what the caller has read before the present call, which is refused if it changed since. */
  noteRead(blocks: readonly Block[]): void {
    this.#read = blocks
  }

  declines(block: Block, { now, author }: { now: number; author: string }): boolean {
    if (this.#inCall.has(block)) return true
    const since = now - RECENT_CHANGE_SECONDS * 1_000
    const read = this.#read.includes(block) ? this.#calls : (this.#reads.get(author)?.get(block) ?? 0)
    const due = dueOf(block)
    return (this.#before.get(block) ?? []).some(
      ({ at, call, due: before }) =>
        call > read && at >= since && due !== undefined && (before === undefined || before < due),
    )
  }

  /** Call it once the call is carried out. */
  keep({ now, author }: { now: number; author: string }): void {
    const reads = this.#reads.get(author) ?? new Map<Block, number>()
    this.#reads.set(author, reads)
    for (const block of this.#read) reads.set(block, this.#calls)
    this.#calls++
    for (const [block, due] of this.#inCall) {
      const all = this.#before.get(block) ?? []
      this.#before.set(block, [...all, { at: now, call: this.#calls, due }])
    }
  }
}
