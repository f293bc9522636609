/** Long work that can be interrupted, without anything of Node: browsers run it as well. */

/** Work in short steps: a generator that pauses after each step and returns the result. */
export type Steps<T> = Generator<void, T>

/** Runs the steps without yielding. Only for work that is known to be short. */
export function runToCompletion<T>(work: Steps<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
