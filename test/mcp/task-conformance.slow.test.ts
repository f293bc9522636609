/**
 * What the published conformance suite checks of tasks, over a link whose calls wait for approval. The suite is written
 * for tools of its own, which are added here, and a person who decides on what they propose.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { logFaultsTo } from '../../src/base/logger.ts'
import { endpoints } from '../../tools/index.ts'
import { serveBuilt, type TestLink } from '../http/serving.ts'
import { TASK_SCENARIOS } from './conformance-scenarios.ts'
import { expectLeftOut, expectPassed, runSuite } from './conformance-suite.ts'
import { decideOnTasks, taskTools } from './task-tools.ts'

/** Timeout for a scenario in milliseconds: it takes seconds, but shares the machine with other tests. */
const PATIENCE = 60_000

/** Serves the tools of the suite to an agent. The person looks at what waits whenever the agent has called. */
async function serveAgent(): Promise<string> {
  let person: TestLink | undefined
  let deciding = Promise.resolve()
  const serving = await serveBuilt({
    endpoints: [...endpoints, ...taskTools],
    logger: {
      ...logFaultsTo(() => {}),
      request({ link }) {
        const decider = person
        if (decider === undefined || link === decider.info.id) return
        deciding = deciding.then(() => decideOnTasks(decider))
      },
    },
  })
  const agent = await serving.link({ name: 'Robot', access: 'propose' })
  person = await serving.link({ name: 'Anna' })
  onTestFinished(() => deciding)
  return agent.mcp
}

async function checksOf(scenario: string) {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const checks = await runSuite({ mcpUrl: await serveAgent() }, folder, ['--scenario', scenario])
  return checks[scenario]
}

test.each(TASK_SCENARIOS.passing)(
  '%s passes',
  async (scenario) => {
    expectPassed(await checksOf(scenario))
  },
  PATIENCE,
)

test.each(Object.entries(TASK_SCENARIOS.leftOut))(
  '%s passes, except for exactly what does not apply',
  async (scenario, expected) => {
    expectLeftOut(await checksOf(scenario), expected)
  },
  PATIENCE,
)
