/** Passwords of those who sign in here, as they are kept: hashed by scrypt (RFC 7914), each with a salt of its own. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { invalid, ScriptoriumError } from '../errors.ts'
import { PASSWORD_LENGTH, PASSWORD_UNITS, PASSWORDS_PAUSE, PASSWORDS_WAITING } from '../limits.ts'

/** Cost, block size and parallelism: 64 MiB, and half a second or so on one core. Source: OWASP, Password Storage. */
const COST = { N: 2 ** 16, r: 8, p: 2 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Each takes its memory, so that they go one after another. */
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** Too many passwords wait to be hashed; nothing was done with this one. */
export class PasswordsBusy extends ScriptoriumError {
  constructor() {
    const sentence = `Expected fewer than ${PASSWORDS_WAITING} passwords that are checked at once, found as many; try again in ${PASSWORDS_PAUSE} seconds.`
    super('CONFLICT', sentence, [], PASSWORDS_PAUSE)
  }

  override get status(): number {
    return 503
  }
}

/**
 * @returns `scrypt$N$r$p$salt$hash`, the last two in base64url
 * @throws VALIDATION_ERROR for one that is too short or too long; PasswordsBusy
 */
export async function hashPassword(password: string): Promise<string> {
  const { least, most } = PASSWORD_LENGTH
  // To normalize a long text takes long.
  const length = couldBePassword(password) ? [...normal(password)].length : password.length
  if (length < least || length > most) {
    throw invalid(`Expected a password of ${least} to ${most} characters, found one of ${length}; choose another.`)
  }
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Whether it is short enough to be looked at. */
export const couldBePassword = (password: string): boolean => password.length <= PASSWORD_UNITS

/**
 * @param password  one that could be one
 * @param kept  none takes as long as any, so that nobody learns by the time who has a password
 * @throws PasswordsBusy
 */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  if (!couldBePassword(password)) return false
  const [, N, r, p, salt, hash] = (kept ?? `scrypt$${COST.N}$${COST.r}$${COST.p}$$`).split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt ?? '', 'base64url'), cost)
  const expected = Buffer.from(hash ?? '', 'base64url')
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

/** However the keyboard composed it. */
const normal = (password: string): string => password.normalize('NFKC')

async function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  if (waiting >= PASSWORDS_WAITING) throw new PasswordsBusy()
  const maxmem = 256 * cost.N * cost.r
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(normal(password), salt, HASH_BYTES, { ...cost, maxmem }, (error, hash) =>
        error === null ? resolve(hash) : reject(error),
      )
    })
  waiting += 1
  try {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return await turn
  } finally {
    waiting -= 1
  }
}
