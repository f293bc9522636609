/**
 * What ten jobs cost a model: the tokens (o200k) of everything that it sends and reads, without the list of tools. They
 * are compared with the cost before IDs had twelve digits and writes had short responses. `BENCH_BEFORE=FOLDER`
 * compares with another checkout instead.
 */
import { join } from 'node:path'
import { type Cost, startCounted } from './counted-calls.ts'
import type { Figure, Measure } from './figure.ts'
import { idsOf, JOBS } from './jobs.ts'
import { inFolder } from './workbench.ts'

const CHECKOUT = join(import.meta.dirname, '../..')

/** The goal for the average of all jobs. */
const MOST_PER_JOB = 600

/** The tokens of each job, in the order of {@link JOBS}. */
const BEFORE: readonly number[] = [714, 707, 1674, 1103, 2003, 1711, 1503, 3643, 1699, 837]

export const measure: Measure = async () => {
  const { BENCH_BEFORE: folder } = process.env
  const ours = await costs(CHECKOUT)
  const before = folder === undefined ? BEFORE : (await costs(folder)).map(({ tokens }) => tokens)
  const figures = Object.keys(JOBS).map((what, index) => figureOf(what, ours[index]?.tokens ?? 0, before[index] ?? 0))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const all = figureOf('all ten jobs', sum(ours.map(({ tokens }) => tokens)), sum(before))
  figures.push({ ...all, goal: { of: 'ours', most: MOST_PER_JOB * ours.length } })
  return { figures, notes: [`The jobs take ${sum(ours.map(({ calls }) => calls))} calls.`] }
}

const figureOf = (what: string, ours: number, bare: number): Figure => ({
  ...{ what, floor: 'before', ours, bare, unit: 'tokens', ratio: ours / bare },
  goal: { of: 'ratio', most: 1 },
})

/** Measures the cost of each job with the program of a checkout. */
async function costs(cwd: string): Promise<Cost[]> {
  const found: Cost[] = []
  for (const job of Object.values(JOBS)) {
    found.push(await inFolder((folder) => costOf(job, join(folder, 'space.sqlite'), cwd)))
  }
  return found
}

async function costOf(job: (typeof JOBS)[string], space: string, cwd: string): Promise<Cost> {
  const { cost, call, reset, close } = await startCounted(space, cwd)
  try {
    await job(async (name, args) => {
      const { text, object } = await call(name, args)
      return { text, ids: idsOf(text, object) }
    }, reset)
    return cost
  } finally {
    await close()
  }
}
