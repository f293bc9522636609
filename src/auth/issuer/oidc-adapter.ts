/** Stores the data of `oidc-provider` in a separate database next to that of the space. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { assertWritableTime } from '../../../storage/clock-fault.ts'
import type { IssuedRecord, SignInPayload, SignIns } from '../../../storage/sign-ins.ts'
import { PENDING_LIMITS, REFRESH_GRACE_SECONDS, REGISTRATION_SECONDS } from '../../base/limits.ts'
import { decryptSuccessor, storeSuccessor } from './refresh-rotation.ts'

/** Access to the links that consents created. */
export interface ConsentStore {
  /** True if the link of a grant is active. */
  isActive(grantId: string): Promise<boolean>
  /** Revokes the link. */
  revoke(grantId: string): Promise<void>
}

/** Anyone who has one of these can use it, so only their hashes are stored. */
const BEARER_MODELS = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken'])

/** The client address of the request that is being answered. */
export const requestAddress = new AsyncLocalStorage<string>()

/** Seconds since 1970. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)

export const createAdapter =
  (signIns: SignIns, consents: ConsentStore) =>
  (model: string): Adapter => {
    const keyOf = (id: string): string =>
      BEARER_MODELS.has(model) ? createHash('sha256').update(id).digest('base64url') : id
    /** Within the grace period, a token counts as unused until its successor is used. */
    const isConsumed = async ({ consumedAt, successor }: IssuedRecord, id: string | undefined): Promise<boolean> => {
      if (consumedAt === undefined) return false
      const now = nowInSeconds()
      if (model !== 'RefreshToken' || id === undefined || consumedAt + REFRESH_GRACE_SECONDS < now) return true
      if (successor === undefined) return false
      const successorToken = await signIns.find(model, keyOf(decryptSuccessor(successor, id)), now)
      return successorToken === undefined || successorToken.consumedAt !== undefined
    }
    const toPayload = async (
      found: IssuedRecord | undefined,
      id: string | undefined,
    ): Promise<AdapterPayload | undefined> => {
      if (found === undefined) return undefined
      const { payload, consumedAt } = found
      return {
        ...payload,
        ...(id !== undefined && { jti: id }),
        ...((await isConsumed(found, id)) && { consumed: consumedAt }),
      }
    }
    return {
      async upsert(id, payload, expiresIn) {
        const now = nowInSeconds()
        assertWritableTime(now * 1000)
        // A program that registers and is never granted access is deleted.
        const lifetime = expiresIn ?? (model === 'Client' ? REGISTRATION_SECONDS : undefined)
        const { jti: _, ...rest } = payload as SignInPayload
        const stored = BEARER_MODELS.has(model) ? rest : (payload as SignInPayload)
        const from = requestAddress.getStore()
        // Without a sign-in, anyone could create any number of these.
        const isPending = from !== undefined && stored.accountId === undefined && stored.grantId === undefined
        const pending = isPending ? { from, most: PENDING_LIMITS } : undefined
        await signIns.save(model, keyOf(id), stored, lifetime === undefined ? undefined : now + lifetime, now, pending)
        if (model === 'RefreshToken') await storeSuccessor(signIns, keyOf, id)
      },
      async find(id) {
        if (model === 'Grant' && !(await consents.isActive(id))) return undefined
        const found = await signIns.find(model, keyOf(id), nowInSeconds())
        return toPayload(found, BEARER_MODELS.has(model) ? id : undefined)
      },
      async findByUid(uid) {
        return toPayload(await signIns.findByUid(model, uid, nowInSeconds()), undefined)
      },
      // For devices without a browser, which are not supported.
      async findByUserCode() {
        return undefined
      },
      async consume(id) {
        const now = nowInSeconds()
        assertWritableTime(now * 1000)
        const isFirst = await signIns.consume(model, keyOf(id), now)
        // Two concurrent requests with the same code both found it unused.
        if (!isFirst && model === 'AuthorizationCode') throw new errors.InvalidGrant('authorization code already used')
      },
      async destroy(id) {
        await signIns.delete(model, keyOf(id))
        if (model === 'Grant') await consents.revoke(id)
      },
      async revokeByGrantId(grantId) {
        await signIns.deleteByGrant(model, grantId)
      },
    }
  }
