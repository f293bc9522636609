/**
 * Calls of tools that the scripts of a page make. They are kept in the browser until the server has answered, and sent
 * in the order in which they were made, one document at a time: also by another tab, and after a reload. Each has a key,
 * so that one whose answer was lost is carried out once.
 *
 *     const { items } = await calls.make({ tool: 'tasks_add', arguments: { tasks: [...] } })
 *     await calls.make({ document: id, tool: 'blocks_move', arguments: { ... } })    // after earlier ones of the document
 *     calls.read({ tool: 'documents_search', arguments: { include: ['boat'] } })     // at once, and not kept
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

export interface ToolCall {
  tool: string
  arguments: Record<string, unknown>
  /** Calls with the same document, or without one, are sent in their order. */
  document?: string
  /** The bytes of a file, for `files_add`. */
  file?: Blob
  /** Names that stand for IDs in the arguments of later calls, and where each is in the answer: `items.0.id`. */
  names?: Readonly<Record<string, string>>
  /** Whether the call is kept when it is refused, for {@link Calls.refused}: it holds words of a person. */
  isKept?: true
}

export interface KeptCall extends ToolCall {
  /** Its place in the order of calls. */
  order: number
  document: string
  /** Its idempotency key. */
  key: string
  /** Whether it was sent, so that it must not change any more. */
  isSent?: true
}

/** What the server answers to a call that it does not carry out. */
export class CallError extends Error {
  readonly code: string
  readonly status: number

