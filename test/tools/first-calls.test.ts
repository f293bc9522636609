/**
 * Every first call has the effect of the intended one, or is refused with what the right call needs. None is accepted
 * with another effect, and no refusal leads astray.
 */
import { appendFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { contentsOf, populatedSpace } from '../support/populated-space.ts'
import { FIRST_CALLS, type FirstCalls, withIds } from './first-calls/first-calls.ts'

/** A file that receives a line for each call, with its verdict and the refusal. */
const REPORT = process.env.FIRST_CALLS

type Verdict = 'accepted' | 'refused and mends' | 'refused and misleads' | 'intent lost'

/** The contents before each call: all spaces are copies of one. */
let untouched: Promise<object> | undefined

/** What a call returned and left behind. */
async function outcomeOf(tool: string, args: object): Promise<{ refusal: string } | { outcome: unknown }> {
  const { connected, ids } = await populatedSpace()
  untouched ??= contentsOf(connected)
  const before = await untouched
  try {
    const answer = await connected.call(tool, withIds(args, ids))
    const { note: _, ...returned } = typeof answer === 'object' ? answer : { answer }
    const all = JSON.stringify({ returned, ...(await contentsOf(connected)) })
    return { outcome: JSON.parse(all.replace(/(cursor(?:"|\\"| )+:?(?:"|\\")*)[\w-]{20,}/g, '$1…')) }
  } catch (error) {
    // A refused call has written nothing.
    expect(await contentsOf(connected)).toEqual(before)
    return { refusal: String(error).replace(/^Error: \w+: /, '') }
  }
}

const intended = new Map<FirstCalls, Promise<unknown>>()

async function checkCalls(calls: FirstCalls, args: object): Promise<{ verdict: Verdict; refusal?: string }> {
  const [tool, right] = calls.right
  const found = await outcomeOf(tool, { ...calls.with, ...args })
  if ('refusal' in found) {
    const mends = calls.mends.test(found.refusal)
    return { verdict: mends ? 'refused and mends' : 'refused and misleads', refusal: found.refusal }
  }
  if (calls.refusedOnly) return { verdict: 'intent lost' }
  const effect = intended.get(calls) ?? outcomeOf(tool, right)
  intended.set(calls, effect)
  const meant = (await effect) as { outcome: unknown }
  const isMeant = isDeepStrictEqual(found.outcome, meant.outcome)
  return { verdict: isMeant ? 'accepted' : 'intent lost' }
}

const counts: Record<Verdict, number> = {
  accepted: 0,
  'refused and mends': 0,
  'refused and misleads': 0,
  'intent lost': 0,
}

describe.each(FIRST_CALLS.map((calls) => [`${calls.right[0]}: ${calls.intent}`, calls] as const))('%s', (_, calls) => {
  test.each(calls.calls.map((args) => [JSON.stringify(args), args] as const))('%s', async (_, args) => {
    const { verdict, refusal } = await checkCalls(calls, args)
    counts[verdict] += 1
    if (REPORT !== undefined)
      appendFileSync(REPORT, `${verdict} | ${calls.intent} | ${JSON.stringify(args)} | ${refusal ?? ''}\n`)
    expect(verdict, refusal).toMatch(/^(?:accepted|refused and mends)$/)
  })
})

test('most are accepted', () => {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  expect(all).toBeGreaterThanOrEqual(400)
  expect(counts).toMatchObject({ 'refused and misleads': 0, 'intent lost': 0 })
  expect(counts.accepted / all).toBeGreaterThan(0.7)
})
