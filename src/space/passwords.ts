/** Passwords of those who sign in here, as they are kept: hashed by scrypt (RFC 7914), each with a salt of its own. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { invalid } from '../errors.ts'
import { PASSWORD_LENGTH } from '../limits.ts'

/** Cost, block size and parallelism: 64 MiB, and half a second or so on one core. Source: OWASP, Password Storage. */
const COST = { N: 2 ** 16, r: 8, p: 2 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Each takes its memory, so that they go one after another. */
let last: Promise<unknown> = Promise.resolve()

/**
 * @returns `scrypt$N$r$p$salt$hash`, the last two in base64url
 * @throws VALIDATION_ERROR for one that is too short or too long
 */
export async function hashPassword(password: string): Promise<string> {
  const { least, most } = PASSWORD_LENGTH
  const length = [...normal(password)].length
  if (length < least || length > most) {
    throw invalid(`Expected a password of ${least} to ${most} characters, found one of ${length}; choose another.`)
  }
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** @param kept  none takes as long as any, so that nobody learns by the time who has a password */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, N, r, p, salt, hash] = (kept ?? `scrypt$${COST.N}$${COST.r}$${COST.p}$$`).split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt ?? '', 'base64url'), cost)
  const expected = Buffer.from(hash ?? '', 'base64url')
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

/** However the keyboard composed it. */
const normal = (password: string): string => password.normalize('NFKC')

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(normal(password), salt, HASH_BYTES, { ...cost, maxmem }, (error, hash) =>
        error === null ? resolve(hash) : reject(error),
      )
    })
  const turn = last.then(work)
  last = turn.catch(() => {})
  return turn
}
