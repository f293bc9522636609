/** Comments on documents, written over servers of which some are killed. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const EVENTS_PER_CALL = 25
/** Milliseconds until a call is sent again. The same call waits for a server at most so many times. */
const AGAIN = 100
const TRIES = 600

interface Added {
  items: { id: string; commentId: string }[]
}

/** Digits at the end of an ID over REST, which are the whole ID over MCP. */
const SHORT_ID_LENGTH = 12

const shortId = (id: string): string => id.slice(-SHORT_ID_LENGTH)

export class EventWriters {
  /** The IDs of the comments of each document, in the order of writing; and how many calls wrote them. */
  readonly written: string[][]
  calls = 0
  readonly #documents: readonly string[]
  readonly #anyRest: () => string | undefined

  private constructor(documents: readonly string[], anyRest: () => string | undefined) {
    this.#documents = documents
    this.#anyRest = anyRest
    this.written = documents.map(() => [])
  }

  /** @param anyRest  returns the address of a server that runs */
  static async start(documents: number, anyRest: () => string | undefined): Promise<EventWriters> {
    const titles = Array.from({ length: documents }, (_, index) => ({ title: `Document ${index}` }))
    const { items } = await send(`${anyRest()}/documents`, { documents: titles }, randomUUID())
    return new EventWriters(
      items.map(({ id }) => id),
      anyRest,
    )
  }

  get count(): number {
    return this.written.reduce((sum, one) => sum + one.length, 0)
  }

  /** Comments on all documents at the same time. @param allowed  how many comments there may be for now */
  async write(events: number, allowed: () => number): Promise<void> {
    const share = events / this.#documents.length
    await Promise.all(
      this.written.map(async (own, index) => {
        while (own.length < share) {
          if (this.count < allowed()) await this.comment(index, Math.min(EVENTS_PER_CALL, share - own.length))
          else await delay(AGAIN)
        }
      }),
    )
  }

  /** Comments on one document, with the same key until a server answers. */
  async comment(document: number, count: number): Promise<void> {
    const blockId = this.#documents[document]
    const comments = Array.from({ length: count }, (_, index) => ({ blockId, content: `Comment ${index}` }))
    const key = randomUUID()
    for (let tries = 0; tries < TRIES; tries++, await delay(AGAIN)) {
      const url = this.#anyRest()
      const added = url && (await send(`${url}/comments`, { comments }, key).catch(() => undefined))
      if (!added) continue
      this.written[document]?.push(...added.items.map(({ commentId }) => shortId(commentId)))
      this.calls++
      return
    }
    throw new Error('Expected a server that answers, found none for a long time.')
  }

  /** Comments once on each document. */
  async commentOnEach(): Promise<void> {
    for (const index of this.#documents.keys()) await this.comment(index, 1)
  }
}

async function send(url: string, body: object, key: string): Promise<Added> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`Expected ${url} to succeed, found ${await response.text()}`)
  return (await response.json()) as Added
}
