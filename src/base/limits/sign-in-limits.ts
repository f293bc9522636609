/** Signing in: identity providers, passwords, and the embedded issuer. */
import { NAME_LENGTH } from './document-limits.ts'

/** Seconds to wait for an identity provider, and bytes of its response (metadata or keys). */
export const ISSUER_SECONDS = 5
export const ISSUER_BYTES = 256 * 1024
/** Seconds for which its keys are cached, and seconds between attempts to fetch missing keys. */
export const ISSUER_KEYS_SECONDS = 10 * 60
export const ISSUER_RETRY_SECONDS = 10
/** Seconds by which its clock may differ from this machine's clock. */
export const CLOCK_TOLERANCE_SECONDS = 30
/** Characters of a password. Source: NIST SP 800-63B, which asks for no further rules. */
export const PASSWORD_LENGTH = { least: 10, most: 256 }
/**
 * UTF-16 code units of a password before normalization. The longest password fits, whatever its Unicode composition.
 */
export const PASSWORD_CODE_UNITS = 8 * 256
/**
 * Characters of the name in the sign-in form. Leaves room for surrounding spaces, and for names created before names
 * were limited.
 */
export const SIGN_IN_NAME_LENGTH = 2 * NAME_LENGTH
/**
 * Passwords that can wait to be hashed, at half a second each, and seconds after which a rejected sign-in may retry.
 */
export const PASSWORD_QUEUE_LENGTH = 16
export const PASSWORD_RETRY_SECONDS = 10
/** Wrong passwords per name and per address within this many seconds. */
export const WRONG_PASSWORD_LIMITS = { name: 20, address: 10, seconds: 15 * 60 }
/** Names and addresses whose wrong passwords are counted at the same time. */
export const MAX_FAILURE_COUNTERS = 100_000
/** Addresses remembered per participant after a successful sign-in, and seconds for which. */
export const KNOWN_ADDRESS_LIMITS = { each: 20, seconds: 90 * 86_400 }
/**
 * Records of one kind that the issuer stores before sign-in, such as open interactions and registered programs: per
 * address, and in total.
 */
export const PENDING_LIMITS = { address: 100, all: 1_000 }
/** Lifetimes, in seconds, of the credentials that the embedded issuer grants. */
export const AUTHORIZATION_CODE_SECONDS = 60
export const ACCESS_TOKEN_SECONDS = 3600
export const REFRESH_TOKEN_SECONDS = 30 * 86_400
export const GRANT_SECONDS = 10 * 365 * 86_400
/**
 * Lifetimes, in seconds, of a browser session, of an open interaction page, and of a registration that was never used.
 */
export const SESSION_SECONDS = 12 * 3600
export const INTERACTION_SECONDS = 3600
export const REGISTRATION_SECONDS = 86_400
/**
 * Seconds for which a used refresh token returns the same successor again. Responses get lost, and hosts refresh in
 * several windows at once.
 */
export const REFRESH_GRACE_SECONDS = 10
/** Bytes of a form or other body sent to the embedded issuer, and its number of fields. */
export const FORM_BYTES = 64 * 1024
export const FORM_FIELDS = 1_100
/** Characters of a redirect URI. */
export const REDIRECT_LENGTH = 2_000
/** Query parameters of a request to the embedded issuer. */
export const QUERY_FIELDS = 100
/** Characters of the search field for documents on the consent page. */
export const CONSENT_SEARCH_LENGTH = 200
/** Seconds to wait for a client's metadata document, and its bytes. The byte limit also applies to a registration. */
export const CLIENT_METADATA_SECONDS = 5
export const CLIENT_METADATA_BYTES = 16 * 1024
/** Documents shown at once on the consent page. */
export const DOCUMENTS_PER_CONSENT_PAGE = 50
