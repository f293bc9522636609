/**
 * A persistent queue of tool calls that scripts of a page make. Calls are stored in the browser until the server has
 * responded, and are sent in order, one at a time per document, even by another tab or after a reload. Each call has an
 * idempotency key, so that it is carried out once even if a response is lost. Each session has its own queue, and its
 * calls are never sent by another one (session-name.ts).
 *
 *     const { items } = await calls.make({ tool: 'tasks_add', arguments: { tasks: [...] } })
 *     await calls.make({ document: id, tool: 'blocks_move', arguments: { ... } })    // after earlier ones of the document
 *     calls.read({ tool: 'documents_search', arguments: { include: ['boat'] } })     // immediately, without the queue
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { inBackground } from './page-background.ts'
import { databaseName, randomHex } from './session-name.ts'
import { session } from './this-session.ts'

export interface ToolCall {
  tool: string
  arguments: Record<string, unknown>
  /** Calls with the same document, or without one, are sent in order. */
  document?: string
  /** The bytes of a file, for `files_add`. */
  file?: Blob
  /** Placeholders for IDs in later calls, each with the path of the ID in the response, such as `items.0.id`. */
  names?: Readonly<Record<string, string>>
  /** The tab in which its text was typed. */
  tab?: string
  /** True to keep the call for {@link Calls.refused} if it is refused, since it contains text of a person. */
  isKept?: true
}

export interface QueuedCall extends ToolCall {
  /** Its position in the order of calls. */
  order: number
  document: string
  /** Its idempotency key. */
  key: string
  /** True once it was sent, after which it must not change. */
  isSent?: true
}

/** The server's response to a call that it did not carry out. */
export class CallError extends Error {
  readonly code: string
  readonly status: number

