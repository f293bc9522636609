/** Faults of the storage that the proofs of lost writes have to find. */
import type { Mutation } from '../mutated-sources.ts'

/** When the COMMIT fails, writes are answered as if it had not. */
export const ACKNOWLEDGED_ANYWAY: Mutation = {
  file: 'storage/group-commit.ts',
  find: 'for (const write of succeeded) rejections.push(() => write.reject(error))\n      succeeded.length = 0',
  replace: '',
}

/** Writes are acknowledged before the COMMIT, which comes a little later. */
export const ACKNOWLEDGED_BEFORE_COMMIT: Mutation = {
  file: 'storage/group-commit.ts',
  find: 'await this.commit(tx)',
  replace:
    'for (const { resolve } of succeeded) resolve(); await new Promise((resolve) => setTimeout(resolve, 5)); await this.commit(tx)',
}

/** What the first two steps of a batch wrote is committed before the others are done. */
export const HALF_BATCHES: Mutation = {
  file: 'src/space/batch.ts',
  find: 'const results = await runSteps(space, steps)',
  replace: `const results = await runSteps(space, steps.slice(0, 2))
  if (space.link.access !== 'propose') {
    const connection = space.tx as unknown as { sql(text: string): { run(): void } }
    connection.sql('COMMIT').run()
    await new Promise((resolve) => setTimeout(resolve, 5))
    for (const text of ['BEGIN IMMEDIATE', 'SAVEPOINT one']) connection.sql(text).run()
  }
  results.push(...(await runSteps(space, steps.slice(2))))`,
}

/** The cursor of a call is the one after the next, which a reader that was cut off there never reads. */
export const CURSOR_TOO_FAR: Mutation = {
  file: 'src/space/feed/read-feed.ts',
  find: "position = 'call' in one ? { ...position, call: one.call.n }",
  replace: "position = 'call' in one ? { ...position, call: one.call.n + 1 }",
}

/** @param value  of the pragma: 2 is FULL, which the product sets */
export const synchronous = (value: number): Mutation => ({
  file: 'storage/sqlite/connection.ts',
  find: "['synchronous', 2]",
  replace: `['synchronous', ${value}]`,
})
