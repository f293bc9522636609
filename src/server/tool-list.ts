/** The tools of one kind of connection as clients see them: values, which can be kept without what they were made of. */
import type { Effect } from '../endpoint.ts'
import { ScriptoriumError } from '../errors.ts'
import type { Access, Space } from '../space/space.ts'
import type { JsonSchema } from './arguments.ts'

/** A tool as `tools/list` shows it. */
export interface ToolListing {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema & { type: 'object' }
  outputSchema?: JsonSchema & { type: 'object' }
  annotations: Record<string, boolean>
}

/** A tool's listing, and what decides whether a connection is shown it. */
export interface Published {
  listing: ToolListing
  effect: Effect
  personal?: true
}

/** What each access lets a link do. */
export const mayDo = (effect: Effect, access: Access): boolean =>
  access === 'full' || effect === 'read' || (access === 'no-delete' && effect !== 'delete')

export class ToolList {
  readonly published: readonly Published[]

  constructor(published: readonly Published[]) {
    this.published = published
  }

  get listings(): ToolListing[] {
    return this.published.map(({ listing }) => listing)
  }

  /** The names of those that a link of this access may not use. */
  forbidden(access: Access): ReadonlySet<string> {
    return this.#names(({ effect }) => !mayDo(effect, access))
  }

  /** The names of those that the connection may not use as things stand. */
  async unavailable(space: Space): Promise<ReadonlySet<string>> {
    return (await isOnePersons(space)) ? new Set() : this.#names(({ personal }) => personal === true)
  }

  #names(isOne: (one: Published) => boolean): ReadonlySet<string> {
    return new Set(this.published.filter(isOne).map(({ listing }) => listing.name))
  }
}

async function isOnePersons(space: Space): Promise<boolean> {
  try {
    await space.ownParticipant()
    return true
  } catch (error) {
    if (error instanceof ScriptoriumError) return false
    throw error
  }
}
