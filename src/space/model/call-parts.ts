/** How a call is split into smaller ones that together do the same, so that a person can decide on each of them. */
import type { Space } from './space.ts'

/**
 * What a part of a call does to its block, row, value or document. A `document` is added; one that is moved or deleted is
 * like a block.
 */
export const PART_KINDS = ['added', 'removed', 'changed', 'moved', 'value', 'document', 'other'] as const
export type PartKind = (typeof PART_KINDS)[number]

/** The arguments of a call as JSON has them. */
export type GivenArguments = Readonly<Record<string, unknown>>

/**
 * Where what a part adds stands among the others of its call. Parts may be accepted in any order, so each is placed beside
 * those that are there already.
 *
 * - `position`: the arguments have a position, which the first one of them takes
 * - `start` and `end`: at the beginning or the end of a list; the part is moved once it is there
 */
export type PartOrder = 'position' | 'start' | 'end'

/** A call that does a part of another. */
export interface CallPart {
  /** If absent, the tool of the whole call. */
  tool?: string
  arguments: GivenArguments
  kind: PartKind
  /** The ID of what it concerns. If absent, it is the first thing that the part creates. */
  subject?: string
  /** The key of the property, for a value. */
  property?: string
  order?: PartOrder
  /** Where it has come to, if its arguments alone do not say. */
  cameTo?: unknown
  /** What it continues, such as the thread of a block: it needs those before it that continue the same. */
  continues?: string
}

/** A call that was carried out, in a transaction that will be rolled back. */
export interface FinishedCall {
  space: Space
  answer: unknown
  /** What {@link CallSplitter.readBefore} has read. */
  before: unknown
}

/** How the calls of one tool are split. */
export interface CallSplitter {
  /** Reads, before the call runs, what is needed to split it. */
  readBefore?(space: Space, given: GivenArguments): Promise<unknown>
  /** @returns undefined for a call that is one part */
  split(
    given: GivenArguments,
    call: FinishedCall,
  ): readonly CallPart[] | undefined | Promise<readonly CallPart[] | undefined>
  /** How a text that others have changed since is merged with that of the call. */
  merging?: {
    /** Adds the texts that stand there now, from which those of the call were made. Undefined if there are none to add. */
    withBase(space: Space, given: GivenArguments): Promise<GivenArguments | undefined>
    /** Leaves out what a text is merged with, so that it takes the place of any other. Undefined if nothing is left out. */
    withoutBase(given: GivenArguments): GivenArguments | undefined
  }
}
