/**
 * Which tests run, and how. The end of a file's name decides its project:
 *
 * - `unit`: all other files. They share their workers and the modules in them, so that none is loaded once per file.
 *   Among them are the laws, `*.law.test.ts`: properties and oracles. `FC_RUNS` says how often each is tried
 *   (`test/support/runs.ts`).
 * - `process`, `*.process.test.ts`: what starts programs, or takes over what belongs to a whole process, such as its
 *   standard output. Its files share their workers as well.
 * - `alone`, `*.alone.test.ts`: what replaces or resets modules for all that is loaded after it, each in a process of
 *   its own.
 * - `browser`, `*.browser.test.ts`: what people write together, in Debian's Chromium, on a server that is started once
 *   for all of them.
 * - `pages`, `*.pages.test.ts`: all other pages in Chromium. They take minutes, so they run with those of `slow`.
 * - `slow`, `*.slow.test.ts`: what takes seconds of processor time by its nature: it compiles all sources, packs and
 *   installs the package, fills memory, or gives a parser megabytes. `npm run test:slow` runs it, and CI does.
 * - `pauses`, `*.pauses.test.ts`: how long a call may block others, in milliseconds. What these find depends on the
 *   machine, so no other run includes them: `npm run bench -- pauses`.
 *
 * Laws try the same values in each run, unless `FC_RUNS` is set (`test/support/seed.ts`).
 * Worker threads of the program start in their bundled form where that exists (`test/support/bundled-workers.ts`).
 *
 * `vitest run --mode postgres` runs unit tests and laws of the tools on spaces in a database that is made for them
 * (`test/support/postgres-suite.ts`).
 * `vitest run --mode counted` counts which statements of the pages' scripts run (`npm run coverage`).
 * `vitest run --mode all` runs everything except `pauses`, and the laws in their long form.
 */
import { existsSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { countingPlugin } from './test/coverage/counted-scripts.ts'

/** Folders of tests that are run on PostgreSQL as well: those of what calls store and find. */
const ON_POSTGRES = 'test/{call,events,history,members,postgres,tools}'
/**
 * Those of them that are not: forms of arguments, which are read before anything is stored, and what tools say about
 * themselves. That both engines answer the same calls with the same bytes is a law: test/postgres/same-answers.law.test.ts.
 */
const NOT_ON_POSTGRES = [
  'test/call/{arguments,parse-input,read-json,rest-only,tool-selection}.*',
  'test/tools/{first-calls,hints,hostile-values,likely-mistakes,unwrapped-text}.test.ts',
  // Files of more than 1 MiB, which the database does not take.
  'test/call/proposals.law.test.ts',
  // Statements of SQLite; those that are sent to the database are counted in test/postgres/statements.test.ts.
  'test/tools/statement-budget.test.ts',
]
const PROCESS = 'test/**/*.process.test.ts'
const ALONE = 'test/**/*.alone.test.ts'
const BROWSER = 'test/**/*.browser.test.ts'
const PAGES = 'test/**/*.pages.test.ts'
const SLOW = 'test/**/*.slow.test.ts'
const PAUSES = 'test/**/*.pauses.test.ts'
/** A folder in memory, on Linux. */
const MEMORY = '/dev/shm'
/** Bytes that tests may write at once. Containers often have less memory there. */
const ROOM = 1024 ** 3
/** Milliseconds: a bound for what hangs, also on a busy machine. */
const PATIENCE = 30_000

/** Where tests make their files. What they write need not survive a power failure, and on a disk each flush waits. */
function filesInMemory(): { TMPDIR?: string } {
  if (!existsSync(MEMORY)) return {}
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize < ROOM ? {} : { TMPDIR: MEMORY }
}

export default defineConfig(({ mode }) => {
  const isAll = mode === 'all'
  const isPostgres = mode === 'postgres'
  const isPauses = mode === 'pauses'
  const isSlow = mode === 'slow'
  const isCounted = mode === 'counted'
  const shared = {
    testTimeout: PATIENCE,
    hookTimeout: PATIENCE,
    maxWorkers: 2,
    setupFiles: [
      'test/support/bundled-workers.ts',
      'test/support/seed.ts',
      ...(isCounted ? ['test/coverage/keep-counts.ts'] : []),
    ],
    // Slow tests may fill more.
    env: { ...(isAll && { FC_RUNS: 'long' }), ...(!isAll && !isSlow && filesInMemory()) },
  }
  const plugins = isCounted ? [countingPlugin] : []
  // What takes seconds by itself takes many on a busy machine.
  const patient = { ...shared, testTimeout: 4 * PATIENCE, hookTimeout: 4 * PATIENCE }
  const inBrowser = {
    ...patient,
    globalSetup: 'test/support/page-browser.ts',
    isolate: false,
    expect: { poll: { timeout: 2 * PATIENCE, interval: 50 } },
  }
  return {
    test: {
      reporters: [...configDefaults.reporters, './test/support/slow-tests.ts'],
      // Once for all projects. Tests that start the program start the bundled one.
      ...(isPostgres && { globalSetup: ['test/support/postgres-suite.ts', 'test/support/bundled-program.ts'] }),
      ...(isPostgres && { project: ['unit'] }),
      ...(isPauses && { project: ['pauses'] }),
      ...(isSlow && { project: ['slow', 'pages'] }),
      projects: [
        {
          plugins,
          test: {
            ...shared,
            name: 'unit',
            include: [isPostgres ? `${ON_POSTGRES}/**/*.test.ts` : 'test/**/*.test.ts'],
            exclude: [
              PROCESS,
              ALONE,
              BROWSER,
              PAGES,
              SLOW,
              PAUSES,
              ...(isPostgres ? NOT_ON_POSTGRES : ['test/postgres/**']),
            ],
            isolate: false,
          },
        },
        {
          test: {
            ...shared,
            name: 'process',
            include: [PROCESS],
            globalSetup: 'test/support/bundled-program.ts',
            isolate: false,
          },
        },
        { plugins, test: { ...shared, name: 'alone', include: [ALONE] } },
        { test: { ...inBrowser, name: 'browser', include: [BROWSER] } },
        ...(isSlow || isAll || isCounted ? [{ test: { ...inBrowser, name: 'pages', include: [PAGES] } }] : []),
        ...(isSlow || isAll
          ? [{ test: { ...patient, name: 'slow', include: [SLOW], globalSetup: 'test/support/bundled-program.ts' } }]
          : []),
        // Beside other tests they would measure those.
        ...(isPauses ? [{ test: { ...shared, name: 'pauses', include: [PAUSES], maxWorkers: 1 } }] : []),
      ],
    },
  }
})
