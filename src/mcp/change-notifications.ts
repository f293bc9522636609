/** Notifies clients of changes: on long-lived connections, and on the streams that clients of 2026 listen to. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { inBackground } from '../base/background.ts'
import type { Caller } from '../call/run.ts'
import type { Resource } from '../server-catalog.ts'
import { type Listening, listingFingerprint, type SpaceChanges } from '../space/change-watcher.ts'
import type { AccessLink } from '../space/model/space.ts'
import { changedUris } from './mcp-resources.ts'

/** How a caller is notified. */
interface NotificationSink {
  listChanged(): Promise<void> | void
  updated(uri: string): Promise<void> | void
}

/** Notifies one caller of changes within the current reach of its link. Stops once the link has ended. */
class ChangeNotifier {
  /** Resolves once every later change will be notified. Never rejects. */
  readonly ready: Promise<void>
  readonly #caller: Caller
  readonly #resources: () => Promise<readonly Resource[]>
  readonly #sink: NotificationSink
  #watch: Listening | undefined
  #isStopped = false
  /** The last list within reach. */
  #lastListing: string | undefined

  constructor(caller: Caller, resources: () => Promise<readonly Resource[]>, sink: NotificationSink) {
    this.#caller = caller
    this.#resources = resources
    this.#sink = sink
    this.ready = this.#start()
  }

  /** No notifications are sent after this resolves. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.ready
    await this.#watch?.stop()
  }

  async #start(): Promise<void> {
    // Read before the first check, so that changes in between are notified rather than lost.
    this.#lastListing = await this.#currentLink()
      .then((link) => this.#listingFor(link))
      .catch(() => undefined)
    if (this.#isStopped) return
    this.#watch = this.#caller.space.watch((changes) => this.#notify(changes))
    await this.#watch.ready
  }

  async #notify(changes: SpaceChanges): Promise<void> {
    if (changes.documents.length === 0 && !changes.listChanged) return
    const link = await this.#currentLink()
    if (link === undefined || link.pausedAt !== undefined) return
    if (changes.listChanged && (await this.#hasListChanged(link))) await this.#sink.listChanged()
    const resources = await this.#resources()
    const addresses = await this.#caller.space.read(link, (view) => changedUris(resources, view, changes))
    for (const uri of addresses) await this.#sink.updated(uri)
  }

  async #currentLink(): Promise<AccessLink | undefined> {
    const { link, currentLink } = this.#caller
    return currentLink === undefined ? link : currentLink()
  }

  /**
   * A change of the whole space's list is not reported to a narrow link, since it may concern documents out of reach.
   */
  async #hasListChanged(link: AccessLink): Promise<boolean> {
    if (link.kind === 'full') return true
    const before = this.#lastListing
    this.#lastListing = await this.#listingFor(link)
    return this.#lastListing !== before
  }

  async #listingFor(link: AccessLink | undefined): Promise<string | undefined> {
    if (link === undefined || link.kind === 'full') return undefined
    return this.#caller.space.read(link, listingFingerprint)
  }
}

/**
 * Notifies a connection of changes while it lasts. All changes after the promise resolves are notified.
 *
 * @param isWatched  true for resources that the connection subscribes to
 */
export function notifyChanges(
  server: Server,
  caller: Caller,
  resources: () => Promise<readonly Resource[]>,
  isWatched: (uri: string) => boolean,
): Promise<void> {
  const notifier = new ChangeNotifier(caller, resources, {
    listChanged: () => server.sendResourceListChanged(),
    updated: async (uri) => {
      if (isWatched(uri)) await server.sendResourceUpdated({ uri })
    },
  })
  const { onclose } = server
  server.onclose = () => {
    onclose?.()
    inBackground('stop notifying of changes', () => notifier.stop())
  }
  return notifier.ready
}

/** The subscriber of a stream: a caller, and a function that keeps its space open. */
export interface StreamSubscriber {
  caller: Caller
  acquireSpace(): Promise<{ release(): void } | undefined>
  /** Set by its subscription. Resolves once every later change will be notified. Never rejects. */
  ready?: Promise<void>
}

/** The streams of all links. Each is notified only of changes within its link's reach. */
export class ChangeBus implements ServerEventBus {
  readonly #resources: readonly Resource[]
  readonly #subscriber = new AsyncLocalStorage<StreamSubscriber>()

  constructor(resources: readonly Resource[]) {
    this.#resources = resources
  }

  /** Assigns subscriptions that are made while `work` runs to this caller. */
  runAs<T>(subscriber: StreamSubscriber, work: () => T): T {
    return this.#subscriber.run(subscriber, work)
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const subscriber = this.#subscriber.getStore()
    if (subscriber === undefined) return () => {}
    const { caller, acquireSpace } = subscriber
    const lease = acquireSpace()
    // A failure is logged when the stream ends. Until then, the lease of another request may keep the space open.
    lease.catch(() => {})
    const notifier = new ChangeNotifier(caller, async () => this.#resources, {
      listChanged: () => listener({ kind: 'resources_list_changed' }),
      updated: (uri) => listener({ kind: 'resource_updated', uri }),
    })
    subscriber.ready = notifier.ready
    return () =>
      inBackground('end a stream of changes', async () => {
        await notifier.stop()
        const acquired = await lease
        acquired?.release()
      })
  }

  /** Unused, since only changes of spaces cause notifications. */
  publish(): void {}
}
