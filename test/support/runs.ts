/** How often a property is tried. */

/**
 * @param short  by default: enough to notice a broken rule within a quarter of a second
 * @param long  with `FC_RUNS=long`, as `npm run test:all` sets it; `FC_RUNS=50` tries each property 50 times
 */
export function runs(short: number, long: number): number {
  const { FC_RUNS: asked = '' } = process.env
  if (asked === '') return short
  if (asked === 'long') return long
  if (/^[1-9]\d*$/.test(asked)) return Number(asked)
  throw new Error(`Expected "long" or a number of runs in FC_RUNS, found "${asked}".`)
}

/** Milliseconds that so many runs of a property with several spaces may take: a bound for what hangs, also on a busy machine. */
export const timeOfRuns = (count: number): number => 60_000 + count * 10_000

/** Of many real examples all with `FC_RUNS=long`, otherwise one in so many, always the same. */
export function examples<Example>(all: readonly Example[], oneIn: number): readonly Example[] {
  return process.env.FC_RUNS === 'long' ? all : all.filter((_, index) => index % oneIn === 0)
}
