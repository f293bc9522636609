/**
 * Parts of a proposal: calls that together do what was proposed. A person decides on each of them, and the proposal waits
 * until the last one is decided.
 */
import type { ProposalRow } from '../../../../storage/schema.ts'
import { invalid, ScriptoriumError } from '../../../base/errors.ts'
import type { PartKind, PartOrder } from '../../model/call-parts.ts'
import { shortIds } from '../../model/ids.ts'
import type { StoredStep } from '../proposal.ts'

/** A call of a part. */
export interface PartStep extends StoredStep {
  /** The number under which the proposal stores the file that it adds. */
  file?: number
}

export const PART_STATES = ['waiting', 'accepted', 'rejected'] as const

export interface StoredPart {
  /** Unique in its proposal: the ID of what it concerns, with the key of the property after a slash for a value. */
  key: string
  kind: PartKind
  /** The ID of what it concerns, in its short spelling; absent if it has none. */
  subject?: string
  property?: string
  steps: readonly PartStep[]
  /** The same, with the texts that the connection saw as base: what others have changed since is merged. */
  merging?: readonly PartStep[]
  /** The same without any base, for texts that cannot be merged. Absent if `steps` have none. */
  replacing?: readonly PartStep[]
  /** The IDs that it draws. */
  ids: readonly number[]
  /** Those of documents that it makes to put something there, such as the inbox. */
  places?: readonly number[]
  /** The keys of parts that it refers to. */
  needs: readonly string[]
  /** The last block beside its subject, if it adds several. */
  end?: string
  /** Parts of one list keep their order by rank, whichever of them is accepted first. */
  order?: { list: string; by: PartOrder; rank: number }
  state: (typeof PART_STATES)[number]
  /** The ID of the call that carried it out. */
  call?: number
}

/** What a proposal stores of its parts, and of its call. */
export interface StoredParts {
  parts: readonly StoredPart[]
  /** The response of the call, if its connection waits for the decision. */
  response?: object
  /** Names what is proposed, if it is replaced while it waits. */
  version?: string
  /** The comment that the proposal answers. Its thread is resolved with the first part that is accepted. */
  answers?: string
}

/** The key of the only part of a proposal that concerns nothing with an ID. */
export const WHOLE = 'all'

/** The key of the calls of a proposal as a person has edited them. */
export const EDITED = 'edited'

/** Reads the parts of a proposal. One of an earlier version has a single part. */
export function readParts({ parts, steps, ids }: Pick<ProposalRow, 'parts' | 'steps' | 'ids'>): StoredParts {
  return parts === null ? { parts: [wholePart(JSON.parse(steps), JSON.parse(ids))] } : JSON.parse(parts)
}

/** All calls of a proposal as one part. */
export const wholePart = (
  steps: readonly StoredStep[],
  ids: readonly number[],
  places?: readonly number[],
): StoredPart => ({
  ...{ key: WHOLE, kind: 'other', needs: [], state: 'waiting', ids, ...(places && { places }) },
  steps: steps.map((step, file) => ({ ...step, file })),
})

export const isWaiting = ({ state }: StoredPart): boolean => state === 'waiting'

/** The waiting parts with these keys, with all waiting ones that they need, in the order of the proposal. */
export function withNeeded(parts: readonly StoredPart[], keys: Iterable<string>): StoredPart[] {
  const byKey = new Map(parts.map((part) => [part.key, part]))
  const wanted = new Set<string>()
  const open = [...keys]
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (wanted.has(key)) continue
    wanted.add(key)
    open.push(...(byKey.get(key)?.needs ?? []))
  }
  return parts.filter((part) => wanted.has(part.key) && isWaiting(part))
}

/** The waiting parts with these keys, with all waiting ones that need them, in the order of the proposal. */
export function withDependent(parts: readonly StoredPart[], keys: Iterable<string>): StoredPart[] {
  const wanted = new Set(keys)
  // A part only needs earlier ones.
  for (const { key, needs } of parts) if (needs.some((one) => wanted.has(one))) wanted.add(key)
  return parts.filter((part) => wanted.has(part.key) && isWaiting(part))
}

/** @throws VALIDATION_ERROR for a key that no part has; CONFLICT for a part that was decided */
export function assertPartsWait(parts: readonly StoredPart[], keys: readonly string[], proposal: number): void {
  const byKey = new Map(parts.map((part) => [part.key, part]))
  for (const key of keys) {
    const part = byKey.get(key)
    if (part === undefined) {
      const known = parts.filter(isWaiting).map((one) => one.key)
      const some = `${known.slice(0, SHOWN_KEYS).join(', ')}${known.length > SHOWN_KEYS ? ' …' : ''}`
      throw invalid(
        `Expected parts of proposal ${proposal} (${some}), found ${JSON.stringify(key)}; name one of those.`,
        [{ path: 'parts', message: `Expected the key of a part, found ${JSON.stringify(key)}.` }],
      )
    }
    if (!isWaiting(part)) {
      throw new ScriptoriumError(
        'CONFLICT',
        `Expected a part that waits, found that ${key} of proposal ${proposal} was ${part.state}; read those that wait again.`,
      )
    }
  }
}

/** Keys that an error lists. */
const SHOWN_KEYS = 10

/** How much of a proposal was accepted: `2 of 5`. */
export const acceptedText = ({ acceptedCount, partCount }: Pick<ProposalRow, 'acceptedCount' | 'partCount'>): string =>
  `${acceptedCount} of ${partCount}`

/** All IDs that are named in calls, in any spelling. */
export function idsNamedIn(steps: readonly StoredStep[]): Set<number> {
  return new Set((JSON.stringify(steps).match(ID) ?? []).map(Number))
}
const ID = /(?<!\d)[1-9]\d{11}(?!\d)/g

/** The IDs that say where a part puts something, in their short spelling. */
export function placeOf({ steps: [step] }: Pick<StoredPart, 'steps'>): {
  pageId: string | undefined
  siblingId: string | undefined
} {
  const { position, collectionId } = (step?.arguments ?? {}) as {
    position?: { pageId?: string; siblingId?: string }
    collectionId?: string
  }
  const page = position?.pageId ?? collectionId
  const sibling = position?.siblingId
  return {
    pageId: page === undefined ? undefined : shortIds([page])[0],
    siblingId: sibling === undefined ? undefined : shortIds([sibling])[0],
  }
}
