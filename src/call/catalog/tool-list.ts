/** The tools of one kind of connection as clients see them: values, which can be kept without what they were made of. */

import { ScriptoriumError } from '../../base/errors.ts'
import type { Effect } from '../../endpoint.ts'
import type { AccessLevel, Space } from '../../space/model/space.ts'
import type { JsonSchema } from '../input/arguments.ts'

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
export interface ToolEntry {
  listing: ToolListing
  /** Where the listing says of inputs that they are as in another tool: which, and the inputs as they are without it. */
  refersTo?: { tool: string; inputSchema: ToolListing['inputSchema'] }
  effect: Effect
  personal?: true
  essential?: true
  /** Whether people can be shown what it answers. */
  view?: true
}

/** What each access lets a link do. */
export function isEffectAllowed(effect: Effect, access: AccessLevel): boolean {
  switch (access) {
    case 'full':
      return true
    case 'no-delete':
      return effect !== 'delete'
    case 'propose':
      return effect !== 'decide'
    case 'read':
      return effect === 'read'
  }
}

export class ToolList {
  readonly entries: readonly ToolEntry[]

  constructor(published: readonly ToolEntry[]) {
    this.entries = published
  }

  get listings(): ToolListing[] {
    return this.listed(() => true)
  }

  /** Some of the tools: none of them refers to another that is not among them. */
  listed(isListed: (name: string) => boolean): ToolListing[] {
    return this.entries
      .filter(({ listing }) => isListed(listing.name))
      .map(({ listing, refersTo }) =>
        refersTo === undefined || isListed(refersTo.tool) ? listing : { ...listing, inputSchema: refersTo.inputSchema },
      )
  }

  /** The names of those whose answers people can be shown. */
  get viewed(): ReadonlySet<string> {
    return this.#names(({ view }) => view === true)
  }

  /** The names of those that a link of this access may not use. */
  forbidden(access: AccessLevel): ReadonlySet<string> {
    return this.#names(({ effect }) => !isEffectAllowed(effect, access))
  }

  /** The names of those that the connection may not use as things stand. */
  async unavailable(space: Space): Promise<ReadonlySet<string>> {
    return (await hasOwnParticipant(space)) ? new Set() : this.#names(({ personal }) => personal === true)
  }

  #names(isOne: (one: ToolEntry) => boolean): ReadonlySet<string> {
    return new Set(this.entries.filter(isOne).map(({ listing }) => listing.name))
  }
}

/** Whether the connection is one participant's, so that it may have what is personal. */
export async function hasOwnParticipant(space: Space): Promise<boolean> {
  try {
    await space.getOwnParticipant()
    return true
  } catch (error) {
    if (error instanceof ScriptoriumError) return false
    throw error
  }
}
