/** Polls for changes, for engines that send no notifications. */
import type { Storage } from './storage.ts'

/** @param pause  milliseconds between two checks */
export const pollEvery =
  (pause: number): Storage['onChange'] =>
  (check) => {
    const timer = setInterval(() => void check(), pause).unref()
    return () => clearInterval(timer)
  }
