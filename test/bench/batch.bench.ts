/**
 * Runs ten jobs as batches and as single calls, and counts the calls and the tokens that a model sends and reads.
 * `test/call/batch.law.test.ts` checks that both ways have the same effect.
 */
import { join } from 'node:path'
import { BATCH_JOBS, type Job, type JobStep } from './batch-jobs.ts'
import { type Cost, type CountedAnswer, type CountedCalls, startCounted } from './counted-calls.ts'
import type { Figure, Measure } from './figure.ts'
import { idsOf } from './jobs.ts'
import { inFolder } from './workbench.ts'

const CHECKOUT = join(import.meta.dirname, '../..')

export const measure: Measure = async () => {
  const figures: Figure[] = []
  const [batched, single]: [Cost, Cost] = [
    { calls: 0, tokens: 0 },
    { calls: 0, tokens: 0 },
  ]
  for (const [what, job] of Object.entries(BATCH_JOBS)) {
    const [ours, bare] = [await costOf(job, inOne), await costOf(job, oneByOne)]
    figures.push(...figuresOf(what, ours, bare))
    for (const key of ['calls', 'tokens'] as const) {
      batched[key] += ours[key]
      single[key] += bare[key]
    }
  }
  figures.push(...figuresOf('all ten jobs', batched, single, 1))
  return { figures }
}

/**
 * The goal is at most a third of the calls. A batch itself costs some tokens, which long jobs save since they need not
 * name IDs.
 */
const figuresOf = (what: string, ours: Cost, bare: Cost, mostTokens = 1.25): Figure[] =>
  (['calls', 'tokens'] as const).map((unit) => ({
    ...{ what, floor: 'single calls', unit, ours: ours[unit], bare: bare[unit], ratio: ours[unit] / bare[unit] },
    goal: { of: 'ratio', most: unit === 'calls' ? 1 / 3 : mostTokens },
  }))

/** Runs steps. @returns the IDs that each step created */
type Way = (calls: CountedCalls, steps: readonly JobStep[], known: Known) => Promise<string[][]>

/** The created IDs, by the name of the step. */
type Known = ReadonlyMap<string, readonly string[]>

const costOf = (job: Job, way: Way): Promise<Cost> =>
  inFolder(async (folder) => {
    const calls = await startCounted(join(folder, 'space.sqlite'), CHECKOUT)
    try {
      const known = new Map<string, readonly string[]>()
      const note = (steps: readonly JobStep[], ids: readonly string[][]) => {
        for (const [index, { as }] of steps.entries()) if (as !== undefined) known.set(as, ids[index] ?? [])
      }
      const { before = [], stages } = job
      note(before, await oneByOne(calls, before, known))
      calls.reset()
      for (const stage of stages) {
        const steps = stage((name) => known.get(name) ?? [])
        note(steps, await way(calls, steps, known))
      }
      return { ...calls.cost }
    } finally {
      await calls.close()
    }
  })

const inOne: Way = async ({ call }, steps, known) => {
  const { object } = await call('batch', { steps: steps.map((step) => resolved(step, known)) })
  return (object as { items: { ids?: string[] }[] }).items.map(({ ids = [] }) => ids)
}

const oneByOne: Way = async ({ call }, steps, before) => {
  const known = new Map(before)
  const all: string[][] = []
  for (const step of steps) {
    const ids = writtenIds(await call(step.tool, resolved(step, known).arguments))
    all.push(ids)
    if (step.as !== undefined) known.set(step.as, ids)
  }
  return all
}

const REFERENCE = /^\$([a-z]+)(?:\.(\d+))?$/

/** Replaces references to known results by IDs. */
const resolved = (step: JobStep, known: Known): JobStep => ({
  ...step,
  arguments: JSON.parse(JSON.stringify(step.arguments), (_, value) => {
    const [, name = '', index = '0'] = (typeof value === 'string' && REFERENCE.exec(value)) || []
    return known.get(name)?.[Number(index)] ?? value
  }),
})

const writtenIds = ({ text, object }: CountedAnswer): string[] => idsOf(text, object)
