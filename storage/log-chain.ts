/**
 * The log cannot be changed unseen: each entry has a hash over the entry before it and over what it says and did. They
 * are made last in the transaction that made the entries, whatever wrote them: before each COMMIT of a write, in both engines.
 *
 * What may have to be erased is not hashed itself. The changes of a call and the names of people each have a random salt,
 * and the entry has the hash of both. Erasing them erases the salt, so that a short text cannot be found by trying, and
 * the chain stays. A later entry names what lost its content: without one, it was not the program that erased it.
 */
import { hash, randomFillSync } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { isObject } from '../src/base/is-object.ts'
import { yieldToEventLoop } from '../src/base/scheduling.ts'
import { deleteAuditRowsBefore, insertAuditRow } from './audit-log.ts'
import { type AuditRow, writeLog } from './schema.ts'
import { columnsOf, integer, jsonList, listOf, param, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The columns of a change that the hash of a call covers. How much it counts, and for whom, is none of them. */
export interface HashedChange {
  n: number
  call: number
  tbl: string
  kind: string
  row: number
  last: number | null
  rest: string | null
  document: number | null
  before: string | null
}

/** What entries have lost. Ranges of numbers, both ends included. */
export interface Erasure {
  /** Entries whose changes were erased. */
  content?: readonly (readonly [number, number])[]
  /** Entries whose names were erased. */
  names?: readonly (readonly [number, number])[]
  /** The last entry that retention removed, and its hash; null if it had none. */
  through?: number
  hash?: string | null
}

const sha256 = (text: string): string => hash('sha256', text)

const SALT_BYTES = 32
/** Random bytes for some salts: asking the operating system for each would take longer than all the hashes. */
const saltBytes = Buffer.alloc(128 * SALT_BYTES)
let usedSaltBytes = saltBytes.length

export function newSalt(): string {
  if (usedSaltBytes === saltBytes.length) {
    randomFillSync(saltBytes)
    usedSaltBytes = 0
  }
  const salt = saltBytes.toString('hex', usedSaltBytes, usedSaltBytes + SALT_BYTES)
  // A salt is used once, and is nowhere but in its entry.
  saltBytes.fill(0, usedSaltBytes, usedSaltBytes + SALT_BYTES)
  usedSaltBytes += SALT_BYTES
  return salt
}

/** What the first entry of a chain follows. @param n  its number */
export const beginningOfChain = (n: number): string => sha256(JSON.stringify(['scriptorium log', n]))

/** Hashes the changes of a call, which are given in order: each hash is over the one before and the next change. */
export class ContentHash {
  #hash: string
  isEmpty = true

  constructor(salt: string) {
    this.#hash = salt
  }

  add({ tbl, kind, row, last, rest, document, before }: HashedChange): void {
    this.isEmpty = false
    this.#hash = sha256(JSON.stringify([this.#hash, tbl, kind, row, last, rest, document, before]))
  }

  digest(): string {
    return this.#hash
  }
}

export const namesHashOf = ({ namesSalt, author, client, approvedBy, origin, detail }: AuditRow): string =>
  sha256(JSON.stringify([namesSalt, author, client, approvedBy, origin, detail]))

/** The hash of a text that somebody approved. @param salt  that of the content of the entry */
export const differenceHash = (salt: string, difference: string): string => sha256(JSON.stringify([salt, difference]))

/** @param previous  the hash of the entry before */
export function entryHash(previous: string, row: AuditRow): string {
  const { n, at, link, endpoint, ids, id, connection, undoes, erased, contentHash } = row
  const names = row.namesHash ?? namesHashOf(row)
  return sha256(
    JSON.stringify([previous, n, at, link, endpoint, ids, id, connection, undoes, erased, names, contentHash]),
  )
}

type Unsealed = AuditRow & { previous: string | null }

/**
 * Entries after the last one with a hash, and those whose content was erased, in one statement. The last entry is found
 * from the end: an index of the few entries without a hash would be one more page that each write changes.
 */
const UNSEALED = statement<Unsealed>(
  () => sql`SELECT ${columnsOf(writeLog)}, sealed.hash AS previous
    FROM write_log LEFT JOIN write_log AS sealed ON sealed.n = ${LAST_SEALED_NUMBER}
    WHERE write_log.n IN (SELECT n FROM write_log WHERE n > coalesce(${LAST_SEALED_NUMBER}, 0)
      UNION ALL SELECT n FROM write_log WHERE content_salt = '') ORDER BY write_log.n`,
)
const LAST_SEALED_NUMBER = sql.raw(`(SELECT n FROM write_log WHERE hash IS NULL OR hash <> '' ORDER BY n DESC LIMIT 1)`)
/** Others have their turn between two reads. */
const CHANGES_PER_READ = 200
const CHANGES = statement<HashedChange>(
  (dialect) => sql`SELECT n, call, tbl, kind, "row", last, rest, document, before FROM change
    WHERE call IN ${listOf(dialect, 'calls', 'integer')} AND (call, n) > (${integer('call')}, ${integer('n')})
    ORDER BY call, n LIMIT ${integer('limit')}`,
)
const SEAL = statement(
  () => sql`UPDATE write_log SET hash = ${param('hash')}, content_hash = ${param('contentHash')},
      content_salt = ${param('contentSalt')}, names_salt = ${param('namesSalt')}
    WHERE n = ${integer('n')}`,
)

const NEW_CHANGES = statement<HashedChange>(
  () => sql`SELECT n, call, tbl, kind, "row", last, rest, document, before FROM change
    WHERE call > coalesce(${LAST_SEALED_NUMBER}, 0) ORDER BY call, n LIMIT ${integer('limit')}`,
)

/**
 * Gives each new entry its hashes. Runs last in each transaction that writes.
 *
 * @returns the writing of them, which a database need not wait for before COMMIT is sent
 */
export async function sealEntries(tx: Transaction): Promise<{ sealing?: Promise<unknown> }> {
  const limit = CHANGES_PER_READ
  const [found, changes] = await Promise.all([tx.all(UNSEALED), tx.all(NEW_CHANGES, { limit })])
  if (found.length === 0) return {}
  const unnamed = found.filter(({ contentSalt }) => contentSalt === '')
  const rows = unnamed.length === 0 ? found : await nameErased(tx, unnamed)
  const hashes = new Map(rows.map(({ n, contentSalt }) => [n, new SaltedContent(contentSalt)]))
  const add = (change: HashedChange) => hashes.get(change.call)?.hash.add(change)
  for (const change of changes) add(change)
  const last = changes.at(-1)
  if (changes.length === limit && last !== undefined) {
    await yieldToEventLoop()
    await readChanges(tx, [...hashes.keys()], add, last)
  }
  let previous = rows[0]?.previous ?? undefined
  const sealed = rows.map((row) => {
    const { salt, hash, isGiven } = hashes.get(row.n) as SaltedContent
    const contentHash = hash.isEmpty ? null : hash.digest()
    const contentSalt = hash.isEmpty && !isGiven ? null : salt
    const entry = { ...row, contentHash, contentSalt, namesSalt: newSalt() }
    previous = entryHash(previous ?? beginningOfChain(row.n), entry)
    return { n: row.n, hash: previous, contentHash, contentSalt, namesSalt: entry.namesSalt }
  })
  return { sealing: tx.batch(SEAL, sealed) }
}

class SaltedContent {
  readonly isGiven: boolean
  readonly salt: string
  readonly hash: ContentHash

  constructor(given: string | null) {
    this.isGiven = given !== null
    this.salt = given ?? newSalt()
    this.hash = new ContentHash(this.salt)
  }
}

/** Reads the changes of calls in order. */
export async function readChanges(
  tx: Transaction,
  calls: readonly number[],
  each: (change: HashedChange) => void,
  from: Pick<HashedChange, 'call' | 'n'> = { call: 0, n: 0 },
): Promise<void> {
  const limit = CHANGES_PER_READ
  for (let after = from; ; ) {
    const { call, n } = after
    const changes = await tx.all(CHANGES, { calls: jsonList(calls), call, n, limit })
    for (const change of changes) each(change)
    const last = changes.at(-1)
    if (changes.length < limit || last === undefined) return
    after = last
    await yieldToEventLoop()
  }
}

const NAMED = statement(() => sql`UPDATE write_log SET content_salt = NULL WHERE content_salt = ''`)
const LAST_AT = statement<{ at: number }>(() => sql`SELECT at FROM write_log ORDER BY n DESC LIMIT 1`)

/** Adds an entry that names the entries whose content is being erased. @returns all entries without hashes */
async function nameErased(tx: Transaction, unnamed: readonly { n: number }[]): Promise<Unsealed[]> {
  // The time of the entry before: what erases by age runs by a clock of its own.
  const { at = 0 } = (await tx.get(LAST_AT)) ?? {}
  await addErasure(tx, at, 'history_erase', { content: rangesOf(unnamed.map(({ n }) => n)) })
  await tx.run(NAMED)
  return tx.all(UNSEALED)
}

/** Adds an entry that names what the program has erased. */
export async function addErasure(tx: Transaction, at: number, endpoint: string, erased: Erasure): Promise<void> {
  const who = { at, link: null, author: 'scriptorium', client: null }
  await insertAuditRow(tx, { ...who, endpoint, ids: '[]', erased: JSON.stringify(erased) })
}

/** Numbers in order, as ranges. */
export function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const n of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && n === last[1] + 1) last[1] = n
    else ranges.push([n, n])
  }
  return ranges
}

