/** The spaces of a database, opened on demand and closed when idle. No other state is kept. */
import type { Opening } from '../call/opening-space.ts'
import type { ServedSpace } from '../call/space-registry.ts'
import { type OnDemandOptions, OnDemandRegistry, type SpacePlace } from './on-demand-registry.ts'

export interface DatabaseRegistryOptions extends OnDemandOptions {
  /** The name of the space with this key; undefined if the database has none. */
  nameOf(key: string): Promise<string | undefined>
  openSpace(name: string, progress: Opening): Promise<ServedSpace>
}

export class DatabaseSpaceRegistry extends OnDemandRegistry {
  readonly #options: DatabaseRegistryOptions

  constructor(options: DatabaseRegistryOptions) {
    super(options)
    this.#options = options
  }

  protected async find(key: string): Promise<SpacePlace | undefined> {
    const name = await this.#options.nameOf(key)
    return name === undefined
      ? undefined
      : { shown: `the space ${name}`, open: (progress) => this.#options.openSpace(name, progress) }
  }

  protected forget(): undefined {
    return undefined
  }
}
