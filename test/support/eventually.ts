/** What comes about by itself, such as a line of a log that is written behind its answer. */
import { vi } from 'vitest'

/** Milliseconds: a bound for what never comes about. Less than a test may take, so that the test tells what was missing. */
const PATIENCE = 25_000

/** @returns what `check` returns, once it does not throw @throws what it throws in the end */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: PATIENCE })
