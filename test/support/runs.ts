/** How often property tests run. */

/**
 * @param short  the default: enough to detect a broken rule within a quarter of a second
 * @param long  the number with `FC_RUNS=long`, as `npm run test:all` sets it; `FC_RUNS=50` runs each property 50 times
 */
export function runs(short: number, long: number): number {
  const { FC_RUNS: input = '' } = process.env
  if (input === '') return short
  if (input === 'long') return long
  if (/^[1-9]\d*$/.test(input)) return Number(input)
  throw new Error(`Expected "long" or a number of runs in FC_RUNS, found "${input}".`)
}

/**
 * Timeout in milliseconds for so many runs of a property that uses several spaces. Generous enough for a busy machine:
 * it only catches tests that hang.
 */
export const timeOfRuns = (count: number): number => 60_000 + count * 10_000

/** Returns all examples with `FC_RUNS=long`, otherwise one in every `oneIn`, always the same. */
export function examples<Example>(all: readonly Example[], oneIn: number): readonly Example[] {
  return process.env.FC_RUNS === 'long' ? all : all.filter((_, index) => index % oneIn === 0)
}