/** What an entry names as erased; nothing if it was tampered with, which its hash tells. */
export function readErasure({ erased }: Pick<AuditRow, 'erased'>): Erasure {
  const { content, names, through, hash } = jsonIn(erased)
  return {
    ...{ content: rangesIn(content), names: rangesIn(names) },
    ...(typeof through === 'number' && { through }),
    ...((typeof hash === 'string' || hash === null) && { hash }),
  }
}

const rangesIn = (value: unknown): [number, number][] =>
  Array.isArray(value)
    ? value.filter((one) => Array.isArray(one) && one.length === 2 && one.every(Number.isInteger))
    : []

/** The object in a column of an entry; an empty one for none, and for text that the program has not written. */
export function jsonIn(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const HAS_SALT = sql.raw(`content_salt <> ''`)
const ERASE_UP_TO = statement(
  () => sql`UPDATE write_log SET content_salt = '' WHERE ${HAS_SALT} AND n <= ${integer('last')}
    AND n > (SELECT forgotten FROM call_start)`,
)
const ERASE_LISTED = statement(
  (dialect) =>
    sql`UPDATE write_log SET content_salt = '' WHERE ${HAS_SALT} AND n IN ${listOf(dialect, 'calls', 'integer')}`,
)
const ERASE_OF_DOCUMENTS = statement(
  (dialect) => sql`UPDATE write_log SET content_salt = '' WHERE ${HAS_SALT} AND n IN (
    SELECT call FROM change WHERE document IN ${listOf(dialect, 'documents', 'integer')})`,
)

/** Erases the salts of calls whose changes are about to be erased; an entry will name them. */
export const eraseContentUpTo = (tx: Transaction, last: number): Promise<number> => tx.run(ERASE_UP_TO, { last })
/** @param calls  their numbers, as a JSON array */
export const eraseContentOf = (tx: Transaction, calls: string): Promise<number> => tx.run(ERASE_LISTED, { calls })
/** @param documents  their numbers, as a JSON array: of all calls that changed one of them */
export const eraseContentOfDocuments = (tx: Transaction, documents: string): Promise<number> =>
  tx.run(ERASE_OF_DOCUMENTS, { documents })

const CHECKPOINT = statement<{ erased: string }>(
  () => sql`SELECT erased FROM write_log WHERE endpoint = 'log_expire' AND erased IS NOT NULL ORDER BY n DESC LIMIT 1`,
)

/** What the last entry of retention says: which entries were removed, and the hash of the last of them. */
export async function lastCheckpoint(tx: Transaction): Promise<Erasure | undefined> {
  const found = await tx.get(CHECKPOINT)
  return found && readErasure(found)
}

const LAST_SEALED = statement<{ n: number; at: number; hash: string }>(
  () => sql`SELECT n, at, hash FROM write_log WHERE hash <> '' ORDER BY n DESC LIMIT 1`,
)

/** The last entry with a hash; undefined if none has one. */
export const lastSealedEntry = (tx: Transaction): Promise<{ n: number; at: number; hash: string } | undefined> =>
  tx.get(LAST_SEALED)

const UNLOGGED = statement<{ call: number | null }>(
  () => sql`SELECT min(call) AS call FROM change WHERE call > ${integer('last')}`,
)

/** The number of a call that is not in the log, and has changes; undefined if there is none. @param last  in the log */
export const callOfChangesAfter = async (tx: Transaction, last: number): Promise<number | undefined> =>
  (await tx.get(UNLOGGED, { last }))?.call ?? undefined

/**
 * Deletes up to `limit` of the oldest entries, if they are from before a time. Another entry says which.
 *
 * @returns false if none is that old
 */
export async function expireEntries(
  tx: Transaction,
  { now, before, limit }: { now: number; before: number; limit: number },
): Promise<boolean> {
  const removed = await deleteAuditRowsBefore(tx, before, limit)
  if (removed !== undefined) await addErasure(tx, now, 'log_expire', removed)
  return removed !== undefined
}
