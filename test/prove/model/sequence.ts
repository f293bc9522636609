/** Runs a sequence of calls on a new in-memory space and on the model, and compares the two. */
import { nextCallOrBatch } from '../calls/batches.ts'
import { Chooser } from '../calls/chooser.ts'
import type { Pools } from '../calls/pools.ts'
import { isPageEdit } from './editing.ts'
import { differentAnswer } from './match.ts'
import { type Call, expect, type UndoArgs } from './model.ts'
import { poolsOf } from './pools.ts'
import { Proposals } from './proposals.ts'
import { Readings } from './readings.ts'
import { openInMemory, type Space } from './spaces.ts'
import { type Document, World } from './world.ts'

/** A call, and the IDs that were learned from it. */
export interface Step {
  call: Call
  messages: string[]
}

export interface Outcome {
  steps: Step[]
  refused: number
  /** The first difference, found after the last call. */
  fault: string | undefined
}

export interface Options {
  /** Wraps the product, for example to plant a fault. */
  around?: (space: Space) => Space
  /** What is read after each call: the changed documents or the whole space. By default both are read less often. */
  each?: 'changed' | 'whole'
}

/** Friday, 20 November 2026. Calls are one second apart, with a jump of a day now and then. */
const START = Date.parse('2026-11-20T09:00:00Z')
const SECOND = 1000
/** Longer than what counts as recent, so that no call depends on what the one before it has read. */
const BETWEEN_CALLS = 61 * SECOND
const DAY = 24 * 3600 * SECOND
const CALLS_A_DAY = 100

/**
 * The number of calls after which the changed documents are read, and the lists. The whole space is read at the end.
 */
const CHANGED = 10
const LISTS = 50
/** One of this many random sequences reads the whole space after each call. */
const WHOLE = 20

/** One of this many calls is an undo, and the maximum number of calls that it undoes. */
const UNDONE = 15
const UNDONE_AT_ONCE = 3

/** One of this many calls becomes a proposal if none is pending, and the maximum number of pending proposals. */
const PROPOSED = 25
const PROPOSED_AT_ONCE = 4

/** The index of a pending proposal. */
interface RejectArgs {
  at: number
}

const AUTHOR = 'model'

/** The state from which the next call is chosen. */
export interface SoFar {
  world: World
  proposals: Proposals
  steps: readonly Step[]
  /** The time of the last call. */
  now: number
}

/** @param next  returns the next call, or undefined at the end */
export async function runSequence(
  next: (so: SoFar) => Call | undefined,
  { around = (space) => space, each }: Options = {},
): Promise<Outcome> {
  const clock = { now: START }
  const opened = await openInMemory(clock, AUTHOR)
  const space = around(opened)
  const world = new World()
  const known = new Set<string>()
  const readings = new Readings(world, opened.ask, known, AUTHOR)
  const proposals = new Proposals(world, opened, known)
  const steps: Step[] = []
  const changed = new Set<Document>()
  let refused = 0
  const read = async (): Promise<string | undefined> => {
    if (each === 'whole') return readings.all()
    if (each === undefined && steps.length % CHANGED > 0) return undefined
    const fault = await readings.touched(changed)
    changed.clear()
    return fault ?? (steps.length % LISTS === 0 ? await all(readings.lists()) : undefined)
  }
  const all = async (read: Promise<string | undefined>) => (await read) ?? proposals.difference(opened.ask)
  const carryOut = async (call: Call): Promise<string | undefined> => {
    if (call.tool === 'proposals_approve') return proposals.approve(clock.now)
    if (call.tool === 'proposals_reject') return proposals.reject((call.args as RejectArgs).at)
    if (call.isProposed) return proposals.isFresh(clock.now) ? proposals.propose(call, clock.now) : undefined
    // This happens when earlier calls are left out to shorten a sequence.
    if (call.tool === 'history_undo' && (call.args as UndoArgs).count > world.undoable) return undefined
    const expected = expect(world, call, { now: clock.now, author: AUTHOR })
    const found = await space.call(call)
    if ('refused' in found) refused++
    else proposals.outdate()
    return differentAnswer(expected, found, known)
  }
  const make = async (call: Call): Promise<string | undefined> => {
    world.now = clock.now
    world.touched = new Set()
    const fault = await carryOut(call)
    for (const document of world.touched) changed.add(document)
    if (fault !== undefined || !proposals.hasUnknown) return fault ?? read()
    proposals.hasUnknown = false
    return (await readings.touched(changed)) ?? readings.lists()
  }
  try {
    for (;;) {
      const call = next({ world, proposals, steps, now: clock.now })
      if (call === undefined) return { steps, refused, fault: await all(readings.all()).catch(inWords) }
      clock.now += BETWEEN_CALLS + (steps.length % CALLS_A_DAY === CALLS_A_DAY - 1 ? DAY : 0)
      const [before, promisedBefore] = [known.size, proposals.promised.size]
      steps.push({ call, messages: [] })
      // A failing read or an unexpected exception counts as a difference as well.
      const fault = await make(call).catch(inWords)
      steps.at(-1)?.messages.push(...[...known].slice(before), ...[...proposals.promised].slice(promisedBefore))
      if (fault !== undefined) return { steps, refused, fault }
    }
  } finally {
    await opened.close()
  }
}

export const inWords = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

/** Runs a random sequence, which is the same for the same seed. */
export function runSeed(seed: number, length: number, options?: Options): Promise<Outcome> {
  const chooser = new Chooser(seed)
  const gone: string[] = []
  return runSequence(
    ({ world, proposals, steps, now }) => {
      if (steps.length >= length) return undefined
      for (const id of steps.at(-1)?.messages ?? []) if (chooser.once(10)) gone.push(id)
      if (proposals.count > 0 && chooser.once(3)) return decision(chooser, proposals.count)
      const isProposed = proposals.count > 0 ? chooser.once(2) : chooser.once(PROPOSED)
      if (isProposed && proposals.count < PROPOSED_AT_ONCE && proposals.isFresh(now)) {
        return { ...nextToPropose(chooser, proposals.poolsOf(gone, now)), isProposed: true }
      }
      if (world.undoable > 0 && chooser.once(UNDONE)) {
        return { tool: 'history_undo', args: { count: 1 + chooser.number(Math.min(world.undoable, UNDONE_AT_ONCE)) } }
      }
      return nextCallOrBatch(chooser, poolsOf(world, gone))
    },
    { ...(seed % WHOLE === 0 && { each: 'whole' }), ...options },
  )
}

/**
 * Edits of a page's text are not proposed: the page is read first, and what is read does not include pending proposals.
 */
function nextToPropose(chooser: Chooser, pools: Pools): Call {
  for (;;) {
    const call = nextCallOrBatch(chooser, pools)
    if (!isPageEdit(call.args)) return call
  }
}

/** Approves two of three proposals. */
const decision = (chooser: Chooser, waiting: number): Call =>
  chooser.once(3)
    ? { tool: 'proposals_reject', args: { at: chooser.number(waiting) } }
    : { tool: 'proposals_approve', args: {} }
