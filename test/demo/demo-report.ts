/** What was done, how long it took, and whether it was right. */
import { isDeepStrictEqual } from 'node:util'
import { paint, table } from './progress.ts'

interface Entry {
  what: string
  count: number
  unit: string
  /** Milliseconds. */
  time: number
}

export class DemoReport {
  readonly #entries: Entry[] = []
  readonly failed: string[] = []
  #held = 0

  /** Runs a part of the work, which returns the number of things that it did. */
  async time(what: string, unit: string, work: () => Promise<number>): Promise<void> {
    const from = performance.now()
    const count = await work()
    this.#entries.push({ what, count, unit, time: performance.now() - from })
  }

  /** Compares a value with the expected one. A difference is printed at the end, and fails the run. */
  expect(claim: string, found: unknown, expected: unknown): void {
    if (isDeepStrictEqual(found, expected)) this.#held++
    else this.failed.push(`${claim}: expected ${short(expected)}, found ${short(found)}`)
  }

  get text(): string {
    const rows = this.#entries.map(({ what, count, unit, time }) => {
      const each = count < 2 || time / count < 0.001 ? '' : `${duration(time / count)} each`
      return [what, count.toLocaleString('en-US'), unit, duration(time), each]
    })
    const checks =
      this.failed.length === 0
        ? paint('green', `All ${this.#held.toLocaleString('en-US')} checks held.`)
        : paint('red', `${this.failed.length} of ${this.#held + this.failed.length} checks failed:`)
    const faults = this.failed.slice(0, 20).map((fault) => `  ${fault}`)
    return [table(['Done', 'count', '', 'time', ''], rows), '', checks, ...faults].join('\n')
  }
}

const duration = (milliseconds: number): string =>
  milliseconds < 1 ? `${Math.round(milliseconds * 1000)} µs` : `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
