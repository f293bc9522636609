/** Faults of the storage that the proofs of lost writes must detect. */
import type { Mutation } from '../mutated-sources.ts'

/** Writes are acknowledged even if the COMMIT fails. */
export const ACKNOWLEDGED_ANYWAY: Mutation = {
  file: 'storage/group-commit.ts',
  find: 'for (const write of succeeded) rejections.push(() => write.reject(error))\n      succeeded.length = 0',
  replace: '',
}

/** Writes are acknowledged shortly before the COMMIT. */
export const ACKNOWLEDGED_BEFORE_COMMIT: Mutation = {
  file: 'storage/group-commit.ts',
  find: 'await this.commit(tx)',
  replace:
    'for (const { resolve } of succeeded) resolve(); await new Promise((resolve) => setTimeout(resolve, 5)); await this.commit(tx)',
}

/** The first two steps of a batch are committed before the others run. */
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

/** The cursor of each call points past the next call, so that a reader that continues from it misses that call. */
export const CURSOR_TOO_FAR: Mutation = {
  file: 'src/space/feed/read-feed.ts',
  find: "position = 'call' in one ? { ...position, call: one.call.n }",
  replace: "position = 'call' in one ? { ...position, call: one.call.n + 1 }",
}

/** @param value  the value of the pragma. The product uses 2, which is FULL */
export const synchronous = (value: number): Mutation => ({
  file: 'storage/sqlite/connection.ts',
  find: "['synchronous', 2]",
  replace: `['synchronous', ${value}]`,
})
