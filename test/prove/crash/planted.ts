/** Faults of the storage that the proofs of lost writes have to find. */
import type { Mutation } from '../mutated-sources.ts'

/** When the COMMIT fails, writes are answered as if it had not. */
export const ACKNOWLEDGED_ANYWAY: Mutation = {
  file: 'storage/sqlite/group-commit.ts',
  find: 'for (const write of succeeded) rejections.push(() => write.reject(error))\n      succeeded.length = 0',
  replace: '',
}

/** Writes are acknowledged before the COMMIT, which comes a little later. */
export const ACKNOWLEDGED_BEFORE_COMMIT: Mutation = {
  file: 'storage/sqlite/group-commit.ts',
  find: "this.#connection.sql('COMMIT').run()",
  replace:
    "for (const { resolve } of succeeded) resolve(); await new Promise((resolve) => setTimeout(resolve, 5)); this.#connection.sql('COMMIT').run()",
}

/** @param value  of the pragma: 2 is FULL, which the product sets */
export const synchronous = (value: number): Mutation => ({
  file: 'storage/sqlite/connection.ts',
  find: "['synchronous', 2]",
  replace: `['synchronous', ${value}]`,
})
