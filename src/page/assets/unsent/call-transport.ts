/** Sends single calls to the server, each within a time limit. */

import { text } from '../page-text.ts'
import type { QueuedCall, SentForm, ToolCall } from './queued-call.ts'

/** Timers, so that tests need not wait. */
export interface Clock {
  /** Calls a function once, after some milliseconds. @returns a function that prevents it */
  after(milliseconds: number, act: () => void): () => void
}

export const browserClock: Clock = {
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Milliseconds until a call without an answer is sent again. */
const ANSWER_MS = 30_000
/** Bytes in a millisecond over the slowest connection: a call takes so much longer by its size. */
const SLOWEST_BYTES_PER_MS = 8

/** The server's response to a call that it did not carry out. */
export class CallError extends Error {
  readonly code: string
  readonly status: number
  /** The HTML of a refused form, with the reason. */
  readonly page: string | undefined

  constructor(message: string, code: string, status: number, page?: string) {
    super(message)
    this.code = code
    this.status = status
    this.page = page
  }
}

/** The answer to a form: the address that it leads to, or HTML to show. */
export type FormAnswer = { leadsTo: string } | { page: string }

/** True for errors that are temporary. A quota is not: calls that free space wait behind the call that it refuses. */
export const isPassing = (error: CallError): boolean => {
  const { status, code } = error
  const mayPass = status === 408 || status === 429 || status >= 500 || code === ''
  return mayPass && code !== 'QUOTA_EXCEEDED' && !isSignedOut(error)
}

/** True if the session has ended, or is not the one of this page. */
export const isSignedOut = ({ status, code }: CallError): boolean => status === 401 || (status === 403 && code === '')

/** A call in a request that outlives the page. */
export type LastCall = Pick<QueuedCall, 'key' | 'tool' | 'arguments' | 'suggest' | 'names'>

export class CallTransport {
  readonly #base: string
  readonly #token: string
  readonly #clock: Clock

  /**
   * @param base  the base address of the space's pages
   * @param token  the form token of the session
   */
  constructor(base: string, token: string, clock: Clock) {
    this.#base = base
    this.#token = token
    this.#clock = clock
  }

  /**
   * Sends a call once.
   *
   * @throws CallError if the server refuses it, and any other error if no answer came
   */
  async post(call: Pick<ToolCall, 'tool' | 'arguments' | 'suggest' | 'file' | 'key' | 'form'>): Promise<unknown> {
    const { tool, arguments: input, suggest, file, form } = call
    if (form !== undefined) return this.#postForm(form, call.key)
    const body = file ?? JSON.stringify({ tool, arguments: input, suggest })
    const query = new URLSearchParams({ tool, arguments: JSON.stringify(input) })
    const address = file === undefined ? `${this.#base}/calls` : `${this.#base}/calls?${query}`
    const type = file === undefined ? 'application/json' : file.type || 'application/octet-stream'
    return this.#within(limitFor(body), async (signal) => {
      const headers = { ...this.#headers(call.key), 'content-type': type }
      return answerOf(await fetch(address, { method: 'POST', headers, body, signal }))
    })
  }

  async #postForm({ action, fields, at }: SentForm, key = ''): Promise<FormAnswer> {
    // The clocks of the browser and the server may differ, so that only the time since then can be compared.
    const own = { token: this.#token, waited: `${Math.max(0, Date.now() - at)}` }
    const body = new URLSearchParams([...fields.map(([name, value]) => [name, value]), ...Object.entries(own)])
    const headers = { 'hx-request': 'true', 'idempotency-key': key }
    return this.#within(limitFor(String(body)), async (signal) =>
      formAnswerOf(await fetch(`${this.#base}${action}`, { method: 'POST', headers, body, signal }), action),
    )
  }

  /** Sends calls in a request that outlives the page. Nothing is known of its answer. */
  postLast(calls: readonly LastCall[]): void {
    const headers = { ...this.#headers(), 'content-type': 'application/json' }
    const sending = fetch(`${this.#base}/calls`, { method: 'POST', headers, body: lastBody(calls), keepalive: true })
    // The calls are in the queue, from which they are sent again.
    sending.catch(() => {})
  }

  #headers(key?: string): Record<string, string> {
    return { 'x-form-token': this.#token, ...(key !== undefined && { 'idempotency-key': key }) }
  }

  /** Runs a request, and ends it after some milliseconds. */
  async #within<Answer>(milliseconds: number, request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const ending = new AbortController()
    const { promise: isLate, reject } = Promise.withResolvers<never>()
    const stop = this.#clock.after(milliseconds, () => {
      reject(new Error(`The server did not answer within ${milliseconds} ms.`))
      ending.abort()
    })
    return Promise.race([request(ending.signal), isLate]).finally(stop)
  }
}

export const lastBody = (calls: readonly LastCall[]): string => JSON.stringify({ calls })

const limitFor = (body: string | Blob): number =>
  ANSWER_MS + Math.ceil((typeof body === 'string' ? body.length : body.size) / SLOWEST_BYTES_PER_MS)

async function answerOf(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const body = isJson ? await response.json() : {}
  if (response.ok && isJson) return body.answer
  throw new CallError(
    body.error ?? text('The server answered {status}.', { status: response.status }),
    body.code ?? '',
    response.status,
  )
}

/** The message for a form whose answer is a question that no one has seen. */
const QUESTION = text('The page asks something before it does that. Do it again, and answer.')

async function formAnswerOf(response: Response, action: string): Promise<FormAnswer> {
  const leadsTo = response.headers.get('x-leads-to')
  if (leadsTo !== null) return { leadsTo }
  const page = await response.text()
  const isQuestion = response.ok && page.includes(`${action}"`)
  if (response.ok && !isQuestion) return { page }
  const reason = decodeURIComponent(response.headers.get('x-refusal') ?? '')
  const code = isQuestion ? 'QUESTION' : (response.headers.get('x-refusal-code') ?? '')
  const message = isQuestion ? QUESTION : reason || text('The server answered {status}.', { status: response.status })
  throw new CallError(message, code, response.status, page)
}
