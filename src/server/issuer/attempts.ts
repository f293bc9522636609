/** Signs somebody in by name and password, and lets nobody try for long. */
import { WRONG_PASSWORDS } from '../../limits.ts'
import type { OpenSpace } from '../../space/open.ts'
import { type Account, accountOf } from '../../space/participants.ts'
import { isPassword } from '../../space/passwords.ts'
import { OWN_LINK } from '../../space/space.ts'
import { type SignIns, secondsNow } from './adapter.ts'

/** Who signed in, or what to tell who did not, with the status that belongs to it. */
export type Attempt = { account: Account } | { fault: string; status: 401 | 429 }

/**
 * The same words for a name that nobody has, for one without a password, and for a wrong password, after the same time.
 *
 * @param from  the address that it comes from
 */
export async function attempt(
  space: OpenSpace,
  signIns: SignIns,
  { name, password, from }: { name: string; password: string; from: string },
): Promise<Attempt> {
  const { seconds, ...most } = WRONG_PASSWORDS
  const keys = { name: `name ${name.trim().toLowerCase()}`, address: `address ${from}` }
  const now = secondsNow()
  // Counted before the password is looked at, so that trying many at once is no way round.
  for (const kind of ['name', 'address'] as const) {
    const { count, endsAt } = signIns.count(keys[kind], seconds, now)
    if (count > most[kind]) return { fault: tooMany(endsAt - now), status: 429 }
  }
  const account = await space.read(OWN_LINK, (view) => accountOf(view, name))
  if (!(await isPassword(password, account?.hash)) || account === undefined) {
    return { fault: 'That name and that password do not go together. Try again.', status: 401 }
  }
  signIns.forget(keys.name)
  signIns.forget(keys.address)
  return { account }
}

const tooMany = (seconds: number): string =>
  `Too many wrong passwords. Try again in ${Math.max(1, Math.ceil(seconds / 60))} minutes.`
