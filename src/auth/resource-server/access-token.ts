/** What tokens say, and whether they may say it. */
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { CLOCK_TOLERANCE_SECONDS } from '../../base/limits.ts'

/** What a token says that is right in itself. */
export interface AccessToken {
  issuer: string
  subject: string
  /** The program that was signed in with; '' where the issuer does not say. */
  client: string
  scopes: string[]
  /** Milliseconds since 1970: until when it is taken. */
  expiresAt: number
  /** The link that was consented to, where the issuer is our own. */
  link?: string
}

/** The claim of our own issuer that names a link. */
export const LINK_CLAIM = 'scriptorium_link'

/** Signed by the issuer's own key: with a shared secret, or none, anyone could have made them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The `typ` of an access token; optional. */
const TYPE_PATTERN = /^(?:application\/)?(?:at\+)?jwt$/i

/**
 * @param now  milliseconds since 1970
 * @throws VALIDATION_ERROR, with what is wrong with the token; others where its keys cannot be had
 */
export async function verifyAccessToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audiences, now }: { issuer: string; audiences: readonly string[]; now: number },
): Promise<AccessToken> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: [...audiences],
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
    })
    if (protectedHeader.typ !== undefined && !TYPE_PATTERN.test(protectedHeader.typ))
      throw invalidToken('one of another type')
    // Its bearer would also have to prove possession of a key.
    if (payload.cnf !== undefined) throw invalidToken('one bound to a key')
    return parseClaims(issuer, payload)
  } catch (error) {
    throw toTokenError(error)
  }
}

function parseClaims(issuer: string, payload: JWTPayload): AccessToken {
  const { sub, exp, [LINK_CLAIM]: link } = payload
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') throw invalidToken('one without a subject')
  const client = [payload.client_id, payload.azp, payload.appid].find((one) => typeof one === 'string') as
    | string
    | undefined
  const scopes = [payload.scope, payload.scp].flatMap(splitScopes)
  return {
    issuer,
    subject: sub,
    client: client ?? '',
    scopes,
    expiresAt: (exp + CLOCK_TOLERANCE_SECONDS) * 1000,
    ...(typeof link === 'string' && { link }),
  }
}

function toTokenError(error: unknown): unknown {
  if (error instanceof ScriptoriumError) return error
  const { JWKSInvalid, JWKSTimeout, JOSEError, JWTExpired, JWTClaimValidationFailed } = errors
  if (error instanceof JWTExpired) return invalidToken('one that has expired')
  if (error instanceof JWTClaimValidationFailed) {
    return invalidToken(error.claim === 'aud' ? 'one for another audience' : `one whose claim ${error.claim} is wrong`)
  }
  const isKeyError = error instanceof JWKSInvalid || error instanceof JWKSTimeout || isKeyFetchError(error)
  return error instanceof JOSEError && !isKeyError ? invalidToken('one that the issuer has not signed') : error
}

/** What is answered in place of keys. */
const isKeyFetchError = (error: unknown): boolean =>
  error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC'

const invalidToken = (found: string) => invalid(found)

const splitScopes = (claim: unknown): string[] =>
  typeof claim === 'string'
    ? claim.split(' ').filter((word) => word !== '')
    : Array.isArray(claim)
      ? claim.filter((word) => typeof word === 'string')
      : []
