/** Measures how long subscribers of one server take to be notified of writes over another. */
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from '../../bench/figure.ts'
import type { DatabaseServer } from '../../support/database-server.ts'
import { askOverRest } from '../crash/over-protocols.ts'
import { dataOf } from '../test-client/over-socket.ts'

/**
 * Milliseconds in which subscribers must be notified, as the median, since a single notification may be late on a busy
 * machine. PATIENCE is the maximum time to wait, which only a small percentage may exceed.
 */
const SOON = 1_000
const PATIENCE = 5_000
const LATE_PERCENT = 5
/** Milliseconds between two writes, and until a disconnected subscriber reconnects. */
const PAUSE = 30
const AGAIN = 100

/** A stream of one server's feed, reopened whenever it ends. */
class Subscriber {
  readonly server: DatabaseServer
  isOpen = false
  readonly #url: string
  readonly #events: string[] = []
  readonly #checks = new Set<() => void>()
  #lastId = ''
  #isClosed = false
  #end = () => {}

  constructor(server: DatabaseServer, path: string) {
    this.server = server
    this.#url = `${server.origin}${path}/api/v1/changes?ids=short`
    void this.#listen()
  }

  /** Resolves once a change that contains this ID has arrived. */
  waitFor(id: string): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!this.#events.some((data) => data.includes(id))) return
        this.#checks.delete(check)
        resolve()
      }
      this.#checks.add(check)
      check()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  async #listen(): Promise<void> {
    while (!this.#isClosed) {
      await this.#listenOnce()
      this.isOpen = false
      await delay(AGAIN)
    }
  }

  #listenOnce(): Promise<void> {
    const last = this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }
    return new Promise((resolve) => {
      const request = get(this.#url, { agent: false, headers: { accept: 'text/event-stream', ...last } }, (answer) => {
        this.isOpen = answer.statusCode === 200
        let rest = ''
        answer.setEncoding('utf8').on('data', (text: string) => {
          const blocks = (rest + text).split('\n\n')
          rest = blocks.pop() ?? ''
          for (const block of blocks) this.#take(block)
        })
        answer.once('close', resolve).on('error', () => {})
      })
      request.once('error', () => resolve())
      this.#end = () => request.destroy()
    })
  }

  #take(block: string): void {
    this.#lastId = /^id: (.*)$/m.exec(block)?.[1] ?? this.#lastId
    this.#events.push(...dataOf(block))
    for (const check of this.#checks) check()
  }
}

export class Subscribers {
  /** Milliseconds from the response to a write until the subscriber of another server was notified. */
  readonly times: number[] = []
  readonly #subscribers: readonly Subscriber[]
  readonly #path: string
  readonly #random: () => number
  readonly #falls: () => number
  #isStopped = false
  readonly #running: Promise<void>

  /**
   * @param path  the path of a link to a space that only this class writes to
   * @param falls  returns how often the primary has crashed so far
   */
  constructor(servers: readonly DatabaseServer[], path: string, random: () => number, falls: () => number) {
    this.#subscribers = servers.map((server) => new Subscriber(server, path))
    this.#path = path
    this.#random = random
    this.#falls = falls
    this.#running = this.#run()
  }

  async #run(): Promise<void> {
    for (let call = 1; !this.#isStopped; call++) {
      await delay(PAUSE)
      const open = this.#subscribers.filter(({ isOpen }) => isOpen)
      const [listener, writer] = open.toSorted(() => this.#random() - 0.5)
      if (listener !== undefined && writer !== undefined) await this.#try(listener, writer.server, `heard-${call}`)
    }
  }

  /** A crash of one of the two servers or of the database makes the measurement void. */
  async #try(listener: Subscriber, writer: DatabaseServer, key: string): Promise<void> {
    const happened = () => `${this.#falls()} ${listener.server.kills} ${writer.kills} ${listener.isOpen}`
    const before = happened()
    const call = { key, tool: 'documents_add', args: { documents: [{ title: key }] } }
    const response = await askOverRest(`${writer.origin}${this.#path}/api/v1`, call).catch(() => undefined)
    if (response?.answer === undefined) return
    const from = performance.now()
    const [document] = (response.answer as { items: { id: string }[] }).items
    const isHeard = listener.waitFor(document?.id ?? '')
    await Promise.race([isHeard, delay(PATIENCE, undefined, { ref: false })])
    if (happened() === before) this.times.push(performance.now() - from)
  }

  get faults(): string[] {
    const middle = median(this.times)
    const late = this.times.filter((time) => time >= PATIENCE).length
    const label = `of ${this.times.length} writes over another server`
    return [
      ...(middle > SOON ? [`Expected half ${label} to be heard of soon, found ${Math.round(middle)} ms.`] : []),
      ...(late * 100 > LATE_PERCENT * this.times.length
        ? [`Expected to hear ${label} within ${PATIENCE / 1_000} seconds, found ${late} that were not heard of.`]
        : []),
      ...(this.times.length === 0 ? ['Expected writes over another server to be heard of, found none.'] : []),
    ]
  }

  /** Stops after one more measurement, which no crash disturbs. */
  async stop(): Promise<void> {
    const { length } = this.times
    for (const until = performance.now() + 2 * PATIENCE; this.times.length === length && performance.now() < until; ) {
      await delay(PAUSE)
    }
    this.#isStopped = true
    await this.#running
    for (const subscriber of this.#subscribers) subscriber.close()
  }
}
