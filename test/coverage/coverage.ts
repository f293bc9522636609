/**
 * Runs the tests of the pages' scripts in Node and in Chromium, and the proof that uses pages like a person, and prints
 * which share of the lines ran in any of them: `npm run coverage`. `--lines` also lists the lines that did not.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import coverage, { type FileCoverageData } from 'istanbul-lib-coverage'
import { type Counts, pageScripts, uncounted } from './counted-scripts.ts'

/** Percent of the lines that must run. */
const LEAST = 80
const TESTS = ['test/page', 'test/html']
const ROOT = join(import.meta.dirname, '../..')

const { values } = parseArgs({
  options: { lines: { type: 'boolean', default: false } },
})
const folder = mkdtempSync(join(tmpdir(), 'counts-'))
try {
  run('npx', 'vitest', 'run', '--mode', 'counted', ...TESTS)
  run(process.execPath, 'test/prove/prove.ts', '--unplanted', 'page-interaction')
  await report()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What ran counts, also where something failed. */
function run(...command: [string, ...string[]]): void {
  const [program, ...given] = command
  const env = { ...process.env, COUNT_PAGE_SCRIPTS: folder }
  const { status } = spawnSync(program, given, { cwd: ROOT, stdio: 'inherit', env })
  if (status === 0) return
  console.error(`Expected that ${given.join(' ')} passes, found that it ended with ${status}.`)
  process.exitCode = 1
}

async function report(): Promise<void> {
  const scripts: FileCoverageData[] = []
  for (const path of pageScripts()) scripts.push(await uncounted(path))
  const map = coverage.createCoverageMap(Object.fromEntries(scripts.map((one) => [one.path, one])))
  for (const name of readdirSync(folder)) {
    const counts: Counts = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    map.merge(
      Object.fromEntries(
        scripts.flatMap((one) => {
          const own = counts[one.path]
          return own === undefined ? [] : [[one.path, { ...one, s: own.s, f: own.f, b: own.b }]]
        }),
      ),
    )
  }
  const sums = new Map<string, { total: number; covered: number }>()
  for (const file of map.files()) {
    const found = map.fileCoverageFor(file)
    const { total, covered, pct } = found.toSummary().lines
    const name = relative(join(ROOT, 'src/page/assets'), file)
    for (const group of new Set([dirname(name), 'all'])) {
      const sum = sums.get(group) ?? { total: 0, covered: 0 }
      sums.set(group, { total: sum.total + total, covered: sum.covered + covered })
    }
    const missing = values.lines ? `  ${found.getUncoveredLines().join(' ')}` : ''
    console.log(
      `${pct.toFixed(1).padStart(6)} %  ${name}  (${total - covered} of ${total} lines did not run)${missing}`,
    )
  }
  console.log('')
  for (const [group, { total, covered }] of [...sums].sort())
    console.log(`${((100 * covered) / total).toFixed(1).padStart(6)} %  ${group}  (${covered} of ${total} lines)`)
  const { total = 1, covered = 0 } = sums.get('all') ?? {}
  if (covered * 100 >= total * LEAST) return
  console.error(`Expected that ${LEAST} % of the lines run.`)
  process.exitCode = 1
}
