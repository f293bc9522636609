/**
 * A browser with tabs that share a queue of calls, and a server that it reaches over a bad network. Nothing takes time: timers
 * go off when {@link QueueBrowser.tick} says so.
 */
import 'fake-indexeddb/auto'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { vi } from 'vitest'
import type { Calls } from '../../../src/page/assets/calls.ts'
import type { Clock } from '../../../src/page/assets/unsent/call-transport.ts'
import { stubPage } from './page-stubs.ts'

/** What happens to a request: to the request itself, and to its answer. */
export const FATES = ['arrives', 'lost', 'answer lost', 'never answered', 'refused for now', 'arrives late'] as const
export type Fate = (typeof FATES)[number]

/** Turns of the event loop that storing and sending a few calls take at most. */
const TURNS = 60
/** Turns after which a late request arrives. */
const LATE_TURNS = 20

interface SentCall {
  key: string
  arguments: { words: string }
}

/** Faults of the server and the browser, which a law about the queue must find. */
export const FAULTS = ['forgets keys', 'forgets what tabs left', 'forgets what is stored'] as const
export type Fault = (typeof FAULTS)[number]

/** What the server has done, in order, and its stored answers by key. */
class Server {
  readonly #fault: Fault | undefined
  readonly done: string[] = []
  readonly #answers = new Map<string, string>()
  /** Keys that came with another call than before. */
  readonly misused: string[] = []

  constructor(fault: Fault | undefined) {
    this.#fault = fault
  }

  carryOut({ key, arguments: { words } }: SentCall): void {
    const before = this.#fault === 'forgets keys' ? undefined : this.#answers.get(key)
    if (before === undefined) {
      this.#answers.set(key, words)
      this.done.push(words)
    } else if (before !== words) this.misused.push(key)
  }
}

export class Tab {
  readonly name: string
  calls!: Calls
  isClosed = false
  /** Calls whose storing was not confirmed. */
  readonly unstored = new Set<string>()
  /** The position and the words of the call that can still be amended. */
  last: { order: number; words: string } | undefined

  constructor(name: string) {
    this.name = name
  }
}

export class QueueBrowser {
  readonly server: Server
  readonly #fault: Fault | undefined
  readonly tabs: Tab[] = []
  /** What happens to the next requests; afterwards all arrive. */
  fates: Fate[] = []
  readonly #acting = new AsyncLocalStorage<Tab>()
  readonly #timers: { tab: Tab | undefined; act: () => void }[] = []
  readonly #held = new Map<string, { tab: Tab | undefined; end: () => void }>()
  readonly #asking: { name: string; tab: Tab | undefined; begin: () => void }[] = []
  readonly base: string

  constructor(base: string, fault?: Fault) {
    this.base = base
    this.#fault = fault
    this.server = new Server(fault)
    stubPage()
    vi.stubGlobal('indexedDB', new IDBFactory())
    vi.stubGlobal('navigator', { locks: { request: this.#lock.bind(this) } })
    vi.stubGlobal('fetch', this.#fetch.bind(this))
  }

  /** Opens a page, which sends what closed tabs left. */
  async open(): Promise<Tab> {
    const { Calls } = await import('../../../src/page/assets/calls.ts')
    const { callsLeft } = await import('../../../src/page/assets/unsent/own-calls.ts')
    const tab = new Tab(`tab${this.tabs.length}`)
    const page = { base: this.base, session: 'session', token: tab.name, tab: tab.name, clock: this.#clock }
    await this.#acting.run(tab, async () => {
      tab.calls = new Calls(page)
      for (const left of this.#fault === 'forgets what tabs left' ? [] : callsLeft(this.base, 'session')) {
        if (this.tabs.some(({ name, isClosed }) => name === left.tab && !isClosed)) continue
        await tab.calls.adopt(left.calls, [])
        localStorage.removeItem(left.key)
      }
      await tab.calls.resume()
    })
    this.tabs.push(tab)
    return tab
  }

  /** Runs what a page does. */
  in<Result>(tab: Tab, work: () => Result): Result {
    return this.#acting.run(tab, work)
  }

  /** Ends a tab. What it was still storing is lost. */
  async close(tab: Tab): Promise<void> {
    tab.isClosed = true
    this.#asking.splice(0, Infinity, ...this.#asking.filter((one) => one.tab !== tab))
    for (const { tab: holder, end } of [...this.#held.values()]) if (holder === tab) end()
    const lost = new Set(tab.unstored)
    await this.rest()
    const database = await openDB(`scriptorium ${this.base} session`)
    const transaction = database.transaction('calls', 'readwrite')
    for (const call of await transaction.store.getAll()) {
      if (this.#fault === 'forgets what is stored' || lost.has(call.arguments.words))
        await transaction.store.delete(call.order)
    }
    await transaction.done
    database.close()
  }

  /** Lets all that does not wait for anything happen. */
  async rest(turns = TURNS): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await setImmediate()
  }

  /** Lets the next timer go off. @returns false if there is none */
  tick(): boolean {
    const timer = this.#timers.shift()
    if (timer !== undefined && !timer.tab?.isClosed) timer.act()
    return timer !== undefined
  }

  readonly #clock: Clock = {
    after: (_milliseconds, act) => {
      const timer = { tab: this.#acting.getStore(), act }
      this.#timers.push(timer)
      return () => {
        const place = this.#timers.indexOf(timer)
        if (place >= 0) this.#timers.splice(place, 1)
      }
    },
  }

  async #lock(name: string, work: () => Promise<void>): Promise<void> {
    const tab = this.#acting.getStore()
    if (tab?.isClosed) return new Promise(() => {})
    if (this.#held.has(name)) await new Promise<void>((begin) => this.#asking.push({ name, tab, begin }))
    const { promise, resolve: end } = Promise.withResolvers<void>()
    this.#held.set(name, { tab, end })
    await Promise.race([promise, this.#acting.run(tab as Tab, work)])
    this.#held.delete(name)
    const next = this.#asking.findIndex((one) => one.name === name)
    if (next >= 0) this.#asking.splice(next, 1)[0]?.begin()
    if (tab?.isClosed) return new Promise(() => {})
  }

  async #fetch(_address: string, { headers, body, keepalive }: RequestInit & { body: string }): Promise<Response> {
    const tab = this.#acting.getStore()
    const { calls, ...call } = JSON.parse(body) as SentCall & { calls?: SentCall[] }
    const sent = calls ?? [{ ...call, key: (headers as Record<string, string>)['idempotency-key'] ?? '' }]
    const fate = this.fates.shift() ?? 'arrives'
    if (tab?.isClosed && !keepalive) return new Promise(() => {})
    if (fate === 'arrives late') await this.rest(LATE_TURNS)
    else await setImmediate()
    if (fate === 'lost') throw new TypeError('Failed to fetch')
    if (fate === 'refused for now') return Response.json({ error: 'Busy.', code: 'BUSY' }, { status: 503 })
    for (const one of sent) this.server.carryOut(one)
    await setImmediate()
    if (fate === 'answer lost') throw new TypeError('Failed to fetch')
    if (fate === 'never answered' || tab?.isClosed) return new Promise(() => {})
    return Response.json({ answer: {} })
  }
}
