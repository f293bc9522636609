/** Waits for something that happens later, such as a line of a log that is written after the response. */
import { vi } from 'vitest'

/** Milliseconds to wait at most. Less than the timeout of a test, so that the test reports what was missing. */
const PATIENCE = 25_000

/** @returns the result of `check`, once it does not throw @throws the last error of `check` when the time is up */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: PATIENCE })
