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
import { type IDBPDatabase, openDB } from 'idb'
import { inBackground } from './page-background.ts'
import { databaseName, randomHex } from './session-name.ts'
import { session, tab } from './this-session.ts'
import { browserClock, CallError, CallTransport, type Clock, isPassing, isSignedOut } from './unsent/call-transport.ts'
import { isSameCall, leaveCalls, type OwnCall, OwnCalls } from './unsent/own-calls.ts'
import { idsIn, withIds } from './unsent/placeholders.ts'
import type { QueuedCall, RefusedCall, Tables, ToolCall } from './unsent/queued-call.ts'

export { CallError } from './unsent/call-transport.ts'
export { isName, newName } from './unsent/placeholders.ts'
export type { QueuedCall, RefusedCall, ToolCall } from './unsent/queued-call.ts'

/** The outcome of a call, which is sent to all tabs, and dispatched as an event on each. */
export type Outcome =
  | { order: number; document: string; answer: unknown }
  | (Pick<RefusedCall, 'order' | 'document' | 'error'> & { status: number; page?: string | undefined })

/** The state of the connection. Calls wait while the server cannot be reached, and until the person signs in again. */
export type Connection = 'online' | 'offline' | 'signed-out'

/** What tabs tell each other: outcomes, the state of the connection that one of them found, and that a new one asks for it. */
type Message = Outcome | { connection: Connection } | { isNew: true }

const KEY_BYTES = 16
const RETRY_MS = 2_000
const RETRY_MAX_MS = 30_000

/** The page of a queue. */
export interface CallsOptions {
  /** The base address of the space's pages. */
  base: string
  /** The name of the session. */
  session: string
  /** The form token of the session. */
  token: string
  /** The name of the tab. */
  tab: string
  clock?: Clock
}

export class Calls extends EventTarget {
  readonly #page: CallsOptions
  /** Names the queue, its messages to other tabs, and its locks. */
  readonly #name: string
  readonly #clock: Clock
  readonly #transport: CallTransport
  readonly #own = new OwnCalls()
  readonly #database: Promise<IDBPDatabase<Tables>>
  readonly #channel: BroadcastChannel
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>()
  readonly #sending = new Map<string, Promise<void>>()
  #connection: Connection = 'online'
  /** Ends the pauses before calls are sent again. */
  readonly #wakes = new Set<() => void>()

