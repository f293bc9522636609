/**
 * Cursors: where a long answer goes on. Opaque to clients, bound to what was asked, and checked.
 *
 * A place may be a number that counts what the whole space has, and so tell of what is out of the connection's reach:
 * it is encrypted, and filled up, since its length would tell as much.
 */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { ScriptoriumError } from '../errors.ts'
import { CURSOR_LENGTH } from '../limits.ts'

const SEAL_BYTES = 12
/** Places are filled up to a multiple of these bytes, each byte that is added being how many were. */
const PLACE_BYTES = 32

/**
 * A cursor for the place `at` in the answer to one question.
 *
 * @param secret  the space's, in hex
 * @param asked  what the cursor continues; the same value must be given to {@link openCursor}
 */
export function sealCursor(secret: string, asked: unknown, at: string): string {
  const text = Buffer.from(at, 'utf8')
  const added = PLACE_BYTES - (text.length % PLACE_BYTES)
  const place = Buffer.concat([text, Buffer.alloc(added, added)])
  const sealed = seal(secret, asked, place)
  const cipher = createCipheriv(CIPHER, keyFrom(secret), startFrom(sealed))
  return Buffer.concat([sealed, cipher.update(place)]).toString('base64url')
}

/**
 * The place that {@link sealCursor} was given.
 *
 * @throws CURSOR_INVALID for one that was changed, made up, or made for another question or space.
 */
export function openCursor(secret: string, asked: unknown, cursor: string): string {
  if (cursor.length <= CURSOR_LENGTH) {
    const bytes = Buffer.from(cursor, 'base64url')
    const found = bytes.subarray(0, SEAL_BYTES)
    if (found.length === SEAL_BYTES) {
      const place = createDecipheriv(CIPHER, keyFrom(secret), startFrom(found)).update(bytes.subarray(SEAL_BYTES))
      const isOurs = timingSafeEqual(found, seal(secret, asked, place))
      if (isOurs) return place.subarray(0, place.length - (place.at(-1) ?? 0)).toString('utf8')
    }
  }
  throw invalidCursor()
}

/** What the answer to a long listing says of its rest. */
export interface Rest {
  cursor: string
  remaining: number
  message: string
}

/**
 * The rest of a listing that has shown all up to the place `at`.
 *
 * @param tool  whose answer it is; the question that the cursor continues is this and what was `asked` of it
 * @param noun  what is listed, in the plural
 * @param remaining  how many are left, or `least` of them where no more were counted
 */
export function restOfList(
  secret: string,
  tool: string,
  asked: unknown,
  noun: string,
  at: string,
  remaining: number,
  least = Infinity,
): Rest {
  const count = remaining < least ? `${remaining}` : `At least ${remaining}`
  const message = `${count} ${noun} are left: call ${tool} again with the same arguments and this cursor.`
  return { cursor: sealCursor(secret, [tool, asked], at), remaining, message }
}

/** The same in words alone, for answers that have no other place for the cursor. */
export const restInWords = (rest: Rest | undefined): string | undefined =>
  rest?.message.replace('this cursor', `cursor "${rest.cursor}"`)

/** The one answer to a cursor that leads nowhere. */
export const invalidCursor = (): ScriptoriumError =>
  new ScriptoriumError(
    'CURSOR_INVALID',
    'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
  )

/** The seal is of the place itself, so that no two places are encrypted from the same start. */
const CIPHER = 'aes-256-ctr'
const startFrom = (sealed: Buffer): Buffer => Buffer.concat([sealed, Buffer.alloc(16 - SEAL_BYTES)])
const keyFrom = (secret: string): Buffer => createHmac('sha256', Buffer.from(secret, 'hex')).update('places').digest()

function seal(secret: string, asked: unknown, place: Buffer): Buffer {
  const question = Buffer.from(JSON.stringify(asked), 'utf8')
  const mac = createHmac('sha256', Buffer.from(secret, 'hex'))
  return mac.update(String(question.length)).update(' ').update(question).update(place).digest().subarray(0, SEAL_BYTES)
}
