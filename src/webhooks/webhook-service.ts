/** Delivers to the webhooks of all spaces of a server. */
import { inBackground } from '../base/background.ts'
import type { SpaceLease, SpaceRegistry } from '../call/space-registry.ts'
import { WebhookDelivery, type WebhookDeliveryOptions } from './webhook-delivery.ts'

/** Milliseconds between scans for spaces that have new webhooks. */
const SCAN_MS = 30_000

export interface WebhookServiceOptions extends WebhookDeliveryOptions {
  spaces: SpaceRegistry
  /** The keys of spaces that may have webhooks. */
  keys(): readonly string[] | Promise<readonly string[]>
}

/** A space that is kept open because it has webhooks. */
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
    const scan = () => inBackground('look for webhooks', () => this.scan(), options.report)
    this.#timer = setInterval(scan, SCAN_MS).unref()
    scan()
  }

  /** Starts delivery for spaces with webhooks, and stops it for those without any. Never rejects. */
  scan(): Promise<void> {
    this.#scanning ??= this.#scanOnce()
      // A space that cannot be opened is tried again in the next scan.
      .catch(() => {})
      .finally(() => {
        this.#scanning = undefined
      })
    return this.#scanning
  }

  /** Looks for spaces with webhooks after one has got its first. */
  scanSoon(): void {
    const again = async () => {
      await this.#scanning
      if (!this.#isClosed) await this.scan()
    }
    inBackground('look for webhooks', again, this.#options.report)
  }

  /** Waits for messages that are being sent. */
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
      // A replaced file is opened again, and deliveries continue from the new one.
      const end = () => inBackground('end the delivery of a space', () => this.#end(key), this.#options.report)
      lease.space.closing.addEventListener('abort', end, { once: true })
    }
  }

  async #end(key: string): Promise<void> {
    const served = this.#served.get(key)
    this.#served.delete(key)
    await served?.delivery.close()
    served?.lease.release()
  }
}
