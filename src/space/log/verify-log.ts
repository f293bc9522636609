/**
 * Verifies the log: that each entry follows the one before, and that what is stored of it is what its hash was made of.
 *
 * Who can write the file can also compute all hashes again. Only heads that were kept elsewhere tell that: see log-heads.ts.
 */
import { auditRowsAfter } from '../../../storage/audit-log.ts'
import {
  beginningOfChain,
  ContentHash,
  callOfChangesAfter,
  differenceHash,
  type Erasure,
  entryHash,
  jsonIn,
  lastCheckpoint,
  readChanges,
  readErasure,
} from '../../../storage/log-chain.ts'
import { approvedDifferences } from '../../../storage/proposals.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import type { Space } from '../model/space.ts'

/** What is wrong, and at which entry. */
export interface LogProblem {
  entry: number
  problem: string
}

export interface LogReport {
  /** How many entries there are, and how many of them are from before there were hashes. */
  entries: number
  unhashed: number
  first?: number
  last?: number
  /** The hash of the last entry. */
  hash?: string
  /** How many entries have lost their changes or names, each named by a later one. */
  erased: number
  problems: LogProblem[]
}

const ROWS_PER_READ = 500
/** Problems that are listed. One change of the chain may break every entry after it. */
const MOST_PROBLEMS = 1_000

/** @param each  receives each entry with its stored hash */
export async function verifyLog(
  space: Pick<Space, 'tx'>,
  each: (entry: { n: number; hash: string | null }) => void = () => {},
): Promise<LogReport> {
  const verification = new Verification(await lastCheckpoint(space.tx), each)
  for (let after = 0; ; ) {
    const rows = await auditRowsAfter(space.tx, after, ROWS_PER_READ)
    const hashes = await contentHashes(space, rows)
    for (const row of rows) verification.check(row, hashes.get(row.n) ?? null)
    await checkDifferences(space, rows, verification)
    const last = rows.at(-1)
    if (rows.length < ROWS_PER_READ || last === undefined) break
    after = last.n
  }
  await verification.end(space)
  return verification.report
}

/** The hashes of the changes that are stored; null for a call without any. */
async function contentHashes(
  { tx }: Pick<Space, 'tx'>,
  rows: readonly AuditRow[],
): Promise<Map<number, string | null>> {
  const hashes = new Map(rows.map(({ n, contentSalt }) => [n, new ContentHash(contentSalt ?? '')]))
  await readChanges(tx, [...hashes.keys()], (change) => hashes.get(change.call)?.add(change))
  return new Map([...hashes].map(([n, hash]) => [n, hash.isEmpty ? null : hash.digest()]))
}

/** Compares the differences that people approved with the proposals, as far as these are stored. */
async function checkDifferences(
  { tx }: Pick<Space, 'tx'>,
  rows: readonly AuditRow[],
  verification: Verification,
): Promise<void> {
  const approved = rows.flatMap((row) => {
    const { difference } = jsonIn(row.detail)
    return typeof difference !== 'string' || !row.contentSalt || row.id === null ? [] : [{ ...row, difference }]
  })
  if (approved.length === 0) return
  const texts = await approvedDifferences(
    tx,
    approved.map(({ id }) => id as number),
  )
  for (const { n, id, contentSalt, difference } of approved) {
    const text = texts.get(id as number)
    if (text !== undefined && differenceHash(contentSalt as string, text) !== difference)
      verification.note(n, 'the difference of its proposal is not the one that was approved')
  }
}

class Verification {
  readonly report: LogReport = { entries: 0, unhashed: 0, erased: 0, problems: [] }
  readonly #checkpoint: Erasure | undefined
  readonly #each: (entry: { n: number; hash: string | null }) => void
  /** Entries that have lost something, which a later one has to name. */
  readonly #unnamed = { content: new Set<number>(), names: new Set<number>() }
  /** Entries that have lost something, which a later one names. */
  readonly #erased = new Set<number>()
  /** The entry before, and its hash. */
  #last: { n: number; hash: string | null } | undefined
  #isHashed = false

