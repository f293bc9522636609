/** Sends to the webhooks of all spaces that a server has. */
import type { SpaceLease, SpaceRegistry } from '../call/space-registry.ts'
import { WebhookDelivery, type WebhookDeliveryOptions } from './webhook-delivery.ts'

/** Milliseconds between looks for spaces that have webhooks by now. */
const SCAN_MS = 30_000

export interface WebhookServiceOptions extends WebhookDeliveryOptions {
  spaces: SpaceRegistry
  /** The keys of the spaces that may have webhooks. */
  keys(): readonly string[] | Promise<readonly string[]>
}

/** A space that is kept open while it has webhooks. */
interface ServedWebhooks {
  lease: SpaceLease
  delivery: WebhookDelivery
}

export class WebhookService {
  readonly #options: WebhookServiceOptions
  readonly #served = new Map<string, ServedWebhooks>()
  readonly #timer: NodeJS.Timeout
  #scanning: Promise<void> | undefined
  #isClosed = false

  constructor(options: WebhookServiceOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.scan(), SCAN_MS).unref()
    void this.scan()
  }

  /** Begins with spaces that have webhooks now, and ends with those that have none any more. Never rejects. */
  scan(): Promise<void> {
    this.#scanning ??= this.#scanOnce()
      // A space that cannot be opened now is tried again at the next look.
      .catch(() => {})
      .finally(() => {
        this.#scanning = undefined
      })
    return this.#scanning
  }

  /** Waits for the messages that are under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#scanning
    await Promise.all([...this.#served.keys()].map((key) => this.#end(key)))
  }

  async #scanOnce(): Promise<void> {
    const { spaces, keys } = this.#options
    const wanted = new Set(await keys())
    for (const key of [...this.#served.keys()]) if (!wanted.has(key)) await this.#end(key)
    for (const key of wanted) {
      if (this.#isClosed || this.#served.has(key)) continue
      const lease = await spaces.acquire(key).catch(() => undefined)
      if (lease === undefined) continue
      this.#served.set(key, { lease, delivery: new WebhookDelivery(lease.space, this.#options) })
      // A file that was replaced is opened again: what is delivered from then on is of that.
      lease.space.closing.addEventListener('abort', () => void this.#end(key), { once: true })
    }
  }

  async #end(key: string): Promise<void> {
    const served = this.#served.get(key)
    this.#served.delete(key)
    await served?.delivery.close()
    served?.lease.release()
  }
}
