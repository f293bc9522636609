/** Readers of the feed of changes that are disconnected again and again, and checks of what they have read. */
import { once } from 'node:events'
import { get } from 'node:http'
import Sqlite from 'better-sqlite3'

/** The part of an item that a reader stores. */
export interface ReadCall {
  /** Its number in the space. */
  number: number
  tool: string
  author: string
}

interface Item extends ReadCall {
  type: string
  cursor: string
}

export interface Page {
  items: Item[]
  cursor: string
  hasMore: boolean
}

const MOST_ITEMS = 20

/** Reads pages of the feed through any connection, and loses some of the responses on purpose. */
export class FeedReader {
  readonly read: ReadCall[] = []
  /** Number of responses that were lost or incomplete. */
  cuts = 0
  readonly #random: () => number
  #cursor = 'start'

  constructor(random: () => number) {
    this.#random = random
  }

  /**
   * Reads a page.
   *
   * @param ask  makes the call with these arguments; resolves to undefined if no server answers any more
   * @returns `cut` if no server answered, `more` if there is more to read, otherwise `end`
   */
  async readOn(ask: (args: Record<string, unknown>) => Promise<object | undefined>): Promise<'cut' | 'end' | 'more'> {
    const limit = 1 + Math.floor(this.#random() * MOST_ITEMS)
    const page = (await ask({ cursor: this.#cursor, limit })) as Page | undefined
    const draw = this.#random()
    if (page === undefined || draw < 0.1) {
      this.cuts++
      return page === undefined ? 'cut' : 'more'
    }
    const { items, cursor, hasMore } = page
    const isWhole = draw > 0.3 || items.length === 0
    if (!isWhole) this.cuts++
    const received = isWhole ? items : items.slice(0, Math.floor(this.#random() * items.length))
    this.read.push(...callsOf(received))
    this.#cursor = isWhole ? cursor : (received.at(-1)?.cursor ?? this.#cursor)
    return hasMore || !isWhole ? 'more' : 'end'
  }
}

/** Reads a stream until it is stopped. Disconnects after a random number of events, at most `most`, and reconnects. */
export async function readStream(url: string, random: () => number, most: number): Promise<StreamReader> {
  const read: ReadCall[] = []
  const changed = new Set<() => void>()
  let [cuts, isStopped, lastId] = [0, false, '']
  const connect = async (first: () => void) => {
    const headers = { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) }
    const request = get(url, { headers })
    request.on('error', () => {})
    const [answer] = await once(request, 'response')
    let left = 1 + Math.floor(random() * most)
    let rest = ''
    answer.setEncoding('utf8').on('data', (text: string) => {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        if (left === 0) return
        const fields = new Map(block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w+: /, '')]))
        lastId = fields.get('id') ?? lastId
        const data = fields.get('data')
        if (data === undefined) continue
        read.push(...callsOf([JSON.parse(data)]))
        if (--left === 0) request.destroy()
      }
      first()
      for (const check of changed) check()
    })
    answer.on('error', () => {})
    stop = () => request.destroy()
    if (!answer.destroyed) await once(answer, 'close').catch(() => {})
  }
  let stop = () => {}
  const isOpen = Promise.withResolvers<void>()
  const reading = (async () => {
    for (; !isStopped; cuts++) await connect(isOpen.resolve)
  })()
  await isOpen.promise
  return {
    read,
    async end(count, patience) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const check = () => read.length >= count && resolve()
      const timer = setTimeout(resolve, patience)
      changed.add(check)
      check()
      await promise
      clearTimeout(timer)
      isStopped = true
      stop()
      await reading
      return cuts - 1
    },
  }
}

export interface StreamReader {
  read: readonly ReadCall[]
  /**
   * Ends once `count` calls were read, or after `patience` milliseconds.
   *
   * @returns how often the connection was cut until then
   */
  end(count: number, patience: number): Promise<number>
}

const callsOf = (items: readonly Item[]): ReadCall[] =>
  items.flatMap(({ type, number, tool, author }) => (type === 'call.committed' ? { number, tool, author } : []))

/**
 * Checks that the reader has read the calls of the audit log, each once and in order. A reader that may still be behind
 * has read only the first of them.
 */
export function wrongReading(file: string, read: readonly ReadCall[], isAtEnd: boolean): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    const logged = sqlite
      .prepare<[], ReadCall>(
        'SELECT n AS number, endpoint AS tool, author FROM write_log WHERE id IS NOT NULL ORDER BY n',
      )
      .all()
    const words = (call: ReadCall | undefined) =>
      call === undefined ? 'nothing' : `${call.number}, ${call.tool} of ${call.author}`
    for (let place = 0; place < Math.max(read.length, isAtEnd ? logged.length : 0); place++) {
      const [found, expected] = [words(read[place]), words(logged[place])]
      if (found !== expected) return [`Expected item ${place + 1} of the feed to be call ${expected}, found ${found}.`]
    }
    return []
  } finally {
    sqlite.close()
  }
}

/** The keys of acknowledged calls that a reader at the end of the feed has not read. */
export function unreadKeys(file: string, read: readonly ReadCall[], keys: readonly string[]): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    const numbers = new Map(sqlite.prepare<[], [string, number]>('SELECT key, number FROM kept_answer').raw().all())
    const known = new Set(read.map(({ number }) => number))
    return keys.filter((key) => !known.has(numbers.get(key) ?? 0))
  } finally {
    sqlite.close()
  }
}
