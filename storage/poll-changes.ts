/** Looking for changes again and again, where nothing tells of them. */
import type { Storage } from './storage.ts'

/** @param pause  milliseconds between two looks */
export const pollEvery =
  (pause: number): Storage['onChange'] =>
  (check) => {
    const timer = setInterval(() => void check(), pause).unref()
    return () => clearInterval(timer)
  }
