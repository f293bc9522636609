/** Idempotent retries: a repeated call with the same key returns the first response and writes nothing. */
import { createHash } from 'node:crypto'
import { auditRowsByNumbers } from '../../storage/audit-log.ts'
import { expiryTime } from '../../storage/expiry.ts'
import type { StoredResponseRow } from '../../storage/schema.ts'
import {
  deleteStoredResponsesBefore,
  ERASED_RESPONSE,
  hasStoredResponsesBefore,
  insertStoredResponse,
  storedResponseByKey,
} from '../../storage/stored-responses.ts'
import { invalid, ScriptoriumError } from '../base/errors.ts'
import { IDEMPOTENCY_KEY_LENGTH, IDEMPOTENCY_KEY_SECONDS } from '../base/limits.ts'
import { runCooperatively } from '../base/scheduling.ts'
import type { Steps } from '../base/work-steps.ts'
import { undoneBy } from '../space/history/undone-calls.ts'
import { callerKey } from '../space/model/caller-key.ts'
import type { Space } from '../space/model/space.ts'
import { proposalsAmong } from '../space/proposals/proposal.ts'

/** A call with an idempotency key. */
export interface IdempotentCall {
  key: string
  /** A hash that is the same for equal calls. */
  fingerprint: string
  /** The arguments of the call. */
  input: unknown
}

/** @throws VALIDATION_ERROR for a key that is empty or too long */
export async function createIdempotentCall(key: string, endpoint: string, input: unknown): Promise<IdempotentCall> {
  if (key === '' || key.length > IDEMPOTENCY_KEY_LENGTH) {
    throw invalid(
      `Expected an idempotency key of 1 to ${IDEMPOTENCY_KEY_LENGTH} characters, found ${key.length}; a UUID for every call will do.`,
    )
  }
  return { key, fingerprint: await runCooperatively(hashCall(endpoint, input)), input }
}

/** SHA-256 of a call. The order of object keys does not matter. */
function* hashCall(endpoint: string, given: unknown): Steps<string> {
  const hash = createHash('sha256')
  let text = ''
  for (const piece of canonicalJson([endpoint, given])) {
    text += piece
    if (text.length < CHARACTERS_PER_STEP) continue
    hash.update(text)
    text = ''
    yield
  }
  return hash.update(text).digest('hex')
}

/** Characters to hash before yielding. */
const CHARACTERS_PER_STEP = 16_384

/** Serializes a value in pieces, with sorted object keys. It is JSON except for trailing commas. */
export function* canonicalJson(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* canonicalJson(item)
    }
    yield value.length === 0 ? '[]' : ']'
  } else {
    const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
    yield '{'
    for (const [key, inner] of fields.sort(([one], [other]) => (one < other ? -1 : 1))) {
      yield `${JSON.stringify(key)}:`
      yield* canonicalJson(inner)
      yield ','
    }
    yield '}'
  }
}

/** Reports whether a call with this key was carried out before. */
export async function hasReplay(space: Space, { key }: Pick<IdempotentCall, 'key'>): Promise<boolean> {
  return (await findStored(space, key)) !== undefined
}

/**
 * Returns the stored response of this call, if it was carried out before. The caller must still have the same reach:
 * the link and its exposed documents must be unchanged, and every block and proposal that the call or its response
 * names must still be within reach.
 * @throws CONFLICT if the key belongs to a different call, or the reach has changed
 */
export async function findReplay(
  space: Space,
  { key, fingerprint, input }: IdempotentCall,
): Promise<object | undefined> {
  const stored = await findStored(space, key)
  if (stored === undefined) return undefined
  const storedCall = parseStoredCall(stored.call)
  if (storedCall.call !== fingerprint) {
    throw new ScriptoriumError(
      'CONFLICT',
      `Expected the call that came with the idempotency key "${key}" before, found another; nothing was written, give every call a key of its own.`,
    )
  }
  if (stored.answer === ERASED_RESPONSE) {
    throw new ScriptoriumError(
      'CONFLICT',
      `Expected the answer to the call with the idempotency key "${key}", found that it was erased when something was deleted for good; the call was carried out then and nothing was written now, read what is there.`,
    )
  }
  const answer = JSON.parse(stored.answer) as object
  // Skip IDs that were out of reach at that time, hidden or missing: the response must not reveal whether they exist.
  const reachedIds = collectIds([input, answer]).filter((id) => !storedCall.unreached.has(id))
  const numbers = await space.readIds(reachedIds)
  const isHidden = await hasHidden(space, [...numbers.values()])
  if (storedCall.reach === (await reachFingerprint(space)) && !isHidden) {
    await assertNotUndone(space, key, stored.number)
    return answer
  }
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected to reach what the call with the idempotency key "${key}" reached when it was first used, found that this has changed; the call was carried out then, and nothing was written now. Read the current state.`,
  )
}

/** @throws CONFLICT for a call that was undone */
async function assertNotUndone(space: Space, key: string, call: number | null): Promise<void> {
  const by = call === null ? undefined : (await undoneBy(space, call)).get(call)
  if (by === undefined) return
  const [undoing] = await auditRowsByNumbers(space.tx, [by])
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected a call that still stands with the idempotency key "${key}", found that it was carried out and taken back since, by call ${space.spellId(undoing?.id ?? 0)}; nothing was written now, send the call with another key to carry it out again.`,
  )
}

