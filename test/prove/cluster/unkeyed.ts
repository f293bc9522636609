/** Writers without idempotency keys, which check that the responses to their calls are true. */
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { askOverRest } from '../crash/over-protocols.ts'

/** `unknown` is a call without a response, or with the response that its result is unknown. */
type Outcome = 'written' | 'not written' | 'unknown'

/** Milliseconds to wait after a call that was not written. */
const AGAIN = 50

const UNKNOWN = /so that it may be written or not/
const NOT_WRITTEN = /nothing was written/

export class UnkeyedWriters {
  /** By the word that the call wrote. */
  readonly #outcomes = new Map<string, Outcome>()
  readonly faults: string[] = []
  #isStopped = false
  readonly #writing: Promise<unknown>

  /** @param restUrl  the REST URL of a link to their space, at the proxy */
  constructor(restUrl: string, count: number) {
    this.#writing = Promise.all(Array.from({ length: count }, (_, index) => this.#write(restUrl, `unkeyed${index}`)))
  }

  async #write(restUrl: string, name: string): Promise<void> {
    for (let call = 1; !this.#isStopped; call++) {
      const word = `${name}x${call}x`
      const args = { documents: [{ title: word }] }
      const response = await askOverRest(restUrl, { key: '', tool: 'documents_add', args }).catch(() => undefined)
      this.#outcomes.set(word, this.#outcomeOf(response?.answer, response?.refused?.error))
      if (response?.answer === undefined) await delay(AGAIN)
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

  /** Returns the outcomes that are false. @param file  the file that the space was moved to */
  wrong(file: string): string[] {
    const sqlite = new Sqlite(file, { readonly: true })
    const there = sqlite.prepare<[], string>('SELECT text FROM block JOIN document USING (n)').pluck().all()
    sqlite.close()
    return [...this.#outcomes].flatMap(([word, outcome]) => {
      const count = there.filter((text) => text === word).length
      const isRight = outcome === 'unknown' ? count <= 1 : count === (outcome === 'written' ? 1 : 0)
      return isRight
        ? []
        : [`Expected ${word} once if it was written, found it ${count} times, and the response was: ${outcome}.`]
    })
  }
}
