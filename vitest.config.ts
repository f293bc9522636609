/**
 * Which tests run, and how. The end of a file's name decides its project:
 *
 * - `unit`: all other files. They share their workers and the modules in them, so that none is loaded once per file.
 * - `laws`, `*.law.test.ts`: properties and oracles. `FC_RUNS` says how often each is tried (`test/support/runs.ts`).
 * - `process`, `*.process.test.ts`: what starts programs, or needs a process of its own.
 * - `time`, `*.time.test.ts`: what measures time. These run one after another, once all others are done.
 *
 * `vitest run` leaves `time` out; `vitest run --project time` runs it alone, and `vitest run --mode all` runs everything,
 * the laws in their long form.
 */
import { configDefaults, defineConfig } from 'vitest/config'

const LAWS = 'test/**/*.law.test.ts'
const PROCESS = 'test/**/*.process.test.ts'
const TIME = 'test/**/*.time.test.ts'
/** Milliseconds: a bound for what hangs, also on a busy machine. */
const PATIENCE = 30_000

export default defineConfig(({ mode }) => {
  const isAll = mode === 'all'
  const shared = {
    testTimeout: PATIENCE,
    hookTimeout: PATIENCE,
    maxWorkers: 2,
    env: isAll ? { FC_RUNS: 'long' } : {},
  }
  return {
    test: {
      reporters: [...configDefaults.reporters, './test/support/slow-tests.ts'],
      ...(!isAll && { project: ['unit', 'laws', 'process'] }),
      projects: [
        {
          test: {
            ...shared,
            name: 'unit',
            include: ['test/**/*.test.ts'],
            exclude: [LAWS, PROCESS, TIME],
            isolate: false,
          },
        },
        { test: { ...shared, name: 'laws', include: [LAWS], isolate: false } },
        { test: { ...shared, name: 'process', include: [PROCESS], globalSetup: 'test/support/bundled-program.ts' } },
        // Beside other tests it would measure those.
        { test: { ...shared, name: 'time', include: [TIME], maxWorkers: 1, sequence: { groupOrder: 1 } } },
      ],
    },
  }
})