  constructor(message: string, code: string, status: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

export interface RefusedCall extends QueuedCall {
  error: { message: string; code: string }
}

export interface Tables extends DBSchema {
  calls: { key: number; value: QueuedCall; indexes: { document: string } }
  refused: { key: number; value: RefusedCall; indexes: { document: string } }
  names: { key: string; value: { name: string; id: string } }
}

/** Looks up the IDs of placeholders. */
interface Names {
  get(name: string): Promise<{ id: string } | undefined>
}

/** The outcome of a call, which is sent to all tabs. */
type Outcome =
  | { order: number; document: string; answer: unknown }
  | (Pick<RefusedCall, 'order' | 'document' | 'error'> & { status: number })

/** The state of the connection. Calls wait while the server cannot be reached, and until the person signs in again. */
export type Connection = 'online' | 'offline' | 'signed-out'

const KEY_BYTES = 16
const RETRY_MS = 2_000
const RETRY_MAX_MS = 30_000

export class Calls extends EventTarget {
  readonly #base: string
  /** Names the queue, its messages to other tabs, and its locks. */
  readonly #name: string
  readonly #token: string
  readonly #database: Promise<IDBPDatabase<Tables>>
  readonly #channel: BroadcastChannel
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>()
  readonly #sending = new Map<string, Promise<void>>()
  #connection: Connection = 'online'
  #wake: (() => void) | undefined

  /**
   * @param base  the base address of the space's pages
   * @param session  the name of the session
   * @param token  its form token
   */
  constructor(base: string, session: string, token: string) {
    super()
    this.#base = base
    this.#name = databaseName(base, session)
    this.#token = token
    this.#database = openDB<Tables>(this.#name, 1, {
      upgrade(database) {
        for (const table of ['calls', 'refused'] as const) {
          database
            .createObjectStore(table, { keyPath: 'order', autoIncrement: true })
            .createIndex('document', 'document')
        }
        database.createObjectStore('names', { keyPath: 'name' })
      },
      // The person deletes what this session left behind.
      blocking: (_version, _next, event) => (event.target as IDBDatabase).close(),
    })
    this.#channel = new BroadcastChannel(`${this.#name} calls`)
    this.#channel.addEventListener('message', ({ data }) => this.#deliver(data))
    window.addEventListener('online', () => this.#wake?.())
    document.addEventListener('visibilitychange', () => this.#wake?.())
  }

  /** Sends calls that an earlier page or a closed tab has left in the queue. */
  async resume(): Promise<void> {
    const left = await (await this.#database).getAll('calls')
    for (const document of new Set(left.map((call) => call.document))) this.#send(document)
  }

  get connection(): Connection {
    return this.#connection
  }

  /**
   * Makes a call after all earlier calls of the same document. The promise only lives as long as the page, but the call
   * stays in the queue until it was sent.
   *
   * @throws CallError if the server refuses the call
   */
  async make<Answer>(call: ToolCall): Promise<Answer> {
    const order = await this.keep(call)
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(order, { resolve: resolve as (answer: unknown) => void, reject })
      this.#send(call.document ?? '')
    })
  }

  /** Queues a call and starts sending. Resolves once the call is stored. @returns its position in the order */
  async keep(call: ToolCall): Promise<number> {
    const kept = { ...call, document: call.document ?? '', key: randomHex(KEY_BYTES) }
    const order = await (await this.#database).add('calls', kept as QueuedCall)
    this.#send(kept.document)
    this.#announce()
    return order
  }

  /** Makes a call that reads, without queueing it. Fails if the server cannot be reached. @throws CallError */
  async read<Answer>(call: Pick<ToolCall, 'tool' | 'arguments'>): Promise<Answer> {
    const names = (await this.#database).transaction('names').store
    return (await this.#post({ ...call, arguments: await withIds(call.arguments, names) })) as Answer
  }

  /** The unanswered calls of a document, in order. */
  async pending(document: string): Promise<QueuedCall[]> {
    return (await this.#database).getAllFromIndex('calls', 'document', document)
  }

  /** Changes a call that was not sent yet. @returns false if it was sent already */
  async amend(order: number, change: (call: QueuedCall) => QueuedCall | undefined): Promise<boolean> {
    const transaction = (await this.#database).transaction('calls', 'readwrite')
    const call = await transaction.store.get(order)
    const changed = call === undefined || call.isSent ? undefined : change(call)
    if (changed !== undefined) await transaction.store.put(changed)
    await transaction.done
    return changed !== undefined
  }

  /** The refused calls of a document that contain text of a person. */
  async refused(document: string): Promise<RefusedCall[]> {
    return (await this.#database).getAllFromIndex('refused', 'document', document)
  }

  /** Passes each refused call of a document to `save`, in one tab only, and deletes it once its text is saved. */
  async eachRefused(document: string, save: (call: RefusedCall) => Promise<void>): Promise<void> {
    await this.#exclusively(`refused ${document}`, async () => {
      for (const call of await this.refused(document)) {
        await save(call)
        await (await this.#database).delete('refused', call.order)
      }
    })
  }

  /** True if a call depends on something that a queued call will create. */
  async dependsOnPending({ document, arguments: input }: QueuedCall): Promise<boolean> {
    const text = JSON.stringify(input)
    const pending = await this.pending(document)
    return pending.some(({ names = {} }) => Object.keys(names).some((name) => text.includes(name)))
  }

  /** Queues a refused call again. */
  async requeue({ order: _order, key: _key, isSent: _sent, error: _error, ...call }: RefusedCall): Promise<void> {
    await this.keep(call)
  }

  /** The ID of a placeholder, once the call that creates it was answered. */
  async idOf(name: string): Promise<string | undefined> {
    return (await (await this.#database).get('names', name))?.id
  }

  /** Resolves once every call of the document was answered. */
  async settled(document: string): Promise<void> {
    while (this.#sending.has(document)) await this.#sending.get(document)
  }

  /** Resolves once every call of every document was answered, or the server cannot be reached. */
  async allSettled(): Promise<void> {
    while (this.#connection === 'online' && this.#sending.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.addEventListener('state', () => resolve(), { once: true })
      await Promise.race([promise, ...this.#sending.values()])
    }
  }

  #send(document: string): void {
    if (this.#sending.has(document)) return
    const sending = this.#exclusively(`calls ${document}`, () => this.#sendAll(document)).finally(async () => {
      // Without the lock, since a tab in which the person has signed in again can send the calls.
      if (this.#connection === 'signed-out') await this.#pause(RETRY_MAX_MS)
      this.#sending.delete(document)
      // A call may have been queued since the last check.
      if ((await this.pending(document)).length > 0) this.#send(document)
      else this.#announce()
    })
    this.#sending.set(document, sending)
    inBackground(() => sending)
  }

  /**
   * Runs work in one tab at a time. Browsers only have locks in secure contexts; without them, idempotency keys still
   * prevent duplicates.
   */
  async #exclusively(what: string, work: () => Promise<void>): Promise<void> {
    if (navigator.locks === undefined) return work()
    await navigator.locks.request(`${this.#name} ${what}`, work)
  }

  async #sendAll(document: string): Promise<void> {
    const database = await this.#database
    for (;;) {
      const cursor = await database.transaction('calls').store.index('document').openCursor(document)
      if (cursor === null) return
      const call = cursor.value.isSent ? cursor.value : await this.#markSent(cursor.value)
      const outcome = await this.#outcomeOf(call)
      if (outcome === undefined) return
      await this.#finish(call, outcome)
    }
  }

  /** Sends a call until it is answered. @returns undefined if the session of this page has ended */
  async #outcomeOf(call: QueuedCall): Promise<Outcome | undefined> {
    const { order, document } = call
    try {
      return { order, document, answer: await this.#postUntilAnswered(call) }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (isSignedOut(error)) return undefined
      const { message, code, status } = error
      return { order, document, error: { message, code }, status }
    }
  }

  /** Marks a call as sent, so that a retry sends the same data. @returns the call to send */
  async #markSent(read: QueuedCall): Promise<QueuedCall> {
    // In one transaction, so that a concurrent change is either part of the sent call or refused.
    const transaction = (await this.#database).transaction(['calls', 'names'], 'readwrite')
    const kept = transaction.objectStore('calls')
    // Without locks, another tab may have sent it already. The key prevents that it is carried out twice.
    const call = (await kept.get(read.order)) ?? read
    const sent = {
      ...call,
      arguments: await withIds(call.arguments, transaction.objectStore('names')),
      isSent: true,
    } as const
    await kept.put(sent)
    await transaction.done
    return sent
  }

  async #finish(call: QueuedCall, outcome: Outcome): Promise<void> {
    const transaction = (await this.#database).transaction(['calls', 'refused', 'names'], 'readwrite')
    await transaction.objectStore('calls').delete(call.order)
    if ('answer' in outcome) {
      for (const [name, path] of Object.entries(call.names ?? {})) {
        const id = valueAt(outcome.answer, path)
        if (typeof id === 'string') await transaction.objectStore('names').put({ name, id })
      }
    } else if (call.isKept) await transaction.objectStore('refused').put({ ...call, error: outcome.error })
    await transaction.done
    this.#deliver(outcome)
    this.#channel.postMessage(outcome)
  }

  #deliver(outcome: Outcome): void {
    const waiting = this.#waiting.get(outcome.order)
    this.#waiting.delete(outcome.order)
    if ('answer' in outcome) waiting?.resolve(outcome.answer)
    else waiting?.reject(new CallError(outcome.error.message, outcome.error.code, outcome.status))
    this.dispatchEvent(new CustomEvent('outcome', { detail: outcome }))
  }

  async #postUntilAnswered(call: QueuedCall): Promise<unknown> {
    for (let pause = RETRY_MS; ; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
      try {
        const answer = await this.#post(call)
        this.#connect('online')
        return answer
      } catch (error) {
        const isAnswer = error instanceof CallError && !isPassing(error)
        this.#connect(!isAnswer ? 'offline' : isSignedOut(error) ? 'signed-out' : 'online')
        if (isAnswer) throw error
      }
      await this.#pause(pause)
    }
  }

  #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    setTimeout(resolve, milliseconds)
    return promise
  }

  #connect(connection: Connection): void {
    if (this.#connection === connection) return
    this.#connection = connection
    this.#announce()
  }

  #announce(): void {
    this.dispatchEvent(new Event('state'))
  }

  async #post({ tool, arguments: input, key, file }: ToolCall & { key?: string }): Promise<unknown> {
    const keyed = key === undefined ? {} : { 'idempotency-key': key }
    const headers = { 'x-form-token': this.#token, ...keyed }
    const query = new URLSearchParams({ tool, arguments: JSON.stringify(input) })
    const response = await (file === undefined
      ? fetch(`${this.#base}/calls`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ tool, arguments: input }),
        })
      : fetch(`${this.#base}/calls?${query}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': file.type || 'application/octet-stream' },
          body: file,
        }))
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const body = isJson ? await response.json() : {}
    if (response.ok && isJson) return body.answer
    throw new CallError(body.error ?? `The server answered ${response.status}.`, body.code ?? '', response.status)
  }
}

/** True for errors that are temporary. A quota is not: calls that free space wait behind the call that it refuses. */
const isPassing = (error: CallError): boolean => {
  const { status, code } = error
  const mayPass = status === 408 || status === 429 || status >= 500 || code === ''
  return mayPass && code !== 'QUOTA_EXCEEDED' && !isSignedOut(error)
}

/** True if the session has ended, or is not the one of this page. */
const isSignedOut = ({ status, code }: CallError): boolean => status === 401 || (status === 403 && code === '')

/** A placeholder for the ID of something that a call will create. */
export const newName = (): string => `new-${randomHex(KEY_BYTES)}`

export const isName = (id: string): boolean => id.startsWith('new-')

/** Replaces placeholders by the IDs that earlier calls created. */
async function withIds(given: Record<string, unknown>, names: Names): Promise<Record<string, unknown>> {
  const replaced = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return isName(value) ? ((await names.get(value))?.id ?? value) : value
    if (Array.isArray(value)) return Promise.all(value.map(replaced))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await replaced(inner)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  return (await replaced(given)) as Record<string, unknown>
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
}

/** The calls of this page. */
export const calls = new Calls(document.body.dataset.base ?? '', session, document.body.dataset.token ?? '')
