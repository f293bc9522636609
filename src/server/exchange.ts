/** Requests with their answers: how long they last, and what is known of them when they are over. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'

/** What a request brings along on its way through the server. */
export interface Env {
  Bindings: HttpBindings
  Variables: { exchange: Exchange }
}

/** Of a request whose answer was never begun, since whoever asked had gone. */
const GONE = 499

/** What the journal says of a request. */
export interface Summary {
  status: number
  ms: number
  link?: string
}

/** A request and its answer: over when the last byte is sent, or whoever asked has gone. */
export class Exchange {
  readonly requestId: string = randomUUID()
  /** The ID of the link, once it is known. */
  link: string | undefined
  readonly #outgoing: ServerResponse
  readonly #from = performance.now()
  readonly #after: ((summary: Summary) => void)[] = []
  #isOver = false

  constructor(outgoing: HttpBindings['outgoing']) {
    this.#outgoing = outgoing as ServerResponse
    outgoing.once('close', () => this.end())
  }

  /** Once, when it is over; at once if it is. */
  whenOver(work: (summary: Summary) => void): void {
    if (this.#isOver) work(this.#summary)
    else this.#after.push(work)
  }

  /** Of an answer that goes on without end, such as a stream of news: nothing waits for it. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    const summary = this.#summary
    for (const work of this.#after.splice(0)) work(summary)
  }

  get #summary(): Summary {
    const { headersSent, statusCode } = this.#outgoing
    const ms = Math.round(performance.now() - this.#from)
    return { status: headersSent ? statusCode : GONE, ms, ...(this.link !== undefined && { link: this.link }) }
  }
}

/** Those that are not over. */
export class Exchanges {
  readonly #running = new Set<Exchange>()
  #noneLeft = () => {}

  begin(exchange: Exchange): void {
    this.#running.add(exchange)
    exchange.whenOver(() => {
      this.#running.delete(exchange)
      if (this.#running.size === 0) this.#noneLeft()
    })
  }

  /** Resolves when none is left, or after `wait` milliseconds. */
  over(wait: number): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, wait)
      this.#noneLeft = () => {
        clearTimeout(deadline)
        resolve()
      }
      if (this.#running.size === 0) this.#noneLeft()
    })
  }
}
