/** Signs people in by name and password, and limits the number of attempts. */

import type { SignIns } from '../../../storage/sign-ins.ts'
import { formatCount } from '../../base/format-number.ts'
import { SIGN_IN_NAME_LENGTH, WRONG_PASSWORD_LIMITS } from '../../base/limits.ts'
import { noteInRequest } from '../../call/request-notes.ts'
import { logOccurrence } from '../../space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { type Account, findAccount } from '../../space/participants/participants.ts'
import { isWithinPasswordLimit, PasswordsBusy, verifyPassword } from '../../space/participants/passwords.ts'
import { nowInSeconds } from './oidc-adapter.ts'

/** The account, or an error message with its status and, if retrying makes sense, the seconds until then. */
export type SignInResult = { account: Account } | { fault: string; status: 401 | 429 | 503; retryAfter?: number }

export interface SignInAttempt {
  name: string
  password: string
  /** The address of the client. */
  from: string
}

/**
 * An unknown name, a name without a password and a wrong password all get the same message, after the same time.
 *
 * Wrong passwords are counted per address and per name. Attempts from an address over its limit do not count for the
 * name, and participants can always sign in from an address that they have used before. Otherwise anyone could lock
 * everyone out.
 */
export async function signInWithPassword(
  space: OpenSpace,
  signIns: SignIns,
  attempt: SignInAttempt,
): Promise<SignInResult> {
  const result = await checkPassword(space, signIns, attempt)
  if (!('fault' in result)) {
    const link = { ...OPERATOR_LINK, author: result.account.name }
    await space.write(link, (view) => logOccurrence(view, 'sign_in', { about: { with: 'password' } }))
  }
  return result
}

/** Checks a password as a sign-in does, with the same limits and the same trace of those that are wrong. */
export async function checkPassword(space: OpenSpace, signIns: SignIns, attempt: SignInAttempt): Promise<SignInResult> {
  const result = await checkAttempt(space, signIns, attempt)
  if ('fault' in result && result.status !== BUSY) {
    noteInRequest({ signIn: 'refused' })
    space.failedSignIns.note(attempt.from, 'password')
  }
  return result
}

/** The status while too many people sign in. Nothing is known about the password then. */
const BUSY = 503

async function checkAttempt(
  space: OpenSpace,
  signIns: SignIns,
  { name, password, from }: SignInAttempt,
): Promise<SignInResult> {
  const { seconds, ...limits } = WRONG_PASSWORD_LIMITS
  const now = nowInSeconds()
  const countedKeys: string[] = []
  // Counted before the password is checked, so that parallel attempts cannot bypass the limit.
  const countAttempt = async (key: string, limit: number): Promise<SignInResult | undefined> => {
    const { count, endsAt } = await signIns.count(key, seconds, now)
    if (count > limit) return tooManyAttempts(endsAt - now)
    countedKeys.push(key)
    return undefined
  }
  const addressLimited = await countAttempt(`address ${from}`, limits.address)
  if (addressLimited !== undefined) return addressLimited
  if (name.length > SIGN_IN_NAME_LENGTH || !isWithinPasswordLimit(password)) return WRONG_CREDENTIALS
  const account = await space.read(OPERATOR_LINK, (view) => findAccount(view, name))
  const isKnown = account !== undefined && (await signIns.isKnownAddress(account.id, from, now))
  if (!isKnown) {
    const nameLimited = await countAttempt(`name ${(account?.name ?? name).trim().toLowerCase()}`, limits.name)
    if (nameLimited !== undefined) return nameLimited
  }
  const uncountAttempts = async () => {
    for (const key of countedKeys) await signIns.uncount(key)
  }
  try {
    if (!(await verifyPassword(password, account?.hash)) || account === undefined) return WRONG_CREDENTIALS
  } catch (error) {
    if (!(error instanceof PasswordsBusy)) throw error
    await uncountAttempts()
    const { retryAfter = 1 } = error
    return {
      fault: `Too many people sign in. Try again in ${formatCount(retryAfter, 'second')}.`,
      status: BUSY,
      retryAfter,
    }
  }
  await uncountAttempts()
  await signIns.addKnownAddress(account.id, from, now)
  return { account }
}

const WRONG_CREDENTIALS: SignInResult = {
  fault: 'That name and that password do not go together. Try again.',
  status: 401,
}

const tooManyAttempts = (seconds: number): SignInResult => ({
  fault: `Too many wrong passwords. Try again in ${formatCount(Math.max(1, Math.ceil(seconds / 60)), 'minute')}.`,
  status: 429,
  retryAfter: Math.max(1, seconds),
})
