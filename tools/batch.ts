import { z } from 'zod'
import { STEPS_PER_BATCH } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { assertBatchStillValid, countBatchBlocks, prepareBatch, runBatch } from '../src/space/batch.ts'
import { areAllowedWhenFull } from '../src/space/model/steps.ts'
import { id } from './shapes/block-shapes.ts'
import { named } from './shapes/input-aliases.ts'
import { step } from './shapes/step-shape.ts'

const run = endpoint({
  name: 'batch',
  title: 'Run steps together',
  description:
    'Run calls of other tools as one: all or none. Where an ID goes, "$plan" is the first thing that the step with as: "plan" made, "$plan.2" the third.',
  route: 'POST /batch',
  // The least that a step with an effect needs. Each step is checked by itself.
  effect: 'comment',
  isEssential: true,
  hints: { destructive: true, idempotent: false },
  aliases: [
    ...named('steps', 'calls operations'),
    ...named('tool', 'name', 'steps[].'),
    ...named('arguments', 'args input params', 'steps[].'),
  ],
  alsoKnownAs: ['batch_run', 'batch_execute', 'transaction', 'bulk'],
  input: byKind(() =>
    z.strictObject({
      steps: z.array(step).min(1).max(STEPS_PER_BATCH),
      // As in other calls that write; the last step gets it.
      answers: id.optional().meta({ hidden: true }),
      dryRun: z.boolean().default(false).describe('Only say what would change'),
    }),
  ),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        tool: z.string(),
        as: z.string().optional(),
        ids: z.array(z.string()).optional(),
        answer: z.union([z.string(), z.looseObject({})]).optional(),
      }),
    ),
  }),
  isNoStep: true,
  blocks: { write: countBatchBlocks },
  writtenIds: ({ items }) => items.flatMap(({ ids = [] }) => ids),
  steps: ({ steps }) => steps,
  deletes: ({ steps }) => steps.flatMap(({ deletes }) => deletes),
  isAllowedWhenFull: ({ steps }) => areAllowedWhenFull(steps),
  isDryRun: ({ dryRun }) => dryRun,
  assertStillValid: ({ space }, answer, batch) => assertBatchStillValid(space, answer, batch),
  prepare: prepareBatch,
  handle: ({ space }, batch) => runBatch(space, batch),
})

export const batch = [run]