  constructor(message: string, code: string, status: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

export interface RefusedCall extends KeptCall {
  error: { message: string; code: string }
}

interface Tables extends DBSchema {
  calls: { key: number; value: KeptCall; indexes: { document: string } }
  refused: { key: number; value: RefusedCall; indexes: { document: string } }
  names: { key: string; value: { name: string; id: string } }
}

/** The IDs that names stand for. */
interface Names {
  get(name: string): Promise<{ id: string } | undefined>
}

/** What became of a call: sent to all tabs. */
type Outcome =
  | { order: number; document: string; answer: unknown }
  | (Pick<RefusedCall, 'order' | 'document' | 'error'> & { status: number })

/** Whether calls arrive: they wait while the server is not reached, and until somebody signs in again. */
export type Connection = 'online' | 'offline' | 'signed-out'

const RETRY_MS = 2_000
const RETRY_MAX_MS = 30_000

export class Calls extends EventTarget {
  readonly #base: string
  readonly #token: string
  readonly #database: Promise<IDBPDatabase<Tables>>
  readonly #channel: BroadcastChannel
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>()
  readonly #sending = new Map<string, Promise<void>>()
  #connection: Connection = 'online'
  #wake: (() => void) | undefined

  /**
   * @param base  the address of the pages of the space
   * @param token  what forms of the session carry
   */
  constructor(base: string, token: string) {
    super()
    this.#base = base
    this.#token = token
    this.#database = openDB<Tables>(`scriptorium ${base}`, 1, {
      upgrade(database) {
        for (const table of ['calls', 'refused'] as const) {
          database
            .createObjectStore(table, { keyPath: 'order', autoIncrement: true })
            .createIndex('document', 'document')
        }
        database.createObjectStore('names', { keyPath: 'name' })
      },
    })
    this.#channel = new BroadcastChannel(`scriptorium calls ${base}`)
    this.#channel.addEventListener('message', ({ data }) => this.#hear(data))
    window.addEventListener('online', () => this.#wake?.())
    document.addEventListener('visibilitychange', () => this.#wake?.())
  }

  /** Sends what an earlier page or a tab that was closed has left. */
  async resume(): Promise<void> {
    const left = await (await this.#database).getAll('calls')
    for (const document of new Set(left.map((call) => call.document))) this.#send(document)
  }

  get connection(): Connection {
    return this.#connection
  }

  /**
   * Makes a call after those of the same document that were made before. The promise is kept for as long as the page is
   * open; the call for as long as it takes.
   *
   * @throws CallError for what the server refuses
   */
  async make<Answer>(call: ToolCall): Promise<Answer> {
    const order = await this.keep(call)
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(order, { resolve: resolve as (answer: unknown) => void, reject })
      this.#send(call.document ?? '')
    })
  }

  /** Keeps a call in the browser, and begins to send. It resolves when the call is kept. @returns its place in the order */
  async keep(call: ToolCall): Promise<number> {
    const kept = { ...call, document: call.document ?? '', key: randomKey() }
    const order = await (await this.#database).add('calls', kept as KeptCall)
    this.#send(kept.document)
    this.#announce()
    return order
  }

  /** Reads at once: beside what waits, and only while the server is reached. @throws CallError */
  async read<Answer>(call: Pick<ToolCall, 'tool' | 'arguments'>): Promise<Answer> {
    const names = (await this.#database).transaction('names').store
    return (await this.#post({ ...call, arguments: await withIds(call.arguments, names) })) as Answer
  }

  /** The calls of a document that were not answered yet, in their order. */
  async pending(document: string): Promise<KeptCall[]> {
    return (await this.#database).getAllFromIndex('calls', 'document', document)
  }

  /** Changes a call that was not sent yet. @returns whether it was changed */
  async amend(order: number, change: (call: KeptCall) => KeptCall | undefined): Promise<boolean> {
    const transaction = (await this.#database).transaction('calls', 'readwrite')
    const call = await transaction.store.get(order)
    const changed = call === undefined || call.isSent ? undefined : change(call)
    if (changed !== undefined) await transaction.store.put(changed)
    await transaction.done
    return changed !== undefined
  }

  /** The calls of a document that were refused, and hold words of a person. */
  async refused(document: string): Promise<RefusedCall[]> {
    return (await this.#database).getAllFromIndex('refused', 'document', document)
  }

  /** Gives each call of a document that was refused to one tab, and forgets it once its words are kept elsewhere. */
  async eachRefused(document: string, save: (call: RefusedCall) => Promise<void>): Promise<void> {
    await this.#exclusively(`refused ${document}`, async () => {
      for (const call of await this.refused(document)) {
        await save(call)
        await (await this.#database).delete('refused', call.order)
      }
    })
  }

  /** Whether a call is about something that one which is still to be sent will make. */
  async isEarly({ document, arguments: input }: KeptCall): Promise<boolean> {
    const text = JSON.stringify(input)
    const pending = await this.pending(document)
    return pending.some(({ names = {} }) => Object.keys(names).some((name) => text.includes(name)))
  }

  /** Sends a refused call once more, after those that wait. */
  async keepAgain({ order: _order, key: _key, isSent: _sent, error: _error, ...call }: RefusedCall): Promise<void> {
    await this.keep(call)
  }

  /** The ID that a name stands for, once the call that makes it was answered. */
  async idOf(name: string): Promise<string | undefined> {
    return (await (await this.#database).get('names', name))?.id
  }

  /** Resolves once every call of the document was answered. */
  async settled(document: string): Promise<void> {
    while (this.#sending.has(document)) await this.#sending.get(document)
  }

  #send(document: string): void {
    if (this.#sending.has(document)) return
    const sending = this.#exclusively(`calls ${document}`, () => this.#sendAll(document)).finally(async () => {
      this.#sending.delete(document)
      // One may have been kept since the last look.
      if ((await this.pending(document)).length > 0) this.#send(document)
      else this.#announce()
    })
    this.#sending.set(document, sending)
  }

  /** One tab does it at a time. Browsers have no locks on pages without encryption that are elsewhere; keys keep calls from doubling there. */
  async #exclusively(what: string, work: () => Promise<void>): Promise<void> {
    if (navigator.locks === undefined) return work()
    await navigator.locks.request(`scriptorium ${what} of ${this.#base}`, work)
  }

  async #sendAll(document: string): Promise<void> {
    const database = await this.#database
    for (;;) {
      const cursor = await database.transaction('calls').store.index('document').openCursor(document)
      if (cursor === null) return
      const call = cursor.value.isSent ? cursor.value : await this.#markSent(cursor.value)
      await this.#settle(call, await this.#outcomeOf(call))
    }
  }

  async #outcomeOf(call: KeptCall): Promise<Outcome> {
    const { order, document } = call
    try {
      return { order, document, answer: await this.#postUntilAnswered(call) }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const { message, code, status } = error
      return { order, document, error: { message, code }, status }
    }
  }

  /** From now on a call stays as it is: what is sent again must be what was sent. @returns what to send */
  async #markSent(read: KeptCall): Promise<KeptCall> {
    // In one transaction, so that a change made beside it is either in what is sent or refused.
    const transaction = (await this.#database).transaction(['calls', 'names'], 'readwrite')
    const kept = transaction.objectStore('calls')
    // Without locks, another tab may have sent it and be done; its key keeps it from being carried out twice.
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

  async #settle(call: KeptCall, outcome: Outcome): Promise<void> {
    const transaction = (await this.#database).transaction(['calls', 'refused', 'names'], 'readwrite')
    await transaction.objectStore('calls').delete(call.order)
    if ('answer' in outcome) {
      for (const [name, path] of Object.entries(call.names ?? {})) {
        const id = valueAt(outcome.answer, path)
        if (typeof id === 'string') await transaction.objectStore('names').put({ name, id })
      }
    } else if (call.isKept) await transaction.objectStore('refused').put({ ...call, error: outcome.error })
    await transaction.done
    this.#hear(outcome)
    this.#channel.postMessage(outcome)
  }

  #hear(outcome: Outcome): void {
    const waiting = this.#waiting.get(outcome.order)
    this.#waiting.delete(outcome.order)
    if ('answer' in outcome) waiting?.resolve(outcome.answer)
    else waiting?.reject(new CallError(outcome.error.message, outcome.error.code, outcome.status))
    this.dispatchEvent(new CustomEvent('outcome', { detail: outcome }))
  }

  async #postUntilAnswered(call: KeptCall): Promise<unknown> {
    for (let pause = RETRY_MS; ; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
      try {
        const answer = await this.#post(call)
        this.#connect('online')
        return answer
      } catch (error) {
        if (error instanceof CallError && !isPassing(error)) {
          this.#connect('online')
          throw error
        }
        this.#connect(error instanceof CallError && isSignedOut(error) ? 'signed-out' : 'offline')
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

/** What an error says that passes by itself, or once somebody signs in. */
const isPassing = ({ status, code }: CallError): boolean =>
  status === 401 || status === 408 || status === 429 || status >= 500 || code === ''

/** Whether the session has ended, or is another than the one of this page. */
const isSignedOut = ({ status, code }: CallError): boolean => status === 401 || (status === 403 && code === '')

/** A name for something that a call is going to make. */
export const newName = (): string => `new-${randomKey()}`

export const isName = (id: string): boolean => id.startsWith('new-')

/** `crypto.randomUUID` is there only on encrypted pages. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Puts IDs in the place of the names that earlier calls gave them. */
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
export const calls = new Calls(document.body.dataset.base ?? '', document.body.dataset.token ?? '')
