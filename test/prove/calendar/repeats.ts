/** Checks that the dates of repeating tasks match their rules around the ends of months and years. */
import fc from 'fast-check'
import { nextRepeatDate } from '../../../src/space/schedule/repeats.ts'
import { fits, optional, rules, start, written } from '../../space/repeat-rules.ts'
import { DAY } from './zone.ts'

export type NextDate = typeof nextRepeatDate

/** Dates around the ends of months from 2023 to 2033, which include leap years and common years. */
const ends = fc
  .tuple(fc.integer({ min: 0, max: 11 * 12 }), fc.integer({ min: -3, max: 2 }))
  .map(([month, step]) => written(Date.UTC(2023, month, 1) + step * DAY))
const small = fc.integer({ min: 1, max: 4 })
/** The number of days that are checked one by one if the product returns no next date. */
const HORIZON = 12 * 366

/** Returns the first fault found with this number of random rules. */
export function repeatsByContract(count: number, seed: number, next: NextDate = nextRepeatDate): string | undefined {
  const property = fc.property(rules(small), optional(ends), ends, (repeat, had, today) => {
    const { anchor, from } = start(repeat, had, today)
    const found = foundBy(next, repeat, had, today)
    const last = found === undefined ? Date.parse(from) + HORIZON * DAY : Date.parse(found)
    const fitting: string[] = []
    for (let time = Date.parse(from); time <= last && fitting.length < 2; time += DAY) {
      if (fits(repeat, new Date(anchor), new Date(time))) fitting.push(written(time))
    }
    return found === undefined ? fitting.length === 0 : fitting.length === 1 && fitting[0] === found
  })
  const { failed, counterexample } = fc.check(property, { numRuns: count, seed })
  if (!failed || counterexample === null) return undefined
  const [repeat, had, today] = counterexample
  return (
    `Expected the first day that fits ${JSON.stringify(repeat)} of a task of ${had ?? 'no day'}, done on ${today}, ` +
    `found ${foundBy(next, repeat, had, today) ?? 'none'} (seed ${seed} of ${count} rules).`
  )
}

function foundBy(next: NextDate, ...input: Parameters<NextDate>): string | undefined {
  try {
    return next(...input)
  } catch {
    return undefined
  }
}
