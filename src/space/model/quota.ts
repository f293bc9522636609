/** Quotas: how many bytes a space may store, and how many of them each link may have written. */
import { byteCountsOf, sumOfBytes } from '../../../storage/byte-counts.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { formatBytes } from '../../base/byte-sizes.ts'
import { ScriptoriumError } from '../../base/errors.ts'

export { type ByteCounts, sumOfBytes } from '../../../storage/byte-counts.ts'

/** Maximum numbers of bytes. Absent for no limit. */
export interface Quotas {
  /** Of the documents, history and files of the space. */
  space?: number
  /** Of what one link wrote and is still stored. */
  link?: number
}

/**
 * Checks the quotas at the end of a transaction. No one else writes until it is committed, so that a transaction that
 * passes keeps them.
 */
export class QuotaCheck {
  readonly #quotas: Quotas
  /** The links whose calls add something; `undefined` for the operator. */
  readonly #adding = new Set<string | undefined>()
  #isExempt = false

  constructor(quotas: Quotas) {
    this.#quotas = quotas
  }

  /** Notes that the transaction adds something. @param link  the ID of the link that is charged for it */
  noteAddition(link: string | undefined): void {
    this.#adding.add(link)
  }

  /** For calls that delete or undo: they are carried out in a full space, too. */
  exempt(): void {
    this.#isExempt = true
  }

  /**
   * @returns true if a quota is exceeded, by a transaction that may do so
   * @throws QUOTA_EXCEEDED
   */
  async isExceeded(tx: Transaction): Promise<boolean> {
    for (const link of this.#adding) {
      const exceeded = findExceeded(await remainingBytes(tx, this.#quotas, link), 0)
      if (exceeded === undefined) continue
      if (!this.#isExempt) throw quotaExceeded(this.#quotas, exceeded)
      return true
    }
    return false
  }
}

/** What can still be added before a quota is used up. More may be added meanwhile: each transaction checks again. */
export interface Room {
  /** @throws QUOTA_EXCEEDED if there is no room for so many bytes */
  assertHas(bytes: number): void
}

/** @param link  the ID of the link that would add something */
export async function roomFor(tx: Transaction, quotas: Quotas, link: string | undefined): Promise<Room> {
  const remaining = await remainingBytes(tx, quotas, link)
  return {
    assertHas(bytes) {
      const exceeded = findExceeded(remaining, bytes)
      if (exceeded !== undefined) throw quotaExceeded(quotas, exceeded)
    },
  }
}

/** By quota: negative once it is exceeded, infinite without a limit. */
type Remaining = Record<keyof Quotas, number>

async function remainingBytes(tx: Transaction, quotas: Quotas, link: string | undefined): Promise<Remaining> {
  const counts = await byteCountsOf(tx, link)
  return {
    space: (quotas.space ?? Infinity) - sumOfBytes(counts.space),
    link: link === undefined ? Infinity : (quotas.link ?? Infinity) - sumOfBytes(counts.link),
  }
}

/** The quota that has no room for further bytes, if any. */
const findExceeded = ({ space, link }: Remaining, bytes: number): keyof Quotas | undefined =>
  space < bytes ? 'space' : link < bytes ? 'link' : undefined

const WHAT_IS_FULL: Record<keyof Quotas, string> = { space: 'the space to stay', link: 'what this link wrote to stay' }
const FLAG: Record<keyof Quotas, string> = { space: '--quota', link: '--link-quota' }

/** The error does not say how much is stored, since part of it may be hidden from the caller. */
function quotaExceeded(quotas: Quotas, exceeded: keyof Quotas): ScriptoriumError {
  const size = formatBytes(quotas[exceeded] ?? 0)
  return new ScriptoriumError(
    'QUOTA_EXCEEDED',
    `Expected ${WHAT_IS_FULL[exceeded]} within its quota of ${size}, found no room for this call; nothing was written. Deleting and undo still work, but what was deleted counts as long as its history is kept: ask the person who runs the server to free space (\`scriptorium trash empty\`, \`scriptorium history forget\`) or to raise ${FLAG[exceeded]}.`,
  )
}
