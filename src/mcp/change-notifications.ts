/** Tells of changes: to connections that last, and on the streams that clients of 2026 listen at. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { Caller } from '../call/run.ts'
import type { Resource } from '../endpoint.ts'
import { type Listening, listingFingerprint, type SpaceChanges } from '../space/change-watcher.ts'
import type { AccessLink } from '../space/model/space.ts'
import { changedUris } from './mcp-resources.ts'

/** How a caller is notified. */
interface NotificationSink {
  listChanged(): Promise<void> | void
  updated(uri: string): Promise<void> | void
}

/** Tells one caller of what changes within the reach that its link has at that moment; of nothing once it has ended. */
class ChangeNotifier {
  /** Resolves once every later change will be notified. */
  readonly ready: Promise<void>
  readonly #caller: Caller
  readonly #resources: () => Promise<readonly Resource[]>
  readonly #sink: NotificationSink
  #watch: Listening | undefined
  #isStopped = false
  /** What was last listed within reach. */
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
    // Before the first look, so that changes in between are notified rather than lost.
    this.#lastListing = await this.#currentLink().then(
      (link) => this.#listingFor(link),
      () => undefined,
    )
    if (this.#isStopped) return
    this.#watch = this.#caller.space.watch((changes) => this.#notify(changes))
    await this.#watch.ready
  }

  async #notify(changes: SpaceChanges): Promise<void> {
    if (changes.documents.length === 0 && !changes.listChanged) return
    const link = await this.#currentLink()
    if (link === undefined) return
    if (changes.listChanged && (await this.#hasListChanged(link))) await this.#sink.listChanged()
    const resources = await this.#resources()
    const addresses = await this.#caller.space.read(link, (view) => changedUris(resources, view, changes))
    for (const uri of addresses) await this.#sink.updated(uri)
  }

  async #currentLink(): Promise<AccessLink | undefined> {
    const { link, currentLink } = this.#caller
    return currentLink === undefined ? link : currentLink()
  }

  /** That the list of the whole space changed tells a narrow link nothing: documents that it cannot see may have come. */
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
 * Tells a connection of what changes, as long as it lasts; all that changes once this resolves.
 *
 * @param isWatched  of what it wants to hear
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
    void notifier.stop()
  }
  return notifier.ready
}

/** Who listens: a caller, and how to keep its space open meanwhile. */
export interface StreamSubscriber {
  caller: Caller
  acquireSpace(): Promise<{ release(): void } | undefined>
}

/** The streams of all links: each hears of what its own reaches, and of nothing else. */
export class ChangeBus implements ServerEventBus {
  readonly #resources: readonly Resource[]
  readonly #subscriber = new AsyncLocalStorage<StreamSubscriber>()

  constructor(resources: readonly Resource[]) {
    this.#resources = resources
  }

  /** What subscribes while `work` runs is this caller's. */
  runAs<T>(subscriber: StreamSubscriber, work: () => T): T {
    return this.#subscriber.run(subscriber, work)
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const subscriber = this.#subscriber.getStore()
    if (subscriber === undefined) return () => {}
    const { caller, acquireSpace } = subscriber
    const lease = acquireSpace()
    const notifier = new ChangeNotifier(caller, async () => this.#resources, {
      listChanged: () => listener({ kind: 'resources_list_changed' }),
      updated: (uri) => listener({ kind: 'resource_updated', uri }),
    })
    return () => void notifier.stop().then(async () => (await lease)?.release())
  }

  /** Spaces are watched; nothing else has anything to tell. */
  publish(): void {}
}
