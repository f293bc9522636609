/** A clock that is set while the program runs. */
import { expect, test } from 'vitest'
import { watchClock } from '../../src/space/clock-watch.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { NOW } from '../build.ts'

const DAY = 24 * 3600_000

function watched() {
  const reports: string[] = []
  const clock = { now: NOW, steady: 5 }
  const read = watchClock(
    () => clock.now,
    (sentence) => reports.push(sentence),
    () => clock.steady,
  )
  const pass = (milliseconds: number, set = 0) => {
    clock.now += milliseconds + set
    clock.steady += milliseconds
    return read()
  }
  return { reports, pass }
}

test('time that passes is not reported, however much, and neither are jumps up to a day', () => {
  const { reports, pass } = watched()
  expect(pass(60 * DAY)).toBe(NOW + 60 * DAY)
  pass(0, DAY)
  pass(0, -DAY)
  expect(reports).toEqual([])
})

test('each jump of more than a day is reported once', () => {
  const { reports, pass } = watched()
  expect(pass(1_000, 60 * DAY)).toBe(NOW + 60 * DAY + 1_000)
  pass(1_000)
  pass(1_000, -60 * DAY)
  pass(1_000)
  const rest =
    'or the machine slept that long. Check that it is right: what expires, and when reminders come, depends on it.'
  expect(reports).toEqual([
    `The clock of this machine was set 60 days ahead, to 2027-01-19T09:00:01.000Z, ${rest}`,
    `The clock of this machine was set 60 days back, to 2026-11-20T09:00:03.000Z, ${rest}`,
  ])
})

test('spaces watch their clock', async () => {
  const reports: string[] = []
  const clock = { now: NOW }
  const space = await openSpace(':memory:', { clock: () => clock.now, report: (sentence) => reports.push(sentence) })
  clock.now += 400 * DAY
  await space.read(OPERATOR_LINK, async () => {})
  await space.close()
  expect(reports).toEqual([expect.stringContaining('The clock of this machine was set 400 days ahead')])
})
