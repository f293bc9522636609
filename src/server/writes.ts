/** What a space keeps of the calls that wrote: who wrote what, and what was answered to those that may come again. */
import { createHash } from 'node:crypto'
import { keepAnswer, keptAnswer } from '../../storage/kept-answers.ts'
import { insertWrite, writesAfter } from '../../storage/write-log.ts'
import { inTurns, type Parts } from '../breathe.ts'
import { invalid, ScriptoriumError } from '../errors.ts'
import { KEY_LENGTH, KEYS_KEPT } from '../limits.ts'
import type { Space } from '../space/space.ts'

/** A call as its caller may send it again: under a key of the caller's. */
export interface KeyedCall {
  key: string
  /** The same for the same call. */
  call: string
}

/** @throws VALIDATION_ERROR for an empty key, and one that is too long */
export async function keyedCall(key: string, endpoint: string, given: unknown): Promise<KeyedCall> {
  if (key === '' || key.length > KEY_LENGTH) {
    throw invalid(
      `Expected an idempotency key of 1 to ${KEY_LENGTH} characters, found ${key.length}; a UUID for every call will do.`,
    )
  }
  return { key, call: await inTurns(fingerprint(endpoint, given)) }
}

/** SHA-256 of a call, in whatever order the keys of its objects are written. */
function* fingerprint(endpoint: string, given: unknown): Parts<string> {
  const hash = createHash('sha256')
  let text = ''
  for (const piece of ordered([endpoint, given])) {
    text += piece
    if (text.length < PART) continue
    hash.update(text)
    text = ''
    yield
  }
  return hash.update(text).digest('hex')
}

/** Characters that are hashed in one go. */
const PART = 16_384

/** A value in pieces of text, the keys of its objects in order: JSON but for a comma too many. */
function* ordered(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* ordered(item)
    }
    yield value.length === 0 ? '[]' : ']'
  } else {
    const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
    yield '{'
    for (const [key, inner] of fields.sort(([one], [other]) => (one < other ? -1 : 1))) {
      yield `${JSON.stringify(key)}:`
      yield* ordered(inner)
      yield ','
    }
    yield '}'
  }
}

/** Whether a call came with this key before. */
export async function cameBefore(space: Space, { key }: KeyedCall): Promise<boolean> {
  return (await keptAnswer(space.tx, callerOf(space), key, space.now - KEYS_KEPT * 1000)) !== undefined
}

/**
 * What was answered when this call came before.
 *
 * @throws CONFLICT for a key that came with another call
 */
export async function answeredBefore(space: Space, { key, call }: KeyedCall): Promise<object | undefined> {
  const found = await keptAnswer(space.tx, callerOf(space), key, space.now - KEYS_KEPT * 1000)
  if (found === undefined) return undefined
  if (found.call === call) return JSON.parse(found.answer) as object
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected the call that came with the idempotency key "${key}" before, found another; nothing was written, give every call a key of its own.`,
  )
}

/** Keep what this call is answered, in the transaction in which it wrote. */
export async function keepFor(space: Space, call: KeyedCall, answer: object): Promise<void> {
  const row = { ...call, link: callerOf(space), answer: JSON.stringify(answer), createdAt: space.now }
  await keepAnswer(space.tx, row, space.now - KEYS_KEPT * 1000)
}

/** Of connections without a link, those that reach the same are one caller: no other is told what one was answered. */
const callerOf = ({ link: { id, kind, documents } }: Space): string =>
  id ?? (kind === 'full' ? '' : [kind, ...[...documents].sort((one, other) => one - other)].join(' '))

/** Say in the log of writes who wrote what. */
export async function logWrite({ tx, now, link }: Space, endpoint: string, ids: readonly string[]): Promise<void> {
  const { id = null, author, client = null } = link
  await insertWrite(tx, { at: now, link: id, author, client, endpoint, ids: JSON.stringify(ids) })
}

/** A call that wrote, as the log tells it. */
export interface Write {
  at: string
  /** The ID of the link; absent for whoever ran the program. */
  link?: string
  /** The participant's name, or the link's. */
  author: string
  /** What the client called itself; absent where it said nothing. */
  client?: string
  endpoint: string
  ids: string[]
}

/** The calls that wrote after the number `after`, at most `limit`, and the number of the last. */
export async function readWrites(
  { tx }: Space,
  after: number,
  limit: number,
): Promise<{ writes: Write[]; last: number }> {
  const rows = await writesAfter(tx, after, limit)
  const writes = rows.map(({ at, link, author, client, endpoint, ids }) => {
    const who = { ...(link !== null && { link }), author, ...(client !== null && { client }) }
    return { at: new Date(at).toISOString(), ...who, endpoint, ids: JSON.parse(ids) }
  })
  return { writes, last: rows.at(-1)?.n ?? after }
}
