/**
 * Hashes and verifies the passwords of participants who sign in here. Uses scrypt (RFC 7914), with a separate salt for
 * each.
 */
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import {
  PASSWORD_CODE_UNITS,
  PASSWORD_LENGTH,
  PASSWORD_QUEUE_LENGTH,
  PASSWORD_RETRY_SECONDS,
} from '../../base/limits.ts'

/** Cost, block size and parallelism: 64 MiB, and about half a second on one core. Source: OWASP, Password Storage. */
const SCRYPT_COST = { N: 2 ** 16, r: 8, p: 2 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Hashing takes much memory, so it runs for one password at a time. */
let queueTail: Promise<unknown> = Promise.resolve()
let pendingCount = 0

/** Thrown if too many passwords are waiting to be hashed. Nothing was done with this one. */
export class PasswordsBusy extends ScriptoriumError {
  constructor() {
    const sentence = `Expected fewer than ${PASSWORD_QUEUE_LENGTH} passwords that are checked at once, found as many; try again in ${PASSWORD_RETRY_SECONDS} seconds.`
    super('CONFLICT', sentence, [], PASSWORD_RETRY_SECONDS)
  }

  override get status(): number {
    return 503
  }
}

/** Letters and digits that look different from one another. */
const PASSWORD_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_GROUPS = 4
const GROUP_LENGTH = 5

/** A password for somebody who was invited: groups of letters and digits, of about 99 bits. */
export const newPassword = (): string =>
  Array.from({ length: PASSWORD_GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)]).join(''),
  ).join('-')

/**
 * @returns `scrypt$N$r$p$salt$hash`, the last two in base64url
 * @throws VALIDATION_ERROR for a password that is too short or too long; PasswordsBusy
 */
export async function hashPassword(password: string): Promise<string> {
  assertPasswordLength(password)
  const salt = randomBytes(SALT_BYTES)
  const hash = await deriveHash(password, salt, SCRYPT_COST)
  return [
    'scrypt',
    SCRYPT_COST.N,
    SCRYPT_COST.r,
    SCRYPT_COST.p,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$')
}

/** @throws VALIDATION_ERROR for a password that is too short or too long */
export function assertPasswordLength(password: string): void {
  const { least, most } = PASSWORD_LENGTH
  // Normalizing a long text takes long.
  const length = isWithinPasswordLimit(password) ? [...normalizePassword(password)].length : password.length
  if (length < least || length > most) {
    throw invalid(`Expected a password of ${least} to ${most} characters, found one of ${length}; choose another.`)
  }
}

/** True if a password is short enough to be processed at all. */
export const isWithinPasswordLimit = (password: string): boolean => password.length <= PASSWORD_CODE_UNITS

/**
 * @param password  one that is too long never matches
 * @param storedHash  verifying without one takes the same time, so that timing does not reveal who has a password
 * @throws PasswordsBusy
 */
export async function verifyPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  if (!isWithinPasswordLimit(password)) return false
  const [, N, r, p, salt, hash] = (storedHash ?? `scrypt$${SCRYPT_COST.N}$${SCRYPT_COST.r}$${SCRYPT_COST.p}$$`).split(
    '$',
  )
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await deriveHash(password, Buffer.from(salt ?? '', 'base64url'), cost)
  const expected = Buffer.from(hash ?? '', 'base64url')
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

/** Makes a password independent of how the keyboard composed its characters. */
const normalizePassword = (password: string): string => password.normalize('NFKC')

async function deriveHash(password: string, salt: Buffer, cost: typeof SCRYPT_COST): Promise<Buffer> {
  if (pendingCount >= PASSWORD_QUEUE_LENGTH) throw new PasswordsBusy()
  const maxmem = 256 * cost.N * cost.r
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(normalizePassword(password), salt, HASH_BYTES, { ...cost, maxmem }, (error, hash) =>
        error === null ? resolve(hash) : reject(error),
      )
    })
  pendingCount += 1
  try {
    const queued = queueTail.then(work)
    queueTail = queued.catch(() => {})
    return await queued
  } finally {
    pendingCount -= 1
  }
}