  constructor(page: CallsOptions) {
    super()
    const { base, session, token, clock = browserClock } = page
    this.#page = page
    this.#name = databaseName(base, session)
    this.#clock = clock
    this.#transport = new CallTransport(base, token, clock)
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
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if ('connection' in data) this.#connect(data.connection, false)
      else if ('order' in data) this.#deliver(data)
      else if (this.#connection !== 'online') this.#channel.postMessage({ connection: this.#connection })
    })
    this.#channel.postMessage({ isNew: true })
    window.addEventListener('online', () => this.retry())
    document.addEventListener('visibilitychange', () => this.retry())
  }

  /** Sends calls that an earlier page or a closed tab has left in the queue. */
  async resume(): Promise<void> {
    const left = await (await this.#database).getAll('calls')
    for (const document of new Set(left.map((call) => call.document))) this.#send(document)
  }

  /** True for a call that this page made since it was opened. @param callId  its ID in the history */
  isOwn(callId: string): boolean {
    return this.#own.wasAnswered(callId)
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
    const kept: OwnCall = { ...call, document: call.document ?? '', key: call.key ?? randomHex(KEY_BYTES) }
    this.#own.add(kept)
    const order = await this.#store(kept)
    this.#send(kept.document)
    this.#announce()
    return order
  }

  async #store(kept: OwnCall): Promise<number> {
    try {
      const order = await (await this.#database).add('calls', kept as QueuedCall)
      this.#own.stored(kept, order)
      return order
    } catch (error) {
      this.#own.remove(kept)
      throw error
    }
  }

  /** Makes a call that reads, without queueing it. Fails if the server cannot be reached. @throws CallError */
  async read<Answer>(call: Pick<ToolCall, 'tool' | 'arguments'>): Promise<Answer> {
    const names = (await this.#database).transaction('names').store
    return (await this.#transport.post({ ...call, arguments: await withIds(call.arguments, names) })) as Answer
  }

  /** All unanswered calls of the session, in order. */
  async waiting(): Promise<QueuedCall[]> {
    return (await this.#database).getAll('calls')
  }

  /** The unanswered calls of a document, in order. */
  async pending(document: string): Promise<QueuedCall[]> {
    return (await this.#database).getAllFromIndex('calls', 'document', document)
  }

  /** Changes a call of this page that was not sent yet. @returns false if it was sent already */
  async amend(order: number, change: (call: QueuedCall) => QueuedCall | undefined): Promise<boolean> {
    const transaction = (await this.#database).transaction('calls', 'readwrite')
    const call = await transaction.store.get(order)
    const isSent = call === undefined || call.isSent || this.#own.isSent(order)
    const changed = isSent ? undefined : change(call)
    if (changed !== undefined) {
      this.#own.replace(changed)
      await transaction.store.put(changed)
      await transaction.done
      this.#own.stored(changed, order)
    } else await transaction.done
    return changed !== undefined
  }

  /**
   * Sends what this page has not had answered yet in a request that outlives the page: at most 64 KiB, in order. Whatever
   * does not arrive or does not fit stays in the queue. Called when the page may be closed.
   *
   * @param drafts  what was typed last and is stored elsewhere; each has a key, with which it may be queued later
   */
  sendLast(drafts: readonly (ToolCall & { key: string })[] = []): void {
    const { base, session, tab } = this.#page
    const last = this.#own.atLast(drafts.map((call) => ({ ...call, document: call.document ?? '' })))
    try {
      leaveCalls(base, session, tab, last.unstored)
    } catch (error) {
      console.error(error)
    }
    if (last.calls.length > 0) this.#transport.postLast(last.calls)
  }

  /**
   * Queues what a closed tab has left.
   *
   * @param left  calls that it could not store any more
   * @param drafts  calls for what was typed last, unless it was queued since
   */
  async adopt(left: readonly OwnCall[], drafts: readonly OwnCall[]): Promise<void> {
    const given = [...left, ...drafts]
    const { store, done } = (await this.#database).transaction('calls', 'readwrite')
    for (const call of given) {
      const queued = await store.index('document').getAll(call.document)
      if (drafts.includes(call) && queued.some((one) => isSameCall(one, call))) continue
      const order = call.order ?? queued.find(({ key }) => key === call.key)?.order
      if (order === undefined) await store.add(call as QueuedCall)
      else await store.put({ ...call, order })
    }
    await done
    for (const document of new Set(given.map((call) => call.document))) this.#send(document)
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

  /** Forgets a refused call, once its person has seen it. */
  async forgetRefused(order: number): Promise<void> {
    await (await this.#database).delete('refused', order)
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
      const call = await this.#markSent(cursor.value)
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
      const { message, code, status, page } = error
      return { order, document, error: { message, code }, status, page }
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
      ...(await withIds({ arguments: call.arguments, suggest: call.suggest }, transaction.objectStore('names'))),
      isSent: true,
    } as const
    await kept.put(sent)
    await transaction.done
    this.#own.replace(sent)
    this.#own.stored(sent, sent.order)
    return sent
  }

  async #finish(call: QueuedCall, outcome: Outcome): Promise<void> {
    const transaction = (await this.#database).transaction(['calls', 'refused', 'names'], 'readwrite')
    await transaction.objectStore('calls').delete(call.order)
    if ('answer' in outcome) {
      for (const [name, id] of idsIn(outcome.answer, call.names))
        await transaction.objectStore('names').put({ name, id })
    } else if (call.isKept) await transaction.objectStore('refused').put({ ...call, error: outcome.error })
    await transaction.done
    this.#deliver(outcome)
    this.#channel.postMessage(outcome)
  }

  #deliver(outcome: Outcome): void {
    this.#own.answered(outcome.order, 'answer' in outcome ? outcome.answer : undefined)
    const waiting = this.#waiting.get(outcome.order)
    this.#waiting.delete(outcome.order)
    if ('answer' in outcome) waiting?.resolve(outcome.answer)
    else waiting?.reject(new CallError(outcome.error.message, outcome.error.code, outcome.status, outcome.page))
    this.dispatchEvent(new CustomEvent('outcome', { detail: outcome }))
  }

  async #postUntilAnswered(call: QueuedCall): Promise<unknown> {
    for (let pause = RETRY_MS; ; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
      try {
        const answer = await this.#transport.post(call)
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

  /** Sends what waits without a further pause. */
  retry(): void {
    for (const end of this.#wakes) end()
  }

  #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wakes.add(resolve)
    const stop = this.#clock.after(milliseconds, resolve)
    return promise.finally(() => {
      this.#wakes.delete(resolve)
      stop()
    })
  }

  /** @param isOwn  false if another tab, which sends calls of this one, found it */
  #connect(connection: Connection, isOwn = true): void {
    if (this.#connection === connection) return
    this.#connection = connection
    this.#announce()
    if (isOwn) this.#channel.postMessage({ connection })
  }

  #announce(): void {
    this.dispatchEvent(new Event('state'))
  }
}

/** The calls of this page. */
const { base = '', token = '' } = document.body.dataset
export const calls = new Calls({ base, session, token, tab })
