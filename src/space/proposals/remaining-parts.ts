/** What is left of a proposal once some of its parts are decided: it waits on, and says what it would change by now. */
import { filesOfProposal, type RemainingProposal } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { AccessLink } from '../model/access-link.ts'
import type { PrepareContext } from '../model/prepare-context.ts'
import type { Space } from '../model/space.ts'
import { isWaiting, type PartStep, placeOf, readParts, type StoredPart, type StoredParts } from './parts/part.ts'
import { placedSteps } from './parts/place-part.ts'
import { disposeParts, type PreparedPart, prepareParts } from './parts/run-parts.ts'
import { readReach, type StoredStep } from './proposal.ts'
import { describeRehearsal, type Rehearsal, rehearseProposal, runProposal } from './rehearse-proposal.ts'

/** Places calls beside the parts that are there. */
export type Placing = (steps: readonly PartStep[], part: StoredPart) => readonly PartStep[]

/**
 * @param there  what was accepted and is still there: see {@link acceptedThere}
 * @param running  parts that run in this order
 */
export const placing =
  (parts: readonly StoredPart[], there: ReadonlySet<string>, running: readonly StoredPart[]): Placing =>
  (steps, part) => {
    const ran = new Set(running.slice(0, running.indexOf(part)))
    return placedSteps(steps, part, parts, (one) => {
      const { subject, end = subject } = one
      if (ran.has(one)) return { first: subject, last: end }
      const [first, last] = [subject, end].map((id) => (there.has(`${one.key} ${id}`) ? id : undefined))
      return { first: first ?? last, last: last ?? first }
    })
  }

/** What the accepted parts of a list have added, as far as it is still where they put it: `KEY ID` of each. */
export async function acceptedThere(space: Space, parts: readonly StoredPart[]): Promise<Set<string>> {
  const accepted = parts.filter(({ order, state }) => order !== undefined && state === 'accepted')
  if (accepted.length === 0) return new Set()
  const named = accepted.flatMap((part) => [part.subject, part.end, ...Object.values(placeOf(part))])
  const ids = named.flatMap((id) => (id === undefined ? [] : Number(id)))
  const rows = new Map((await space.findReachableBlocks(ids)).map((row) => [String(row.id), row]))
  const found = accepted.flatMap((part) => {
    const { pageId, siblingId } = placeOf(part)
    // Tasks stand where their location says.
    const parent = rows.get(pageId ?? '')?.n ?? rows.get(siblingId ?? '')?.parent
    return [part.subject, part.end].flatMap((id) => {
      const row = rows.get(id ?? '')
      return row !== undefined && (parent == null || row.parent === parent) ? `${part.key} ${row.id}` : []
    })
  })
  return new Set(found)
}

/** Prepares what waits of a proposal, so that a later proposal finds what it would create. */
export async function prepareWaiting(
  row: ProposalRow,
  link: AccessLink,
  context: PrepareContext,
): Promise<PreparedPart[]> {
  const { parts } = readParts(row)
  const waiting = parts.filter(isWaiting)
  const there = await context.read((space) => acceptedThere(space, parts))
  return prepareParts(row, waiting, link, context, placing(parts, there, waiting))
}

/** A decision on some parts of a proposal. */
export interface PartDecision {
  row: ProposalRow
  stored: StoredParts
  /** What was accepted before and is still there: see {@link acceptedThere}. */
  there: ReadonlySet<string>
  /** The parts that are accepted; none if they are rejected. */
  accepted: readonly StoredPart[]
  /** The parts that wait on. */
  rest: readonly StoredPart[]
}

/**
 * Finds out what the rest would change after the decision.
 *
 * @returns undefined if it can no longer be carried out
 */
export async function rehearseRest(
  { row, stored, there, accepted, rest }: PartDecision,
  access: AccessLink['access'],
  context: PrepareContext,
): Promise<Rehearsal | undefined> {
  const link = readReach(row, access)
  const place = placing(stored.parts, there, [...accepted, ...rest])
  const first = await prepareParts(row, accepted, link, context, place)
  try {
    const second = await prepareParts(row, rest, link, context, place)
    try {
      const { recorded } = await context.rehearse(async (space) => {
        if (first.length > 0) await runProposal(space, row, first, access)
        return rehearseProposal(space, row, second, access)
      })
      return await describeRehearsal(recorded)
    } finally {
      await disposeParts(second)
    }
  } catch (error) {
    if (error instanceof ScriptoriumError) return undefined
    throw error
  } finally {
    await disposeParts(first)
  }
}

/**
 * What the proposal stores from now on.
 *
 * @param parts  with what became of those decided
 * @param rehearsed  what the rest would change; if it is not known, the proposal keeps its difference
 */
export async function remainingProposal(
  space: Space,
  row: ProposalRow,
  { parts, ...ofCall }: StoredParts,
  rehearsed: Rehearsal | undefined,
): Promise<RemainingProposal> {
  const files = new Map((await filesOfProposal(space.tx, row.n)).map((file) => [file.step, file]))
  const place = placing(parts, await acceptedThere(space, parts), parts.filter(isWaiting))
  const kept: RemainingProposal['files'][number][] = []
  const steps: StoredStep[] = []
  const numbered = parts.map((part): StoredPart => {
    if (!isWaiting(part)) return part
    const first = steps.length
    steps.push(...place(part.steps, part).map(({ file: _, ...step }) => step))
    const renumber = (list: readonly PartStep[]) =>
      list.map(({ file, ...step }, index): PartStep => (file === undefined ? step : { ...step, file: first + index }))
    for (const [index, { file }] of part.steps.entries()) {
      const found = file === undefined ? undefined : files.get(file)
      if (found === undefined) continue
      const { hash, size, mediaType } = found
      kept.push({ step: first + index, hash, size, mediaType })
    }
    const { merging, replacing } = part
    return {
      ...{ ...part, steps: renumber(part.steps) },
      ...(merging !== undefined && { merging: renumber(merging) }),
      ...(replacing !== undefined && { replacing: renumber(replacing) }),
    }
  })
  return {
    parts: JSON.stringify({ ...ofCall, parts: numbered }),
    acceptedCount: countAccepted(parts),
    steps: JSON.stringify(steps),
    ids: JSON.stringify(parts.filter(isWaiting).flatMap(({ ids }) => ids)),
    documents: rehearsed === undefined ? row.documents : JSON.stringify(rehearsed.documents),
    isSpaceWide: rehearsed === undefined ? row.isSpaceWide : Number(rehearsed.isSpaceWide),
    summary: rehearsed?.summary ?? row.summary,
    diff: rehearsed?.diff ?? row.diff,
    changes: rehearsed?.changes ?? null,
    files: kept,
  }
}

export const countAccepted = (parts: readonly StoredPart[]): number =>
  parts.filter(({ state }) => state === 'accepted').length
