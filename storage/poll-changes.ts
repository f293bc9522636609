/** Polls for changes, for engines that send no notifications. */
import { inBackground } from '../src/base/background.ts'
import type { Storage } from './storage.ts'

/** @param pause  milliseconds between two checks */
export const pollEvery =
  (pause: number): Storage['onChange'] =>
  (check) => {
    const timer = setInterval(() => inBackground('look for changes', check), pause).unref()
    return () => clearInterval(timer)
  }
