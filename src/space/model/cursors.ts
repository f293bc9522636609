/**
 * Cursors: opaque, authenticated positions from which a long answer continues. A cursor is bound to its query.
 *
 * A position may contain a number that counts things in the whole space, and so reveal what is out of the connection's
 * reach. It is therefore encrypted, and padded because its length could reveal as much.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { ScriptoriumError } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { CURSOR_LENGTH } from '../../base/limits.ts'

const TAG_BYTES = 12
/** Positions are padded to a multiple of this many bytes. Each padding byte holds the number of padding bytes. */
const PADDING_BLOCK_BYTES = 32

/**
 * Encodes a position in the answer to one query as a cursor.
 *
 * @param secret  the secret of the space, in hex
 * @param query  what the cursor continues; the same value must be given to {@link decodeCursor}
 */
export function encodeCursor(secret: string, query: unknown, position: string): string {
  const text = Buffer.from(position, 'utf8')
  const paddingLength = PADDING_BLOCK_BYTES - (text.length % PADDING_BLOCK_BYTES)
  const plaintext = Buffer.concat([text, Buffer.alloc(paddingLength, paddingLength)])
  const tag = authenticationTag(secret, query, plaintext)
  const cipher = createCipheriv(CIPHER, keysOf(secret).places, ivFrom(tag))
  return Buffer.concat([tag, cipher.update(plaintext)]).toString('base64url')
}

/**
 * Returns the position that {@link encodeCursor} was given.
 *
 * @throws CURSOR_INVALID for a cursor that was changed, made up, or made for another query or space.
 */
export function decodeCursor(secret: string, query: unknown, cursor: string, longest = CURSOR_LENGTH): string {
  if (cursor.length <= longest) {
    const bytes = Buffer.from(cursor, 'base64url')
    const tag = bytes.subarray(0, TAG_BYTES)
    if (tag.length === TAG_BYTES) {
      const plaintext = createDecipheriv(CIPHER, keysOf(secret).places, ivFrom(tag)).update(bytes.subarray(TAG_BYTES))
      const isAuthentic = timingSafeEqual(tag, authenticationTag(secret, query, plaintext))
      if (isAuthentic) return plaintext.subarray(0, plaintext.length - (plaintext.at(-1) ?? 0)).toString('utf8')
    }
  }
  throw invalidCursor()
}

/** Says how a paginated answer continues. */
export interface Pagination {
  cursor: string
  remaining: number
  message: string
}

/**
 * The pagination of a listing that has shown everything up to a position.
 *
 * @param tool  the tool that answers; together with `query` it is what the cursor is bound to
 * @param noun  what is listed, in the singular
 * @param remaining  how many are left, or `countLimit` if no more than that were counted
 */
export function createPagination(
  secret: string,
  tool: string,
  query: unknown,
  noun: string,
  position: string,
  remaining: number,
  countLimit = Infinity,
): Pagination {
  const left = leftText(remaining, noun)
  const message = `${remaining < countLimit ? left : `At least ${left}`}: repeat the call with this cursor.`
  return { cursor: encodeCursor(secret, [tool, query], position), remaining, message }
}

/** `2 items are left` @param noun  in the singular */
export const leftText = (remaining: number, noun: string): string =>
  `${formatCount(remaining, noun)} ${remaining === 1 ? 'is' : 'are'} left`

/** The same as one sentence, for answers that have no other place for the cursor. */
export const paginationText = (pagination: Pagination | undefined): string | undefined =>
  pagination?.message.replace('this cursor', `cursor "${pagination.cursor}"`)

/** The same error for every cursor that is not valid. */
export const invalidCursor = (): ScriptoriumError =>
  new ScriptoriumError(
    'CURSOR_INVALID',
    'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
  )

/**
 * The tag is an HMAC of the query and the position and serves as the IV, so that different positions have different
 * IVs.
 */
const CIPHER = 'aes-256-ctr'
const ivFrom = (tag: Buffer): Buffer => Buffer.concat([tag, Buffer.alloc(16 - TAG_BYTES)])

interface CursorKeys {
  seal: KeyObject
  places: KeyObject
}

/** Keys of recently used spaces, cached because deriving them takes longer than encoding a cursor. */
const keysBySecret = new Map<string, CursorKeys>()
const KEPT_KEYS = 100

function keysOf(secret: string): CursorKeys {
  const known = keysBySecret.get(secret)
  if (known !== undefined) return known
  const seal = createSecretKey(Buffer.from(secret, 'hex'))
  const keys = { seal, places: createSecretKey(createHmac('sha256', seal).update('places').digest()) }
  if (keysBySecret.size >= KEPT_KEYS) keysBySecret.clear()
  keysBySecret.set(secret, keys)
  return keys
}

function authenticationTag(secret: string, query: unknown, plaintext: Buffer): Buffer {
  const queryBytes = Buffer.from(JSON.stringify(query), 'utf8')
  const mac = createHmac('sha256', keysOf(secret).seal)
  return mac
    .update(String(queryBytes.length))
    .update(' ')
    .update(queryBytes)
    .update(plaintext)
    .digest()
    .subarray(0, TAG_BYTES)
}
