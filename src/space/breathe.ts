/** Lets other calls have their turn in the middle of a long one. */
import { setImmediate } from 'node:timers/promises'

/** Milliseconds that one call works on before others get their turn. */
const TURN = 10

let started = 0

/** Give way when this thread has been at work for a while; else go on at once. To be called often. */
export async function breathe(): Promise<void> {
  const now = performance.now()
  if (now - started < TURN) return
  await setImmediate()
  started = performance.now()
}
