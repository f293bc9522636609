/** Names the unit tests that take longer than they should. A report and no failure: it goes by the clock. */
import type { Reporter, TestModule } from 'vitest/node'

/** Milliseconds. */
const BOUND = 250
const SHOWN = 10

export default class SlowTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slow = modules
      .filter(({ project }) => project.name === 'unit')
      .flatMap((module) =>
        [...module.children.allTests()].map((test) => ({
          name: `${module.relativeModuleId} > ${test.fullName}`,
          took: Math.round(test.diagnostic()?.duration ?? 0),
        })),
      )
      .filter(({ took }) => took > BOUND)
      .toSorted((one, other) => other.took - one.took)
    if (slow.length === 0) return
    const lines = slow.slice(0, SHOWN).map(({ name, took }) => `  ${took} ms  ${name}`)
    if (slow.length > SHOWN) lines.push(`  and ${slow.length - SHOWN} more`)
    process.stdout.write(`\nUnit tests over ${BOUND} ms: ${slow.length}\n${lines.join('\n')}\n`)
  }
}
