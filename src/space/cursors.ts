/** Cursors: where a long answer goes on. Opaque to clients, bound to what was asked, and checked. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { ScriptoriumError } from '../errors.ts'
import { CURSOR_LENGTH } from '../limits.ts'

const SEAL_BYTES = 12

/**
 * A cursor for the place `at` in the answer to one question.
 *
 * @param secret  the space's, in hex
 * @param asked  what the cursor continues; the same value must be given to {@link openCursor}
 */
export function sealCursor(secret: string, asked: unknown, at: string): string {
  const place = Buffer.from(at, 'utf8')
  return Buffer.concat([seal(secret, asked, place), place]).toString('base64url')
}

/**
 * The place that {@link sealCursor} was given.
 *
 * @throws CURSOR_INVALID for one that was changed, made up, or made for another question or space.
 */
export function openCursor(secret: string, asked: unknown, cursor: string): string {
  if (cursor.length <= CURSOR_LENGTH) {
    const bytes = Buffer.from(cursor, 'base64url')
    const place = bytes.subarray(SEAL_BYTES)
    const found = bytes.subarray(0, SEAL_BYTES)
    if (found.length === SEAL_BYTES && timingSafeEqual(found, seal(secret, asked, place))) return place.toString('utf8')
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

/** The one answer to a cursor that leads nowhere. */
export const invalidCursor = (): ScriptoriumError =>
  new ScriptoriumError(
    'CURSOR_INVALID',
    'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
  )

function seal(secret: string, asked: unknown, place: Buffer): Buffer {
  const question = Buffer.from(JSON.stringify(asked), 'utf8')
  const mac = createHmac('sha256', Buffer.from(secret, 'hex'))
  return mac.update(String(question.length)).update(' ').update(question).update(place).digest().subarray(0, SEAL_BYTES)
}
