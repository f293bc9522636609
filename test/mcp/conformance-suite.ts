/**
 * The published conformance suite of the Model Context Protocol against `scriptorium serve`: everything that a revision
 * requires of servers, and what the suite also runs without counting it.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServeProcess, startServe } from '../http/serve-process.ts'
import { clientAt } from '../http/serving.ts'
import type { Program } from '../program.ts'
import { EXTENSION_SCENARIOS, type LeftOut, SCENARIOS, unknownTool } from './conformance-scenarios.ts'

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
/** Timeout for a run of the suite in milliseconds: it takes two seconds, but shares the machine with other tests. */
const PATIENCE = 60_000

/** @param program  the program to serve; installing it may take minutes */
export function conformance(program?: () => Promise<Program>): void {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  let serving: ServeProcess

  beforeAll(async () => {
    serving = await startServe(join(folder, 'space.sqlite'), [], [], await program?.())
  }, 5 * PATIENCE)
  afterAll(async () => {
    await serving?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(Object.entries(SCENARIOS))('revision %s', (revision, { passing, leftOut }) => {
    let checks: Record<string, Check[]>

    beforeAll(async () => {
      checks = await runSuite(serving, folder, ['--requirements', revision])
    }, PATIENCE)

    test('every scenario is known, as passing or with the reason why it does not apply', () => {
      expect(Object.keys(checks).toSorted()).toEqual([...passing, ...Object.keys(leftOut)].toSorted())
    })

    test.each(passing)('%s passes', (scenario) => expectPassed(checks[scenario]))

    test.each(Object.entries(leftOut))('%s does not apply, for exactly the given reason', (scenario, expected) =>
      expectLeftOut(checks[scenario], expected),
    )

    test('this server does not know the tools of the reference server', async () => {
      const client = await clientAt(serving.mcpUrl, revision === '2025-11-25' ? '2025' : '2026')
      for (const name of new Set(Object.values(leftOut).flatMap(({ tools }) => tools))) {
        await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
          code: -32602,
          message: unknownTool(name),
        })
      }
    })
  })

  describe('extensions', () => {
    test.each(EXTENSION_SCENARIOS)(
      '%s passes',
      async (scenario) => {
        const checks = await runSuite(serving, folder, ['--scenario', scenario])
        expectPassed(checks[scenario])
      },
      PATIENCE,
    )
  })
}

/** No check fails or warns, and at least one about the subject of the scenario passes. */
export function expectPassed(found: readonly Check[] = []): void {
  expect(unsuccessful(found)).toEqual([])
  expect(found.some(({ id, status }) => status === 'SUCCESS' && id !== WIRE_CHECK)).toBe(true)
}

/** Exactly the given checks fail, each as it is said. */
export function expectLeftOut(found: readonly Check[] = [], expected: LeftOut): void {
  expect(unsuccessful(found).filter((id) => !(id in expected.checks))).toEqual([])
  const reported = Object.keys(expected.checks).map((id) => [id, reportOf(found.filter((check) => check.id === id))])
  expect(Object.fromEntries(reported)).toEqual(
    Object.fromEntries(Object.entries(expected.checks).map(([id, text]) => [id, expect.stringContaining(text)])),
  )
}

/** What the suite checks in the messages of every scenario. */
const WIRE_CHECK = 'wire-schema-valid'

const unsuccessful = (checks: readonly Check[]): string[] =>
  checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ id }) => id)

/** The results of some checks. */
const reportOf = (checks: readonly Check[]): string =>
  checks.map(({ errorMessage = '', details }) => `${errorMessage} ${JSON.stringify(details)}`).join('\n')

/** The checks of each scenario of a run. */
export async function runSuite(
  { mcpUrl }: Pick<ServeProcess, 'mcpUrl'>,
  folder: string,
  selection: readonly string[],
): Promise<Record<string, Check[]>> {
  const results = mkdtempSync(join(folder, 'results-'))
  await new Promise<void>((resolve) => {
    const args = [suite, 'server', '--url', mcpUrl, ...selection, '-o', results]
    // It exits with 1 if anything fails; whether that is allowed is checked above.
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, () => resolve())
  })
  const checks: Record<string, Check[]> = {}
  for (const name of readdirSync(results)) {
    // server-tools-list-2026-11-20T14-57-59-095Z
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? []
    if (scenario === undefined) throw new Error(`Expected the results of a scenario, found ${name}.`)
    checks[scenario] = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'))
  }
  return checks
}

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
  details?: unknown
}
