/**
 * Workers that share a board over REST. Each claims an item, sometimes stops working on it for longer than its lease, and
 * writes with its fence. What was acknowledged is recorded with the times at which calls were sent and answered.
 */
import { setTimeout as delay } from 'node:timers/promises'

/** What one claim of a worker led to. Times are milliseconds of the proof's own steady clock. */
export interface RecordedClaim {
  item: string
  fence: number
  worker: number
  /** When the claim was sent and answered. */
  sent: number
  answered: number
  /** The lease in milliseconds. */
  lease: number
  /** When the finishing write was sent, and whether it was accepted; undefined if there was no answer. */
  finish?: { sent: number; isAccepted: boolean | undefined }
}

export interface Board {
  collectionId: string
  /** Addresses of links to the space, one for each server. A server that was killed is replaced by another. */
  servers: (string | undefined)[]
}

const CONFLICT = 409
/** Milliseconds between tries. */
const AGAIN = 20

export class ClaimWorker {
  readonly claims: RecordedClaim[] = []
  readonly #board: Board
  readonly #number: number
  readonly #random: () => number
  readonly #leaseSeconds: number

  constructor(board: Board, number: number, random: () => number, leaseSeconds: number) {
    this.#board = board
    this.#number = number
    this.#random = random
    this.#leaseSeconds = leaseSeconds
  }

  /** Works until all items are done or `until` has passed. */
  async run(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const claim = await this.#claim()
      if (claim === undefined) {
        await delay(AGAIN)
        continue
      }
      this.claims.push(claim)
      const chance = this.#random()
      // The process of this worker is killed.
      if (chance < 0.05) continue
      // It hangs for longer than its lease, and then goes on.
      if (chance < 0.15) await delay(this.#leaseSeconds * 1_200)
      const sent = performance.now()
      const properties = { status: 'Done', owner: `${this.#number}` }
      const itemsToUpdate = [{ id: claim.item, fence: claim.fence, release: true, properties }]
      const response = await this.#send('PUT', `/collections/${this.#board.collectionId}/items`, { itemsToUpdate })
      claim.finish = { sent, isAccepted: response && (response.status === CONFLICT ? false : response.status === 200) }
    }
  }

  async #claim(): Promise<RecordedClaim | undefined> {
    const { collectionId } = this.#board
    const filters = [{ property: 'status', filterType: 'select_isNoneOf', filterValue: ['Done'] }]
    const sent = performance.now()
    // Only the lease keeps others away: a claimed item still matches.
    const set = this.#random() < 0.5 ? { set: { status: 'Doing' } } : {}
    const body = { collectionId, filters, ...set, lease: this.#leaseSeconds, maxDepth: 0 }
    const response = await this.#send('POST', '/items/claim', body)
    const [item] = response?.status === 200 ? (response.json.items as { id: string; fence: number }[]) : []
    if (item === undefined) return undefined
    const answered = performance.now()
    return { item: item.id, fence: item.fence, worker: this.#number, sent, answered, lease: this.#leaseSeconds * 1_000 }
  }

  async #send(method: string, path: string, body: object) {
    const servers = this.#board.servers.filter((one) => one !== undefined)
    const server = servers[Math.floor(this.#random() * servers.length)]
    if (server === undefined) return undefined
    const headers = { 'content-type': 'application/json' }
    try {
      const response = await fetch(server + path, { method, headers, body: JSON.stringify(body) })
      return { status: response.status, json: (await response.json()) as Record<string, unknown> }
    } catch {
      return undefined
    }
  }
}
