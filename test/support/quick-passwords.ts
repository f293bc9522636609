/** Makes password hashes cheap, for tests that are not about their cost. */
import crypto from 'node:crypto'
import { replaceBuiltin } from './replace-builtin.ts'

/**
 * Until the test has finished, hashes passwords with scrypt at the lowest cost, even if a stored hash names another.
 */
export function quickPasswords(): void {
  replaceBuiltin(
    crypto,
    'scrypt',
    (real) =>
      Object.assign((password: string, salt: Buffer, length: number, ...rest: unknown[]) => {
        const done = rest.at(-1) as Parameters<typeof real>[3]
        real(password, salt, length, { N: 2, r: 1, p: 1 } as never, done as never)
      }, real) as typeof real,
  )
}
