/** Signs somebody in by name and password, and lets nobody try for long. */
import { SIGN_IN_NAME_LENGTH, WRONG_PASSWORDS } from '../../limits.ts'
import type { OpenSpace } from '../../space/open.ts'
import { type Account, accountOf } from '../../space/participants.ts'
import { couldBePassword, isPassword, PasswordsBusy } from '../../space/passwords.ts'
import { OWN_LINK } from '../../space/space.ts'
import { type SignIns, secondsNow } from './adapter.ts'

/**
 * Who signed in, or what to tell who did not, with the status that belongs to it, and the seconds after which to try
 * again where that is what to do.
 */
export type Attempt = { account: Account } | { fault: string; status: 401 | 429 | 503; retryAfter?: number }

/**
 * The same words for a name that nobody has, for one without a password, and for a wrong password, after the same time.
 *
 * Wrong passwords are counted for the address and for the name. An address that tried too often counts against no name,
 * and a participant signs in from an address that they signed in from before, however many tried elsewhere: otherwise
 * anybody could shut out everybody.
 *
 * @param from  the address that it comes from
 */
export async function attempt(
  space: OpenSpace,
  signIns: SignIns,
  { name, password, from }: { name: string; password: string; from: string },
): Promise<Attempt> {
  const { seconds, ...most } = WRONG_PASSWORDS
  const now = secondsNow()
  const counted: string[] = []
  // Counted before the password is looked at, so that trying many at once is no way round.
  const isOver = (key: string, limit: number): Attempt | undefined => {
    const { count, endsAt } = signIns.count(key, seconds, now)
    if (count > limit) return tooMany(endsAt - now)
    counted.push(key)
    return undefined
  }
  const addressOver = isOver(`address ${from}`, most.address)
  if (addressOver !== undefined) return addressOver
  if (name.length > SIGN_IN_NAME_LENGTH || !couldBePassword(password)) return WRONG
  const account = await space.read(OWN_LINK, (view) => accountOf(view, name))
  const isKnown = account !== undefined && signIns.isKnownAddress(account.id, from, now)
  if (!isKnown) {
    const nameOver = isOver(`name ${(account?.name ?? name).trim().toLowerCase()}`, most.name)
    if (nameOver !== undefined) return nameOver
  }
  const notWrong = () => {
    for (const key of counted) signIns.uncount(key)
  }
  try {
    if (!(await isPassword(password, account?.hash)) || account === undefined) return WRONG
  } catch (error) {
    if (!(error instanceof PasswordsBusy)) throw error
    notWrong()
    const { retryAfter = 1 } = error
    return { fault: `Too many people sign in. Try again in ${retryAfter} seconds.`, status: 503, retryAfter }
  }
  notWrong()
  signIns.addKnownAddress(account.id, from, now)
  return { account }
}

const WRONG: Attempt = { fault: 'That name and that password do not go together. Try again.', status: 401 }

const tooMany = (seconds: number): Attempt => ({
  fault: `Too many wrong passwords. Try again in ${Math.max(1, Math.ceil(seconds / 60))} minutes.`,
  status: 429,
  retryAfter: Math.max(1, seconds),
})
