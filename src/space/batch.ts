/** Runs several calls as one: either all of them take effect, or none does. */
import { invalid } from '../base/errors.ts'
import type { GivenId } from './model/ids.ts'
import type { PrepareContext } from './model/prepare-context.ts'
import type { Space } from './model/space.ts'
import { disposeSteps, type PreparedStep, runSteps, type StepInput } from './model/steps.ts'

export interface BatchInput {
  steps: readonly Omit<StepInput, 'path'>[]
  /** The comment that the batch answers. */
  answers?: GivenId | undefined
  dryRun: boolean
}

export interface PreparedBatch extends AsyncDisposable {
  steps: readonly PreparedStep[]
  dryRun: boolean
}

/**
 * @throws VALIDATION_ERROR if two steps have the same name. Errors of single calls are thrown with the path of their
 *   step.
 */
export async function prepareBatch(
  { steps: given, answers, dryRun }: BatchInput,
  context: PrepareContext,
): Promise<PreparedBatch> {
  const steps = answers === undefined ? given : withAnswers(given, answers)
  assertNamesUnique(steps)
  const prepared: PreparedStep[] = []
  const batch = { steps: prepared, dryRun, [Symbol.asyncDispose]: () => disposeSteps(prepared) }
  try {
    for (const [index, step] of steps.entries())
      prepared.push(await context.prepareStep({ ...step, path: `steps[${index}]` }))
    return batch
  } catch (error) {
    await disposeSteps(prepared)
    throw error
  }
}

/** Gives the last step the comment that the batch answers: what a proposal stores of a batch is its steps. */
const withAnswers = (steps: BatchInput['steps'], answers: GivenId): BatchInput['steps'] =>
  steps.map((step, index) =>
    index < steps.length - 1
      ? step
      : { ...step, arguments: { ...(step.arguments as object), answers: String(answers) } },
  )

function assertNamesUnique(steps: BatchInput['steps']): void {
  const names = new Set<string>()
  for (const [index, { as }] of steps.entries()) {
    if (as !== undefined && names.has(as)) {
      throw invalid(`At steps[${index}].as: Expected a name of its own, found ${as} again; name each step otherwise.`, [
        { path: `steps[${index}].as`, message: `Expected a name of its own, found ${as} again.` },
      ])
    }
    if (as !== undefined) names.add(as)
  }
}

export const countBatchBlocks = ({ steps }: PreparedBatch): number =>
  steps.reduce((total, { blocks }) => total + blocks, 0)

/** The IDs that a step wrote, and its response. */
export interface BatchItem {
  tool: string
  as?: string
  ids?: string[]
  answer?: Record<string, unknown> | string
}

/** Returns, for each step, the IDs that it wrote and whatever else its response contains. */
export async function runBatch(space: Space, { steps }: PreparedBatch): Promise<{ items: BatchItem[] }> {
  const results = await runSteps(space, steps)
  return {
    items: results.map(({ ids, answer }, index) => {
      const { tool, as, isReading } = steps[index] as PreparedStep
      const other = isReading ? answer : withoutIds(answer, new Set(ids))
      return {
        tool,
        ...(as !== undefined && { as }),
        ...(!isReading && { ids }),
        ...(other !== undefined && { answer: other as NonNullable<BatchItem['answer']> }),
      }
    }),
  }
}

/** @throws CONFLICT if the stored response of a step promises what no longer holds */
export async function assertBatchStillValid(
  space: Space,
  { items }: { items: readonly { answer?: unknown }[] },
  { steps }: PreparedBatch,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    // Without an answer, the step wrote what its IDs say and promised nothing else.
    const answer = items[index]?.answer
    if (answer !== undefined) await step.assertStillValid(space, answer)
  }
}

/** Removes the given IDs from a response. Returns undefined if nothing else is left. */
function withoutIds(answer: unknown, ids: ReadonlySet<string>): unknown {
  if (typeof answer === 'string') return ids.has(answer) ? undefined : answer
  if (typeof answer !== 'object' || answer === null) return answer
  if (Array.isArray(answer)) return answer.every((one) => withoutIds(one, ids) === undefined) ? undefined : answer
  const others = Object.entries(answer).filter(([, value]) => withoutIds(value, ids) !== undefined)
  return others.length === 0 ? undefined : Object.fromEntries(others)
}
