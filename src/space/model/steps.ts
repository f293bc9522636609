/** Calls that run inside another call, in its transaction. */
import type { WrittenFile } from '../../../storage/bytes/file-bytes.ts'
import type { FileBody } from './file-body.ts'
import type { AccessLink, Space } from './space.ts'

/** A call as a step of another one. */
export interface StepInput {
  tool: string
  arguments: unknown
  /** The name by which later steps refer to what this one makes. */
  as?: string | undefined
  /** Where it stands in the input, for errors: `steps[3]`. */
  path: string
  /** Whether it was called by itself, so that it may be a call that is no step, such as an undo. */
  isAlone?: boolean
  /** Whose call it is, where that is not the caller. */
  link?: AccessLink
  /** The bytes of a file that it adds. */
  body?: FileBody
}

/** A file that a step adds. */
export interface StepFile {
  written: WrittenFile
  mediaType: string
  /** What says all but the bytes. */
  arguments: object
}

/** A step that is ready to run once. Its owner disposes of it. */
export interface PreparedStep extends AsyncDisposable {
  tool: string
  as: string | undefined
  /** As they were read. */
  arguments: unknown
  file: StepFile | undefined
  isReading: boolean
  /** Blocks that it will write. */
  blocks: number
  /** @throws with the place of the step */
  run(space: Space): Promise<StepResult>
}

export interface StepResult {
  /** The IDs of what it wrote, as the connection spells them. */
  ids: string[]
  /** What it answers: an object, or Markdown. */
  answer: unknown
  blocksRead: number
}

/** What a reference looks like: `$plan` is the first thing that the step `plan` made, `$plan.2` the third. */
export const REFERENCE = /^\$([A-Za-z][\w-]{0,39})(?:\.\d{1,5})?$/

/** Names of steps. */
export const STEP_NAME = /^[A-Za-z][\w-]{0,39}$/

/** Runs steps one after another. What one of them makes can be referred to by those after it. */
export async function runSteps(space: Space, steps: readonly PreparedStep[]): Promise<StepResult[]> {
  const results: StepResult[] = []
  for (const step of steps) {
    // What is written is indexed when the transaction ends, which is too late for a search in it.
    if (step.isReading) await space.tx.words.indexPending()
    const result = await step.run(space)
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

/** Disposes of steps, all of them. */
export async function disposeSteps(steps: readonly PreparedStep[]): Promise<void> {
  for (const step of steps) await step[Symbol.asyncDispose]()
}
