/** Callers that race for a lock: of those that make the same change under the same condition, one succeeds and goes on. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Acknowledged } from '../crash/keyed-call.ts'
import { askOverRest } from '../crash/over-protocols.ts'

/** Milliseconds to wait after a call without a result. */
const AGAIN = 50

/** The lock is a block. Its text is the number of times that it was taken. */
const textOf = (turn: number): string => `taken ${turn} times`

interface Lock {
  page: string
  block: string
}

export class LockRacers {
  /** The racers that were told that they took each turn. */
  readonly #taken = new Map<number, string[]>()
  readonly #restUrl: string
  #isStopped = false
  readonly #racing: Promise<unknown>
  /** Resolves with the page of the lock. */
  readonly page: Promise<string>

  /** @param restUrl  the REST URL of a link to their space, at the proxy */
  constructor(restUrl: string, count: number) {
    this.#restUrl = restUrl
    const prepared = this.#prepare()
    this.page = prepared.then(({ page }) => page)
    this.#racing = prepared.then((lock) =>
      Promise.all(Array.from({ length: count }, (_, index) => this.#race(lock, `racer ${index}`))),
    )
  }

  async #prepare(): Promise<Lock> {
    const args = { documents: [{ title: 'Locks', markdown: textOf(0) }] }
    const added = await this.#ask('documents_add', args)
    const [{ id: page } = { id: '' }] = (added?.answer as { items: { id: string }[] } | undefined)?.items ?? []
    const read = await this.#ask('blocks_get', { id: page })
    const [{ id: block } = { id: '' }] = (read?.answer as { content: { id: string }[] } | undefined)?.content ?? []
    if (block === '') throw new Error(`Expected a block as lock, found ${JSON.stringify([added, read])}`)
    return { page, block }
  }

  async #race({ page, block }: Lock, name: string): Promise<void> {
    for (let turn = 0; !this.#isStopped; ) {
      const change = { id: block, markdown: textOf(turn + 1), expectedMarkdown: textOf(turn) }
      const note = { markdown: `${name}: ${turn}`, position: { position: 'end', pageId: page } }
      const response = await this.#ask('batch', {
        steps: [
          { tool: 'blocks_update', arguments: { blocks: [change] } },
          { tool: 'blocks_add', arguments: note },
        ],
      })
      if (response?.answer !== undefined) {
        turn++
        this.#taken.set(turn, [...(this.#taken.get(turn) ?? []), name])
        continue
      }
      if (response?.refused?.code !== 'CONFLICT') await delay(AGAIN)
      turn = await this.#readTurn(block, turn)
    }
  }

  /** Returns the last known turn if the block cannot be read at the moment. */
  async #readTurn(block: string, turn: number): Promise<number> {
    const read = await this.#ask('blocks_get', { id: block })
    const { markdown = textOf(turn) } = (read?.answer ?? {}) as { markdown?: string }
    return Number(/\d+/.exec(markdown)?.[0])
  }

  #ask(tool: string, args: Record<string, unknown>): Promise<Acknowledged | undefined> {
    return askOverRest(this.#restUrl, { key: '', tool, args }).catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#racing
  }

  /** How often the lock was taken by a racer that knows. */
  get turns(): number {
    return this.#taken.size
  }

  get faults(): string[] {
    return [...this.#taken]
      .filter(([, names]) => names.length > 1)
      .map(([turn, names]) => `Expected one to take the lock in turn ${turn}, found ${names.join(' and ')}.`)
  }
}
