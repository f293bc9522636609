/**
 * The published conformance suite of the Model Context Protocol against `scriptorium serve`: all that a revision asks of
 * servers, at that revision's wire, and what the suite runs besides without counting it.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServeProcess, startServe } from '../http/serve-process.ts'
import type { Program } from '../program.ts'
import { SCENARIOS } from './conformance-scenarios.ts'

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
/** Milliseconds for a run of the suite: it takes two seconds, and shares the machine with other tests. */
const PATIENCE = 60_000

/** @param program  that serves; installing it may take minutes */
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
    let failing: Record<string, string[]>

    beforeAll(async () => {
      failing = await failingChecks(serving, folder, revision)
    }, PATIENCE)

    test('every scenario is known, as passing or with the reason why it is left out', () => {
      expect(Object.keys(failing).toSorted()).toEqual([...passing, ...Object.keys(leftOut)].toSorted())
    })

    test.each(passing)('%s passes', (scenario) => {
      expect(failing[scenario]).toEqual([])
    })

    test.each(Object.entries(leftOut))(
      '%s fails in the checks that are left out, and in no other',
      (scenario, { checks }) => {
        expect(failing[scenario]).toEqual(checks.toSorted())
      },
    )
  })
}

/** The suite's scenarios, each with the checks that failed, once each. */
async function failingChecks(
  serving: ServeProcess,
  folder: string,
  revision: string,
): Promise<Record<string, string[]>> {
  const results = join(folder, revision)
  await new Promise<void>((resolve) => {
    const args = [suite, 'server', '--url', serving.mcpUrl, '--requirements', revision, '-o', results]
    // It ends with 1 where anything fails; whether what does may fail is to be seen below.
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, () => resolve())
  })
  const failing: Record<string, string[]> = {}
  for (const name of readdirSync(results)) {
    // server-tools-list-2026-11-20T14-57-59-095Z
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? []
    if (scenario === undefined) throw new Error(`Expected the results of a scenario, found ${name}.`)
    const checks = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as Check[]
    const failed = checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
    failing[scenario] = [...new Set(failed)].toSorted()
  }
  return failing
}

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
}