  constructor(checkpoint: Erasure | undefined, each: (entry: { n: number; hash: string | null }) => void) {
    this.#checkpoint = checkpoint
    this.#each = each
  }

  note(entry: number, problem: string): void {
    if (this.report.problems.length < MOST_PROBLEMS) this.report.problems.push({ entry, problem })
  }

  check(row: AuditRow, content: string | null): void {
    const { n, hash } = row
    this.report.entries++
    this.report.first ??= n
    this.report.last = n
    this.#each({ n, hash })
    const before = this.#last
    this.#last = { n, hash }
    const isGap = before !== undefined && n !== before.n + 1
    if (isGap) this.note(n, missing(before.n + 1, n - 1))
    if (hash === null && !this.#isHashed) {
      this.report.unhashed++
      return
    }
    const isFirst = !this.#isHashed
    this.#isHashed = true
    if (hash === null || hash === '') {
      this.note(n, 'it has no hash: it was not written by the program')
      return
    }
    this.report.hash = hash
    if (!isGap) this.#checkHash(row, isFirst ? this.#beginning(row, before) : (before?.hash ?? ''))
    this.#checkContent(row, content)
    this.#checkNames(row)
    this.#strike(readErasure(row))
  }

  /** What the first entry with a hash follows. */
  #beginning({ n }: AuditRow, before: { n: number } | undefined): string {
    const { through, hash } = this.#checkpoint ?? {}
    const isAfterRemoved = before === undefined && through === n - 1
    return (isAfterRemoved ? hash : undefined) ?? beginningOfChain(n)
  }

  #checkHash(row: AuditRow, previous: string): void {
    if (row.namesHash === null && row.namesSalt === null) {
      this.note(row.n, 'the salt of its names is missing')
    } else if (entryHash(previous, row) !== row.hash) {
      const isFirst = this.report.entries === this.report.unhashed + 1
      this.note(
        row.n,
        isFirst
          ? 'what it says is not what was written, or entries before it are missing'
          : 'what it says is not what was written, or it does not follow the entry before',
      )
    }
  }

  #checkContent({ n, contentHash, contentSalt }: AuditRow, content: string | null): void {
    if (contentSalt) {
      if (content !== contentHash) this.note(n, 'its changes are not those that were stored with it')
    } else if (contentHash !== null) this.#unnamed.content.add(n)
    else if (content !== null) this.note(n, 'it has changes that were not stored with it')
  }

  #checkNames({ n, namesHash }: AuditRow): void {
    if (namesHash !== null) this.#unnamed.names.add(n)
  }

  /** An entry names what others have lost. */
  #strike({ content = [], names = [] }: Erasure): void {
    for (const [ranges, unnamed] of [
      [content, this.#unnamed.content],
      [names, this.#unnamed.names],
    ] as const) {
      for (const n of unnamed) {
        if (!ranges.some(([from, to]) => n >= from && n <= to)) continue
        unnamed.delete(n)
        this.#erased.add(n)
        this.report.erased = this.#erased.size
      }
    }
  }

  async end({ tx }: Pick<Space, 'tx'>): Promise<void> {
    const { last = 0 } = this.report
    for (const n of this.#unnamed.content)
      this.note(n, 'its changes are gone, and no later entry says that they were erased')
    for (const n of this.#unnamed.names)
      this.note(n, 'its names are gone, and no later entry says that they were erased')
    const unlogged = await callOfChangesAfter(tx, last)
    if (unlogged !== undefined) this.note(unlogged, 'rows were changed after the last entry, without a call')
    this.report.problems.sort((one, other) => one.entry - other.entry)
  }
}

const missing = (from: number, to: number): string =>
  from === to ? `entry ${from} before it is missing` : `entries ${from} to ${to} before it are missing`
