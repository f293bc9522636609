/**
 * Rotates refresh tokens. A token is used once and replaced by its successor. If it is used again within {@link
 * REFRESH_GRACE}, it gives the same successor, since a response may be lost, and hosts refresh in several windows at
 * once. So each sign-in has a single chain of tokens, in which reuse can be detected:
 *
 *     A ──▶ B ──▶ C        A again within the grace period, B unused: B
 *                          A again later, or after B was used: all are revoked
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import Provider, { errors } from 'oidc-provider'
import type { SignIns } from '../../../storage/sign-ins.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The successors with which requests are answered, instead of the tokens that were created for them. */
const replacementTokens = new WeakMap<object, string>()

/**
 * Stores a token as the successor of another. If the other token already has a successor, the request is answered with
 * that one instead.
 *
 * @param keyOf  computes the key under which a token is stored
 * @param token  which is stored already
 * @throws InvalidGrant if the other token no longer exists because the whole sign-in was ended
 */
export async function storeSuccessor(signIns: SignIns, keyOf: (token: string) => string, token: string): Promise<void> {
  const { ctx } = Provider
  const predecessor = ctx?.oidc.entities.RotatedRefreshToken?.jti
  if (ctx === undefined || predecessor === undefined) return
  const sealed = encryptSuccessor(token, predecessor)
  const stored = await signIns.addSuccessor('RefreshToken', keyOf(predecessor), sealed)
  if (stored === sealed) return
  await signIns.delete('RefreshToken', keyOf(token))
  if (stored === undefined) throw new errors.InvalidGrant('refresh token not found')
  replacementTokens.set(ctx, decryptSuccessor(stored, predecessor))
}

/** Puts the stored successor into the response, after all other processing. */
export function respondWithSuccessors(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    const token = replacementTokens.get(ctx)
    if (token !== undefined && ctx.status === 200) ctx.body = { ...(ctx.body as object), refresh_token: token }
  })
}

/** Only the holder of a token can read its successor: the stored data does not grant access. */
function encryptSuccessor(token: string, predecessor: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, deriveKey(predecessor), iv)
  const sealed = Buffer.concat([cipher.update(token), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

export function decryptSuccessor(sealed: string, predecessor: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, deriveKey(predecessor), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString()
}

const deriveKey = (predecessor: string): Buffer => createHash('sha256').update(`successor of ${predecessor}`).digest()
