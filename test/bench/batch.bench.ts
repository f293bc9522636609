/**
 * Ten jobs by batch, beside the same steps one call each: how many calls they take, and how many tokens a model sends
 * and reads for them. `test/call/batch.law.test.ts` shows that both ways leave the same.
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

/** At most a third of the calls. The words of a batch cost some tokens, which long jobs save by naming no IDs. */
const figuresOf = (what: string, ours: Cost, bare: Cost, mostTokens = 1.25): Figure[] =>
  (['calls', 'tokens'] as const).map((unit) => ({
    ...{ what, floor: 'single calls', unit, ours: ours[unit], bare: bare[unit], ratio: ours[unit] / bare[unit] },
    goal: { of: 'ratio', most: unit === 'calls' ? 1 / 3 : mostTokens },
  }))

/** Carries steps out. @returns the IDs of what each made */
type Way = (calls: CountedCalls, steps: readonly JobStep[], known: Known) => Promise<string[][]>

/** IDs by the name of the step that made them. */
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

/** The step with IDs in place of the references to what is known. */
const resolved = (step: JobStep, known: Known): JobStep => ({
  ...step,
  arguments: JSON.parse(JSON.stringify(step.arguments), (_, value) => {
    const [, name = '', index = '0'] = (typeof value === 'string' && REFERENCE.exec(value)) || []
    return known.get(name)?.[Number(index)] ?? value
  }),
})

const writtenIds = ({ text, object }: CountedAnswer): string[] => idsOf(text, object)