/**
 * Stores the response of a call in the same transaction as its writes.
 * @param number  of the call in the audit log; absent for a call that waits for approval
 */
export async function storeResponse(
  space: Space,
  { key, fingerprint, input }: IdempotentCall,
  answer: object,
  number?: number,
): Promise<void> {
  const namedIds = collectIds([input, answer])
  const unreached = space.kind === 'full' ? [] : await unreachedIds(space, namedIds)
  const storedCall = [fingerprint, await reachFingerprint(space), JSON.stringify(unreached)].join(' ')
  const row = {
    link: callerKey(space.link),
    key,
    call: storedCall,
    answer: JSON.stringify(answer),
    createdAt: space.now,
    number: number ?? null,
  }
  if (await hasStoredResponsesBefore(space.tx, space.now - KEY_MS))
    await deleteStoredResponsesBefore(space.tx, await expiryTime(space.tx, space.now, KEY_MS))
  await insertStoredResponse(space.tx, row)
}

/** How long a key is known, in milliseconds. A clock that is ahead must not carry out a call twice: see expiryTime. */
const KEY_MS = IDEMPOTENCY_KEY_SECONDS * 1000

async function findStored({ tx, now, link }: Space, key: string): Promise<StoredResponseRow | undefined> {
  const stored = await storedResponseByKey(tx, callerKey(link), key)
  if (stored === undefined || stored.createdAt > now - KEY_MS) return stored
  return stored.createdAt > (await expiryTime(tx, now, KEY_MS)) ? stored : undefined
}

/** True if any of the IDs is a block out of reach, or a proposal that the connection may not see. */
async function hasHidden(space: Space, ids: readonly number[]): Promise<boolean> {
  if (space.kind === 'full') return false
  return (await space.hasBlocksOutOfReach(ids)) || (await proposalsAmong(space, ids)).hidden.length > 0
}

/** Returns the texts that are neither the ID of a block within reach nor of a visible proposal. */
async function unreachedIds(space: Space, texts: readonly string[]): Promise<string[]> {
  const numbers = await space.readIds(texts)
  const ids = [...new Set(numbers.values())]
  const blocks = await space.findReachableBlocks(ids)
  const reached = new Set([...blocks.map(({ id }) => id), ...(await proposalsAmong(space, ids)).seen])
  return texts.filter((text) => !reached.has(numbers.get(text) ?? 0))
}

/** Parses a stored call: its fingerprint, the fingerprint of the caller's reach, and the IDs that were out of reach. */
function parseStoredCall(text: string): { call: string; reach: string | undefined; unreached: ReadonlySet<string> } {
  const [call = '', reach, ...unreached] = text.split(' ')
  return { call, reach, unreached: new Set(JSON.parse(unreached.join(' ') || '[]') as string[]) }
}

/** SHA-256 of what the connection may reach and do now. */
async function reachFingerprint(space: Space): Promise<string> {
  const { kind, access, documents } = space.link
  const reached: number[] = []
  for (const n of sortNumbers(documents)) if (await space.canReachDocument(n)) reached.push(n)
  return createHash('sha256')
    .update(JSON.stringify([kind, access, reached]))
    .digest('hex')
}

/**
 * Collects possible IDs from arguments and responses: strings in lists, and under keys such as `id`, `pageId` and
 * `blockIds`.
 */
function collectIds(value: unknown): string[] {
  const ids = new Set<string>()
  const stack: unknown[] = [value]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const isList = Array.isArray(next)
    for (const [key, inner] of Object.entries(next)) {
      if (typeof inner === 'object') stack.push(inner)
      else if (typeof inner === 'string' && inner.length <= ID_LENGTH && (isList || ID_KEY.test(key))) {
        ids.add(inner.toLowerCase())
      }
    }
  }
  return [...ids]
}

const ID_KEY = /^id$|Id$/
/** Maximum length of an ID in calls. */
const ID_LENGTH = 100

const sortNumbers = (numbers: Iterable<number>): number[] => [...numbers].sort((one, other) => one - other)
