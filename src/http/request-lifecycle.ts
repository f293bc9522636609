/** Tracks each HTTP request from its first byte to the end of its response. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Log } from '../base/background.ts'
import type { Logger } from '../base/logger.ts'
import type { RequestNotes } from '../call/request-notes.ts'

/** Data that a request carries through the server. */
export interface Env {
  Bindings: HttpBindings
  Variables: { requestContext: RequestContext }
}

/** The client disconnected before a response was started. */
const CLIENT_CLOSED_REQUEST = 499

/** Data of a request for the log. */
export interface RequestSummary extends RequestNotes {
  status: number
  ms: number
  link?: string
}

/** A request and its response. It ends when the last byte is sent or the client disconnects. */
export class RequestContext {
  readonly requestId: string = randomUUID()
  /** The ID of the link, once it is known. */
  link: string | undefined
  readonly notes: RequestNotes = {}
  readonly #outgoing: ServerResponse
  readonly #startedAt = performance.now()
  readonly #listeners: ((summary: RequestSummary) => void)[] = []
  #isFinished = false

  /** Writes a fault to the log, with the ID of the request. */
  readonly log: Log

  constructor(outgoing: HttpBindings['outgoing'], { error }: Logger) {
    this.#outgoing = outgoing as ServerResponse
    this.log = (line) => error(line, this.requestId)
    outgoing.once('close', () => this.finish())
  }

  /** Calls the listener once when the request has ended; immediately if it already has. */
  onFinish(listener: (summary: RequestSummary) => void): void {
    if (this.#isFinished) listener(this.#summary)
    else this.#listeners.push(listener)
  }

  /** Marks a response without end, such as an event stream, as finished, so that nothing waits for it. */
  finish(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    const summary = this.#summary
    for (const listener of this.#listeners.splice(0)) listener(summary)
  }

  get #summary(): RequestSummary {
    const { headersSent, statusCode } = this.#outgoing
    const ms = Math.round(performance.now() - this.#startedAt)
    return {
      status: headersSent ? statusCode : CLIENT_CLOSED_REQUEST,
      ms,
      ...(this.link !== undefined && { link: this.link }),
      ...this.notes,
    }
  }
}

/** Requests that have not ended. */
export class ActiveRequests {
  readonly #running = new Set<RequestContext>()
  #onIdle = () => {}

  add(request: RequestContext): void {
    this.#running.add(request)
    request.onFinish(() => {
      this.#running.delete(request)
      if (this.#running.size === 0) this.#onIdle()
    })
  }

  /** Resolves when no request is left, or on timeout. The timeout is in milliseconds. */
  waitUntilIdle(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, timeoutMs)
      this.#onIdle = () => {
        clearTimeout(deadline)
        resolve()
      }
      if (this.#running.size === 0) this.#onIdle()
    })
  }
}
