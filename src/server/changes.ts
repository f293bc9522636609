/** Tells of changes: to connections that last, and on the streams that clients of 2026 listen at. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { Resource } from '../endpoint.ts'
import type { Changes, Watch } from '../space/watch.ts'
import { changedAddresses } from './resources.ts'
import type { Caller } from './run.ts'

/** The addresses of what has changed within the reach that a caller's link has now; none once it has ended. */
async function addressesFor(caller: Caller, resources: readonly Resource[], changes: Changes): Promise<string[]> {
  const { space, currentLink } = caller
  const link = currentLink === undefined ? caller.link : await currentLink()
  return link === undefined ? [] : space.read(link, (view) => changedAddresses(resources, view, changes))
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
  const watch = caller.space.watch(async (changes) => {
    if (changes.listChanged) await server.sendResourceListChanged()
    for (const uri of await addressesFor(caller, await resources(), changes)) {
      if (isWatched(uri)) await server.sendResourceUpdated({ uri })
    }
  })
  const { onclose } = server
  server.onclose = () => {
    onclose?.()
    void watch.stop()
  }
  return watch.ready
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
    const watch: Watch = caller.space.watch(async (changes) => {
      if (changes.listChanged) listener({ kind: 'resources_list_changed' })
      for (const uri of await addressesFor(caller, this.#resources, changes)) {
        listener({ kind: 'resource_updated', uri })
      }
    })
    return () => void watch.stop().then(async () => (await held)?.release())
  }

  /** Spaces are watched; nothing else has anything to tell. */
  publish(): void {}
}
