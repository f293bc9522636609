/** A sequence of calls on a fresh space in memory and on the model of it, held against each other. */
import { nextCall } from '../calls/calls.ts'
import { Chooser } from '../calls/chooser.ts'
import { difference } from './match.ts'
import { type Call, type Expected, expect, type UndoArgs } from './model.ts'
import { poolsOf } from './pools.ts'
import { Readings } from './readings.ts'
import { type Found, openInMemory, type Space } from './spaces.ts'
import { type Document, World } from './world.ts'

/** A call that was made, with the IDs that were first told after it. */
export interface Step {
  call: Call
  told: string[]
}

export interface Outcome {
  steps: Step[]
  refused: number
  /** What was different after the last of them. */
  fault: string | undefined
}

export interface Options {
  /** What stands between the calls and the product: nothing, or a fault. */
  around?: (space: Space) => Space
  /** What is read after each call: what it has changed, or the whole space. Either is read now and then otherwise. */
  each?: 'changed' | 'whole'
}

/** Friday, 20 November 2026. Each call comes a second after the one before, and some days apart. */
const START = Date.parse('2026-11-20T09:00:00Z')
const SECOND = 1000
const DAY = 24 * 3600 * SECOND
const CALLS_A_DAY = 100

/** Calls after which what they have changed is read, and all lists; the whole space is read in the end. */
const CHANGED = 10
const LISTS = 50
/** Of so many sequences by chance one has the whole space read after each call. */
const WHOLE = 20

/** One of so many calls takes others back, and so many at most. */
const UNDONE = 15
const UNDONE_AT_ONCE = 3

const AUTHOR = 'model'

/** @param next  the call after those that were made; none at the end */
export async function runSequence(
  next: (world: World, steps: readonly Step[]) => Call | undefined,
  { around = (space) => space, each }: Options = {},
): Promise<Outcome> {
  const clock = { now: START }
  const opened = await openInMemory(clock, AUTHOR)
  const space = around(opened)
  const world = new World()
  const known = new Set<string>()
  const readings = new Readings(world, opened.ask, known)
  const steps: Step[] = []
  const changed = new Set<Document>()
  let refused = 0
  const look = async (): Promise<string | undefined> => {
    if (each === 'whole') return readings.all()
    if (each === undefined && steps.length % CHANGED > 0) return undefined
    const fault = await readings.touched(changed)
    changed.clear()
    return fault ?? (steps.length % LISTS === 0 ? readings.lists() : undefined)
  }
  const make = async (call: Call): Promise<string | undefined> => {
    // So where calls before it are left out, to make a sequence shorter.
    if (call.tool === 'history_undo' && (call.args as UndoArgs).count > world.undoable) return undefined
    const expected = expect(world, call, { now: clock.now, author: AUTHOR })
    const found = await space.call(call)
    if ('refused' in found) refused++
    for (const document of world.touched) changed.add(document)
    return differentAnswer(expected, found, known) ?? (await look())
  }
  try {
    for (;;) {
      const call = next(world, steps)
      if (call === undefined) return { steps, refused, fault: await readings.all().catch(inWords) }
      clock.now += SECOND + (steps.length % CALLS_A_DAY === CALLS_A_DAY - 1 ? DAY : 0)
      const before = known.size
      steps.push({ call, told: [] })
      // What cannot be read, and what the model has no answer to, is a difference as well.
      const fault = await make(call).catch(inWords)
      steps.at(-1)?.told.push(...[...known].slice(before))
      if (fault !== undefined) return { steps, refused, fault }
    }
  } finally {
    await opened.close()
  }
}

export const inWords = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

/** A sequence by chance, the same for the same seed. */
export function runSeed(seed: number, length: number, options?: Options): Promise<Outcome> {
  const chooser = new Chooser(seed)
  const gone: string[] = []
  return runSequence(
    (world, steps) => {
      if (steps.length >= length) return undefined
      for (const id of steps.at(-1)?.told ?? []) if (chooser.once(10)) gone.push(id)
      if (world.undoable > 0 && chooser.once(UNDONE)) {
        return { tool: 'history_undo', args: { count: 1 + chooser.number(Math.min(world.undoable, UNDONE_AT_ONCE)) } }
      }
      return nextCall(chooser, poolsOf(world, gone))
    },
    { ...(seed % WHOLE === 0 && { each: 'whole' }), ...options },
  )
}

/** Whether an answer, or a refusal, is not the one that the model expects. */
export function differentAnswer(expected: Expected, found: Found, known: Set<string>): string | undefined {
  if ('answer' in expected && 'answer' in found) {
    const fault = difference(expected.answer, found.answer, known)
    return fault && `it answers otherwise: ${fault}`
  }
  if ('answer' in expected) return 'refused' in found ? `it is refused with ${found.refused}: ${found.why}` : undefined
  if (!('refused' in found)) return `expected it to be refused with ${expected.refused}, found it done`
  if (found.refused === expected.refused) return undefined
  return `expected it to be refused with ${expected.refused}, found ${found.refused}: ${found.why}`
}
