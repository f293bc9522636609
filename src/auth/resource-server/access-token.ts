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

interface TokenRules {
  issuer: string
  /** One of which the token must have. */
  audiences: readonly string[]
  /** Milliseconds since 1970. */
  now: number
  /** True for our own issuer. Tokens of others cannot name a link: it would not be checked that it is their subject's. */
  isOwn?: boolean
}

/**
 * Verifies a token by RFC 7519 and RFC 9068, with two differences for providers that issue other JWT access tokens:
 * `typ` may be `JWT` or missing, and `iat`, `jti` and `client_id` may be missing. A claim of the wrong type is never
 * ignored.
 *
 * @throws VALIDATION_ERROR that says what is wrong with the token; other errors if the keys cannot be fetched
 */
export async function verifyAccessToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audiences, now, isOwn = false }: TokenRules,
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
    const parsed = parseClaims(issuer, payload, now / 1000 + CLOCK_TOLERANCE_SECONDS)
    const { [LINK_CLAIM]: link } = payload
    return isOwn && typeof link === 'string' ? { ...parsed, link } : parsed
  } catch (error) {
    throw toTokenError(error)
  }
}

/** @param latest  seconds since 1970: no token was issued later */
function parseClaims(issuer: string, payload: JWTPayload, latest: number): AccessToken {
  const { sub, exp, aud, iat } = payload
  if (typeof sub !== 'string' || sub === '') throw invalidToken('one without a subject')
  // JSON has numbers that no date has, such as 1e999.
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw wrongClaim('exp')
  if (iat !== undefined && iat > latest) throw wrongClaim('iat')
  if (Array.isArray(aud) && !isTexts(aud)) throw wrongClaim('aud')
  return {
    issuer,
    subject: sub,
    client: parseClient(payload),
    scopes: parseScopes(payload),
    expiresAt: (exp + CLOCK_TOLERANCE_SECONDS) * 1000,
  }
}

/** The names of the claim that names the program: that of RFC 9068, of OpenID Connect, and of Entra. */
const CLIENT_CLAIMS = ['client_id', 'azp', 'appid'] as const

function parseClient(payload: JWTPayload): string {
  const wrong = CLIENT_CLAIMS.find((claim) => payload[claim] !== undefined && typeof payload[claim] !== 'string')
  if (wrong !== undefined) throw wrongClaim(wrong)
  const [client = ''] = CLIENT_CLAIMS.flatMap((claim) => (payload[claim] as string | undefined) ?? [])
  return client
}

/** `scope` is a text (RFC 9068, 2.2.3; RFC 8693, 4.2). `scp` has no standard: a text at Entra, a list at Okta. */
function parseScopes({ scope, scp }: JWTPayload): string[] {
  if (scope !== undefined && typeof scope !== 'string') throw wrongClaim('scope')
  if (scp !== undefined && typeof scp !== 'string' && !isTexts(scp)) throw wrongClaim('scp')
  const listed = typeof scp === 'string' ? scp.split(' ') : (scp ?? [])
  return [...(scope ?? '').split(' '), ...listed].filter((word) => word !== '')
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function toTokenError(error: unknown): unknown {
  if (error instanceof ScriptoriumError) return error
  const { JWKSInvalid, JWKSTimeout, JOSEError, JWTExpired, JWTClaimValidationFailed } = errors
  if (error instanceof JWTExpired) return invalidToken('one that has expired')
  if (error instanceof JWTClaimValidationFailed) {
    return error.claim === 'aud' ? invalidToken('one for another audience') : wrongClaim(error.claim)
  }
  const isKeyError = error instanceof JWKSInvalid || error instanceof JWKSTimeout || isKeyFetchError(error)
  return error instanceof JOSEError && !isKeyError ? invalidToken('one that the issuer has not signed') : error
}

/** True for errors while fetching keys. */
const isKeyFetchError = (error: unknown): boolean =>
  error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC'

const invalidToken = (found: string) => invalid(found)
const wrongClaim = (claim: string) => invalidToken(`one whose claim ${claim} is wrong`)
