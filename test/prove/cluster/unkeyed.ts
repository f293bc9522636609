/** Writers without idempotency keys: what they are told of each call must be true. */
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { askOverRest } from '../crash/over-protocols.ts'

/** `unknown` is what was not answered, or answered with that it is not known. */
type Outcome = 'written' | 'not written' | 'unknown'

/** Milliseconds after a call that was not written. */
const AGAIN = 50

const UNKNOWN = /so that it may be written or not/
const NOT_WRITTEN = /nothing was written/

export class UnkeyedWriters {
  /** By the word that a call wrote. */
  readonly #outcomes = new Map<string, Outcome>()
  readonly faults: string[] = []
  #isStopped = false
  readonly #writing: Promise<unknown>

  /** @param restUrl  of a link of their space, at the proxy */
  constructor(restUrl: string, count: number) {
    this.#writing = Promise.all(Array.from({ length: count }, (_, index) => this.#write(restUrl, `unkeyed${index}`)))
  }

  async #write(restUrl: string, name: string): Promise<void> {
    for (let call = 1; !this.#isStopped; call++) {
      const word = `${name}x${call}x`
      const args = { documents: [{ title: word }] }
      const told = await askOverRest(restUrl, { key: '', tool: 'documents_add', args }).catch(() => undefined)
      this.#outcomes.set(word, this.#outcomeOf(told?.answer, told?.refused?.error))
      if (told?.answer === undefined) await delay(AGAIN)
    }
  }

  #outcomeOf(answer: object | undefined, refused: string | undefined): Outcome {
    if (answer !== undefined) return 'written'
    if (refused === undefined || UNKNOWN.test(refused)) return 'unknown'
    if (!NOT_WRITTEN.test(refused)) this.faults.push(`Expected a call without a key to be written, found ${refused}`)
    return 'not written'
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#writing
  }

  count(outcome: Outcome): number {
    return [...this.#outcomes.values()].filter((one) => one === outcome).length
  }

  /** What of the outcomes is not so. @param file  the space, moved to a file */
  wrong(file: string): string[] {
    const sqlite = new Sqlite(file, { readonly: true })
    const there = sqlite.prepare<[], string>('SELECT text FROM block JOIN document USING (n)').pluck().all()
    sqlite.close()
    return [...this.#outcomes].flatMap(([word, outcome]) => {
      const count = there.filter((text) => text === word).length
      const isRight = outcome === 'unknown' ? count <= 1 : count === (outcome === 'written' ? 1 : 0)
      return isRight ? [] : [`Expected ${word} once if it was written, found it ${count} times, told: ${outcome}.`]
    })
  }
}
