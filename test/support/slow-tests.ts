/**
 * Lists the unit tests that take longer than they should. This is only a report, not a failure, since it depends on the
 * speed of the machine.
 */
import type { Reporter, TestModule } from 'vitest/node'

/** Milliseconds above which a unit test counts as slow. */
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
