/**
 * Secrets in the export of a space. Hashes of passwords and of links are exported as they are. A secret that opens or
 * signs something is encrypted with a passphrase, or left out; see {@link SECRET_COLUMNS}.
 *
 * `scriptorium.json` says which, as `secrets`: `"left out"`, or how they are encrypted. Exports from before this field
 * existed hold them as text.
 *
 *     { "kdf": "scrypt", "N": 131072, "r": 8, "p": 1, "salt": "…", "cipher": "aes-256-gcm", "check": "…" }
 *
 * The key has 32 bytes: scrypt (RFC 7914) of the passphrase, as UTF-8 in the normal form NFKC, and the salt. Binary data
 * is base64url. An encrypted value stands in its row as `{ "sealed": "…" }`: the nonce of 12 bytes, the ciphertext, and
 * the tag of 16 bytes. Its additional data binds it to its place, as a JSON array: the ID of the space, the table, the
 * column, and the key of the row. `check` is a value whose place is the ID of the space alone, which tells whether a
 * passphrase is the right one.
 */

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { PASSPHRASE_LENGTH } from '../../base/limits.ts'

/** The value of `secrets` in the metadata of an export, if they are encrypted. */
export interface SecretsInfo {
  kdf: 'scrypt'
  N: number
  r: number
  p: number
  salt: string
  cipher: 'aes-256-gcm'
  check: string
}

/** A value in a row that is encrypted. */
export interface SealedValue {
  sealed: string
}

/** The place of a value: the ID of the space, and for a value of a row its table, its column and its key. */
export type Place = readonly (string | number | null)[]

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** 128 MiB and about half a second. Source: OWASP, Password Storage. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
/** The largest cost of an export from elsewhere. */
const LARGEST_N = 2 ** 20

export class SecretBox {
  readonly info: SecretsInfo
  readonly #key: Buffer

  private constructor(key: Buffer, info: SecretsInfo) {
    this.#key = key
    this.info = info
  }

  /**
   * @param space  the ID of the space
   * @throws VALIDATION_ERROR for a passphrase that is too short or too long
   */
  static async create(passphrase: string, space: string): Promise<SecretBox> {
    const { least, most } = PASSPHRASE_LENGTH
    const { length } = passphrase
    if (length < least || length > most) {
      throw invalid(
        `Expected a passphrase of ${least} to ${formatNumber(most)} characters, found one of ${formatNumber(length)}; choose another.`,
      )
    }
    const salt = randomBytes(SALT_BYTES)
    const key = await keyOf(passphrase, salt, COST)
    const check = seal(key, [space], '')
    return new SecretBox(key, { kdf: 'scrypt', ...COST, salt: salt.toString('base64url'), cipher: CIPHER, check })
  }

  /**
   * @param info  from an export, not checked yet
   * @throws VALIDATION_ERROR for another passphrase than that of the export, and for encryption that is not known
   */
  static async open(passphrase: string, info: unknown, space: string): Promise<SecretBox> {
    if (!isSecretsInfo(info)) {
      throw invalid('Expected encrypted secrets in the export, found something else; export the space again.')
    }
    if (passphrase.length <= PASSPHRASE_LENGTH.most) {
      const { N, r, p, salt, check } = info
      const key = await keyOf(passphrase, Buffer.from(salt, 'base64url'), { N, r, p })
      if (unseal(key, [space], check) !== undefined) return new SecretBox(key, info)
    }
    throw invalid('Expected the passphrase of this export, found another; nothing was made, try again.')
  }

  seal(place: Place, text: string): SealedValue {
    return { sealed: seal(this.#key, place, text) }
  }

  /** @returns undefined for a value that was changed, or belongs to another place */
  unseal(place: Place, { sealed }: SealedValue): string | undefined {
    return unseal(this.#key, place, sealed)
  }
}

export const isSealed = (value: unknown): value is SealedValue =>
  typeof value === 'object' && value !== null && 'sealed' in value && typeof value.sealed === 'string'

function isSecretsInfo(info: unknown): info is SecretsInfo {
  if (typeof info !== 'object' || info === null) return false
  const { kdf, N, r, p, salt, cipher, check } = info as Record<string, unknown>
  const isKnown = kdf === 'scrypt' && cipher === CIPHER && r === COST.r && p === COST.p
  // A cost from elsewhere must not take all memory.
  const isCost = typeof N === 'number' && Number.isInteger(Math.log2(N)) && N > 1 && N <= LARGEST_N
  return isKnown && isCost && typeof salt === 'string' && typeof check === 'string'
}

function keyOf(passphrase: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

function seal(key: Buffer, place: Place, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(JSON.stringify(place)))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(parts).toString('base64url')
}

function unseal(key: Buffer, place: Place, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const end = bytes.length - TAG_BYTES
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(JSON.stringify(place)))
    .setAuthTag(bytes.subarray(end))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
