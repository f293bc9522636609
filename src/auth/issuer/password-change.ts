/** People who sign in with a password change it themselves. */

import type { SignIns } from '../../../storage/sign-ins.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { logOccurrence } from '../../space/model/audit-log.ts'
import { type AccessLink, OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { addParticipant, findAccount } from '../../space/participants/participants.ts'
import { assertPasswordLength, hashPassword } from '../../space/participants/passwords.ts'
import { checkPassword, type SignInResult } from './password-sign-in.ts'

export interface PasswordChange {
  /** The link of the session of the person. */
  link: AccessLink
  old: string
  next: string
  /** The address of the client. */
  from: string
}

/**
 * Changes a password, which ends every session that was begun with the old one. A session without the password is no way
 * to guess it: wrong ones count as those of signing in.
 *
 * @returns when it was changed, in milliseconds since 1970, or why the old password was not accepted
 * @throws VALIDATION_ERROR for a new password that is too short or too long; CONFLICT if it was changed meanwhile
 */
export async function changePassword(
  space: OpenSpace,
  signIns: SignIns,
  { link, old, next, from }: PasswordChange,
): Promise<{ changedAt: number } | Extract<SignInResult, { fault: string }>> {
  // Before the old one is checked, which takes long and counts.
  assertPasswordLength(next)
  const result = await checkPassword(space, signIns, { name: link.author, password: old, from })
  if ('fault' in result) return result
  const { account } = result
  const hash = await hashPassword(next)
  return space.write({ ...OPERATOR_LINK, author: account.name }, async (view) => {
    const current = await findAccount(view, account.id)
    if (current?.hash !== account.hash) throw changedMeanwhile()
    await addParticipant(view, account.name, { password: hash })
    await logOccurrence(view, 'password_changed', { ids: [account.id] })
    return { changedAt: view.now }
  })
}

const changedMeanwhile = (): ScriptoriumError =>
  new ScriptoriumError(
    'CONFLICT',
    'Expected the password that was checked, found that it was changed meanwhile; sign in again.',
  )
