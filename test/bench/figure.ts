/**
 * Figures: each measurement is compared with a bare floor in the same run, since absolute times on a shared machine
 * mean little.
 */

export interface Figure {
  what: string
  /** The floor of the comparison. */
  floor: string
  ours: number
  bare: number
  unit: string
  /** Our value divided by the floor's. */
  ratio: number
  goal: Goal
}

/** A bound on the ratio, or on our own value if the goal is absolute. */
export interface Goal {
  of: 'ratio' | 'ours'
  most?: number
  least?: number
}

export function isMet({ ours, ratio, goal }: Figure): boolean {
  const value = goal.of === 'ratio' ? ratio : ours
  return value <= (goal.most ?? Infinity) && value >= (goal.least ?? -Infinity)
}

/** Other options of the command line. */
export interface MeasureOptions {
  /** A folder of test collections with relevance judgments. */
  data?: string | undefined
}

/** The export of each bench file. Notes are lines printed below the table. */
export type Measure = (options?: MeasureOptions) => Promise<{ figures: Figure[]; notes?: string[] }>

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  return (lower + upper) / 2
}

/** Returns the milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/**
 * Measures ours and the floor in turns, so that other load on the machine affects both.
 *
 * @returns the medians of each, and the median of the ratios of neighboring measurements; the first round is a warm-up
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
