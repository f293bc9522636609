/** The tools of one kind of connection as clients see them. Plain data, so that it can be cached on its own. */

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

/** A tool's listing, and the data that decides whether a connection sees it. */
export interface ToolEntry {
  listing: ToolListing
  /**
   * Set if the listing refers to another tool for some of its inputs: that tool, and the schema without the reference.
   */
  refersTo?: { tool: string; inputSchema: ToolListing['inputSchema'] }
  /** Set if some inputs are rare: the schema without them, for short lists. They are accepted all the same. */
  brief?: ToolListing['inputSchema']
  effect: Effect
  personal?: true
  essential?: true
  /** True if the response can be shown to people. */
  view?: true
}

/** Checks whether a link with this access may have this effect. */
export function isEffectAllowed(effect: Effect, access: AccessLevel): boolean {
  switch (access) {
    case 'full':
      return true
    case 'no-delete':
      return effect !== 'delete'
    case 'propose':
      return effect !== 'decide'
    case 'comment':
      return effect === 'read' || effect === 'comment'
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

  /**
   * Lists a selection of the tools. None of them refers to a tool outside of the selection.
   *
   * @param isBrief  true to leave out rare inputs
   */
  listed(isListed: (name: string) => boolean, isBrief = false): ToolListing[] {
    return this.entries
      .filter(({ listing }) => isListed(listing.name))
      .map(({ listing, refersTo, brief }) => {
        if (isBrief && brief !== undefined) return { ...listing, inputSchema: brief }
        if (refersTo === undefined || isListed(refersTo.tool)) return listing
        return { ...listing, inputSchema: refersTo.inputSchema }
      })
  }

  /** The names of the tools whose responses can be shown to people. */
  get viewed(): ReadonlySet<string> {
    return this.#names(({ view }) => view === true)
  }

  /** The names of the tools that a link with this access may not use. */
  forbidden(access: AccessLevel): ReadonlySet<string> {
    return this.#names(({ effect }) => !isEffectAllowed(effect, access))
  }

  /** The names of the tools that the connection cannot use at the moment. */
  async unavailable(space: Space): Promise<ReadonlySet<string>> {
    return (await hasOwnParticipant(space)) ? new Set() : this.#names(({ personal }) => personal === true)
  }

  #names(isOne: (one: ToolEntry) => boolean): ReadonlySet<string> {
    return new Set(this.entries.filter(isOne).map(({ listing }) => listing.name))
  }
}

/** True if the connection belongs to one participant, so that it may use personal tools. */
export async function hasOwnParticipant(space: Space): Promise<boolean> {
  try {
    await space.getOwnParticipant()
    return true
  } catch (error) {
    if (error instanceof ScriptoriumError) return false
    throw error
  }
}
