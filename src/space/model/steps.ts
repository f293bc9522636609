/** Calls that run inside another call, in its transaction. */
import type { WrittenFile } from '../../../storage/bytes/file-bytes.ts'
import type { CallSplitter, PartKind } from './call-parts.ts'
import type { FileBody } from './file-body.ts'
import type { GivenId } from './ids.ts'
import type { AccessLink, Space } from './space.ts'

/** A call that runs as a step of another call. */
export interface StepInput {
  tool: string
  arguments: unknown
  /** The name by which later steps refer to what this step creates. */
  as?: string | undefined
  /** The path of the step in the input, for errors: `steps[3]`. */
  path: string
  /** True if it is the only call, so that it may use tools that cannot be steps, such as undo. */
  isAlone?: boolean
  /** The link of the call, if it is not the caller's. */
  link?: AccessLink
  /** The bytes of a file that the step adds. */
  body?: FileBody
}

/** A file that a step adds. */
export interface StepFile {
  written: WrittenFile
  mediaType: string
  /** The arguments without the bytes. */
  arguments: object
}

/** A step that is ready to run once. The owner must dispose of it. */
export interface PreparedStep extends AsyncDisposable {
  tool: string
  as: string | undefined
  /** The parsed arguments. */
  arguments: unknown
  file: StepFile | undefined
  isReading: boolean
  /** True if it only deletes or undoes, so that it may run although a quota is used up. */
  isAllowedWhenFull: boolean
  /** True if leases whose time is over are ended before it. */
  endsLeases: boolean
  /** Blocks that it deletes with all that they hold. */
  deletes: readonly GivenId[]
  /** @throws CONFLICT if its stored answer promises what no longer holds */
  assertStillValid(space: Space, answer: unknown): Promise<void>
  /** The number of blocks that it will write. */
  blocks: number
  /** How it is split into parts; undefined if it is always one. */
  splitter: CallSplitter | undefined
  /** What it does, if it is one part. */
  kind: PartKind
  /** @throws with the path of the step */
  run(space: Space): Promise<StepResult>
}

export interface StepResult {
  /** The IDs of what it wrote, as the connection spells them. */
  ids: string[]
  /** The answer of the step: an object, or Markdown. */
  answer: unknown
  blocksRead: number
}

/** The syntax of references: `$plan` is the first thing that the step `plan` created, `$plan.2` the third. */
export const REFERENCE = /^\$([A-Za-z][\w-]{0,39})(?:\.\d{1,5})?$/

/** Names of steps. */
export const STEP_NAME = /^[A-Za-z][\w-]{0,39}$/

/** Runs steps in sequence. Each can refer to what the steps before it created. */
export async function runSteps(space: Space, steps: readonly PreparedStep[]): Promise<StepResult[]> {
  const results: StepResult[] = []
  for (const step of steps) {
    // Writes are indexed at the end of the transaction, which is too late for a search within it.
    if (step.isReading) await space.tx.words.indexPending()
    await space.aroundStep?.before()
    const result = await step.run(space)
    await space.aroundStep?.after(result)
    space.blocksRead += result.blocksRead
    if (step.as !== undefined) await nameMade(space, step.as, result.ids)
    results.push(result)
  }
  return results
}

async function nameMade(space: Space, name: string, ids: readonly string[]): Promise<void> {
  const numbers = await space.readIds(ids)
  for (const [index, id] of ids.entries()) {
    const number = numbers.get(id)
    if (number === undefined) continue
    space.references.set(`$${name}.${index}`, number)
    if (index === 0) space.references.set(`$${name}`, number)
  }
}

/** True if steps may run although a quota is used up. */
export const areAllowedWhenFull = (steps: readonly PreparedStep[]): boolean =>
  steps.every(({ isReading, isAllowedWhenFull }) => isReading || isAllowedWhenFull)

/** Disposes of all steps. */
export async function disposeSteps(steps: readonly PreparedStep[]): Promise<void> {
  for (const step of steps) await step[Symbol.asyncDispose]()
}
