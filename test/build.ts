/** A fresh space for a test: in memory, with time and IDs that the test chooses. */
import { onTestFinished } from 'vitest'
import { type OpenSpace, type OpenSpaceOptions, openSpace } from '../src/space/open-space.ts'

/** Friday, 20 November 2026, ten in the morning in Budapest. */
export const NOW = Date.parse('2026-11-20T09:00:00Z')

export interface BuiltSpace {
  space: OpenSpace
  /** The time that the space is told; a test moves it. */
  clock: { now: number }
}

/** IDs in the order they are given: `…0001`, `…0002`. */
export function counter(): () => string {
  let count = 0
  return () => `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}`
}

export async function buildSpace(file = ':memory:', options: OpenSpaceOptions = {}): Promise<BuiltSpace> {
  const clock = { now: NOW }
  const space = await openSpace(file, {
    name: 'Test',
    timezone: 'Europe/Budapest',
    clock: () => clock.now,
    newId: counter(),
    ...options,
  })
  onTestFinished(() => space.close())
  return { space, clock }
}
