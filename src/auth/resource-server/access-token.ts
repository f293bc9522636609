/** The claims of access tokens, and their verification. */
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { CLOCK_TOLERANCE_SECONDS } from '../../base/limits.ts'

/** The content of a valid token. */
export interface AccessToken {
  issuer: string
  subject: string
  /** The program that was used to sign in; '' if the issuer does not name it. */
  client: string
  scopes: string[]
  /** Expiry time in milliseconds since 1970. */
  expiresAt: number
  /** The link of the consent, for tokens of our own issuer. */
  link?: string
}

/** The claim with which our own issuer names a link. */
export const LINK_CLAIM = 'scriptorium_link'

/** Only asymmetric signatures: with a shared secret or no signature, others could forge tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The `typ` of an access token; optional. */
const TYPE_PATTERN = /^(?:application\/)?(?:at\+)?jwt$/i

/**
 * @param now  milliseconds since 1970
 * @throws VALIDATION_ERROR that says what is wrong with the token; other errors if the keys cannot be fetched
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
    // The bearer would have to prove possession of that key.
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

/** True for errors while fetching keys. */
const isKeyFetchError = (error: unknown): boolean =>
  error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC'

const invalidToken = (found: string) => invalid(found)

const splitScopes = (claim: unknown): string[] =>
  typeof claim === 'string'
    ? claim.split(' ').filter((word) => word !== '')
    : Array.isArray(claim)
      ? claim.filter((word) => typeof word === 'string')
      : []
