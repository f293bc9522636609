/** Figures: what is measured against a bare floor in the same run, since absolute times of a shared machine mean little. */

export interface Figure {
  what: string
  /** What it is measured against. */
  floor: string
  ours: number
  bare: number
  unit: string
  /** Ours by the floor's. */
  ratio: number
  goal: Goal
}

/** A bound on the ratio, or, where the goal is absolute, on our own value. */
export interface Goal {
  of: 'ratio' | 'ours'
  most?: number
  least?: number
}

export function isMet({ ours, ratio, goal }: Figure): boolean {
  const value = goal.of === 'ratio' ? ratio : ours
  return value <= (goal.most ?? Infinity) && value >= (goal.least ?? -Infinity)
}

/** What the command line says besides subjects. */
export interface MeasureOptions {
  /** A folder of judged collections. */
  data?: string | undefined
}

/** A subject's file exports this; notes are lines that stand below the table. */
export type Measure = (options?: MeasureOptions) => Promise<{ figures: Figure[]; notes?: string[] }>

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  return (lower + upper) / 2
}

/** Milliseconds that work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/**
 * Ours and the floor by turns, so that what else the machine does weighs on both.
 *
 * @returns the medians of each, and the median of the ratios of neighbours; the first round only warms up
 */
export async function interleaved(
  rounds: number,
  ours: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<{ ours: number; bare: number; ratio: number }> {
  const pairs: [ours: number, bare: number][] = []
  for (let round = 0; round <= rounds; round++) {
    const first = await (round % 2 === 0 ? ours : floor)()
    const second = await (round % 2 === 0 ? floor : ours)()
    const pair: [number, number] = round % 2 === 0 ? [first, second] : [second, first]
    if (round > 0) pairs.push(pair)
  }
  return {
    ours: median(pairs.map(([ours]) => ours)),
    bare: median(pairs.map(([, bare]) => bare)),
    ratio: median(pairs.map(([ours, bare]) => ours / bare)),
  }
}
