/** Tells of changes: to connections that last, and on the streams that clients of 2026 listen at. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { Resource } from '../endpoint.ts'
import type { Link } from '../space/space.ts'
import { type Changes, listed, type Watch } from '../space/watch.ts'
import { changedAddresses } from './resources.ts'
import type { Caller } from './run.ts'

/** How a caller is told. */
interface Telling {
  listChanged(): Promise<void> | void
  updated(uri: string): Promise<void> | void
}

/** Tells one caller of what changes within the reach that its link has at that moment; of nothing once it has ended. */
class Teller {
  /** Resolves once all that changes from then on is told. */
  readonly ready: Promise<void>
  readonly #caller: Caller
  readonly #resources: () => Promise<readonly Resource[]>
  readonly #telling: Telling
  #watch: Watch | undefined
  #isStopped = false
  /** What was last listed within reach. */
  #listed: string | undefined

  constructor(caller: Caller, resources: () => Promise<readonly Resource[]>, telling: Telling) {
    this.#caller = caller
    this.#resources = resources
    this.#telling = telling
    this.ready = this.#begin()
  }

  /** No more is told once this resolves. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.ready
    await this.#watch?.stop()
  }

  async #begin(): Promise<void> {
    // Before the first look, so that what comes between the two is told rather than lost.
    this.#listed = await this.#linkNow().then(
      (link) => this.#listFor(link),
      () => undefined,
    )
    if (this.#isStopped) return
    this.#watch = this.#caller.space.watch((changes) => this.#tell(changes))
    await this.#watch.ready
  }

  async #tell(changes: Changes): Promise<void> {
    const link = await this.#linkNow()
    if (link === undefined) return
    if (changes.listChanged && (await this.#isListedAnew(link))) await this.#telling.listChanged()
    const resources = await this.#resources()
    const addresses = await this.#caller.space.read(link, (view) => changedAddresses(resources, view, changes))
    for (const uri of addresses) await this.#telling.updated(uri)
  }

  async #linkNow(): Promise<Link | undefined> {
    const { link, currentLink } = this.#caller
    return currentLink === undefined ? link : currentLink()
  }

  /** That the list of the whole space changed tells a narrow link nothing: documents that it cannot see may have come. */
  async #isListedAnew(link: Link): Promise<boolean> {
    if (link.kind === 'full') return true
    const before = this.#listed
    this.#listed = await this.#listFor(link)
    return this.#listed !== before
  }

  async #listFor(link: Link | undefined): Promise<string | undefined> {
    if (link === undefined || link.kind === 'full') return undefined
    return this.#caller.space.read(link, listed)
  }
}

/**
 * Tells a connection of what changes, as long as it lasts; all that changes once this resolves.
 *
 * @param isWatched  of what it wants to hear
 */
export function tellChanges(
  server: Server,
  caller: Caller,
  resources: () => Promise<readonly Resource[]>,
  isWatched: (uri: string) => boolean,
): Promise<void> {
  const teller = new Teller(caller, resources, {
    listChanged: () => server.sendResourceListChanged(),
    updated: async (uri) => {
      if (isWatched(uri)) await server.sendResourceUpdated({ uri })
    },
  })
  const { onclose } = server
  server.onclose = () => {
    onclose?.()
    void teller.stop()
  }
  return teller.ready
}

/** Who listens: a caller, and how to keep its space open meanwhile. */
export interface Listening {
  caller: Caller
  hold(): Promise<{ release(): void } | undefined>
}

/** The streams of all links: each hears of what its own reaches, and of nothing else. */
export class ChangeBus implements ServerEventBus {
  readonly #resources: readonly Resource[]
  readonly #listening = new AsyncLocalStorage<Listening>()

  constructor(resources: readonly Resource[]) {
    this.#resources = resources
  }

  /** What subscribes while `work` runs is this caller's. */
  as<T>(listening: Listening, work: () => T): T {
    return this.#listening.run(listening, work)
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const listening = this.#listening.getStore()
    if (listening === undefined) return () => {}
    const { caller, hold } = listening
    const held = hold()
    const teller = new Teller(caller, async () => this.#resources, {
      listChanged: () => listener({ kind: 'resources_list_changed' }),
      updated: (uri) => listener({ kind: 'resource_updated', uri }),
    })
    return () => void teller.stop().then(async () => (await held)?.release())
  }

  /** Spaces are watched; nothing else has anything to tell. */
  publish(): void {}
}
