/**
 * The unanswered calls of this page, in memory: a page that is being closed cannot wait for what its browser stores.
 * What it has not stored yet it then writes to localStorage, which does not wait, and another page adds it to the queue.
 */
import { isObject } from '../../../base/is-object.ts'
import { databaseName } from '../session-name.ts'
import { type LastCall, lastBody } from './call-transport.ts'
import { idsIn, isName } from './placeholders.ts'
import type { QueuedCall } from './queued-call.ts'

/** Bytes that browsers send for a page after it was closed. */
export const LAST_BYTES = 64 * 1024

/** A call that may not have a position in the order yet. */
export type OwnCall = Omit<QueuedCall, 'order'> & { order?: number }

interface Entry {
  call: OwnCall
  /** True if the browser has stored this version of the call. */
  isStored: boolean
}

/** What {@link OwnCalls.atLast} finds. */
export interface Last {
  /** To be sent, in order. */
  calls: LastCall[]
  /** To be kept by other means, since they are not stored. */
  unstored: OwnCall[]
}

export class OwnCalls {
  /** By idempotency key. */
  readonly #entries = new Map<string, Entry>()
  /** IDs of placeholders that calls of this page have created. */
  readonly #ids = new Map<string, string>()
  /** The IDs in the history of calls that were answered. */
  readonly #answered = new Set<string>()

  add(call: OwnCall): void {
    this.#entries.set(call.key, { call, isStored: false })
  }

  /** @param version  the stored version, unless there is a newer one */
  stored(version: OwnCall, order: number): void {
    const entry = this.#entries.get(version.key)
    if (entry === undefined) return
    entry.isStored ||= entry.call === version
    entry.call = { ...entry.call, order }
  }

  remove({ key }: OwnCall): void {
    this.#entries.delete(key)
  }

  /** @param callId  its ID in the history */
  wasAnswered(callId: string): boolean {
    return this.#answered.has(callId)
  }

  /** Replaces a call by another version of it. */
  replace(call: QueuedCall): void {
    const entry = this.#entries.get(call.key)
    if (entry !== undefined) Object.assign(entry, { call, isStored: false })
  }

  /** True once a call was sent, so that it must not change. */
  isSent(order: number): boolean {
    return this.#find(order)?.call.isSent === true
  }

  /** @param answer  undefined if the call was refused */
  answered(order: number, answer: unknown): void {
    const found = this.#find(order)
    if (found === undefined) return
    for (const [name, id] of idsIn(answer, found.call.names)) this.#ids.set(name, id)
    const { callId } = (answer ?? {}) as { callId?: string }
    if (callId !== undefined) this.#answered.add(callId)
    this.#entries.delete(found.call.key)
  }

  /**
   * Selects what a page that is being closed sends: the calls of each document in their order, as long as they fit.
   * They count as sent from then on.
   *
   * @param drafts  what was typed last, which is stored elsewhere
   */
  atLast(drafts: readonly OwnCall[]): Last {
    const entries = [...this.#entries.values()]
    const queued = entries.map(({ call }) => call).sort(byOrder)
    // What was typed last may have been queued since.
    const given = [...queued, ...drafts.filter((draft) => !queued.some((call) => isSameCall(call, draft)))]
    const ids = new Map(this.#ids)
    const stopped = new Set<string>()
    const calls: LastCall[] = []
    let left = LAST_BYTES - lastBody([]).length
    for (const call of given) {
      if (stopped.has(call.document)) continue
      const sent = sendable(call, ids)
      // A comma stands between two calls.
      const size = sent === undefined ? Number.POSITIVE_INFINITY : byteLength(JSON.stringify(sent)) + 1
      if (sent === undefined || size > left) {
        stopped.add(call.document)
        continue
      }
      left -= size
      calls.push(sent)
      for (const name of Object.keys(call.names ?? {})) if (!ids.has(name)) ids.set(name, name)
      const entry = this.#entries.get(call.key)
      if (entry !== undefined) entry.call = { ...entry.call, isSent: true }
    }
    return { calls, unstored: entries.filter(({ isStored }) => !isStored).map(({ call }) => call) }
  }

  #find(order: number): Entry | undefined {
    return [...this.#entries.values()].find(({ call }) => call.order === order)
  }
}

/** Calls without an order were added last. */
const byOrder = (one: OwnCall, other: OwnCall): number =>
  (one.order ?? Number.MAX_SAFE_INTEGER) - (other.order ?? Number.MAX_SAFE_INTEGER)

/**
 * A call as it can be sent last: with the IDs that are known. The server replaces placeholders of calls before it.
 *
 * @returns undefined for files and forms, and for a call with placeholders that nothing before it creates
 */
function sendable(
  { key, tool, arguments: input, suggest, names, file, form }: OwnCall,
  ids: ReadonlyMap<string, string>,
): LastCall | undefined {
  if (file !== undefined || form !== undefined) return undefined
  let isKnown = true
  const known = JSON.parse(JSON.stringify({ arguments: input, suggest }), (_key, value) => {
    if (typeof value !== 'string' || !isName(value)) return value
    isKnown &&= ids.has(value)
    return ids.get(value) ?? value
  }) as Pick<OwnCall, 'arguments' | 'suggest'>
  return isKnown ? { key, tool, ...known, ...(names !== undefined && { names }) } : undefined
}

/** Compares what two calls do. */
export const isSameCall = (
  one: Pick<OwnCall, 'tool' | 'arguments'>,
  other: Pick<OwnCall, 'tool' | 'arguments'>,
): boolean => one.tool === other.tool && canonical(one.arguments) === canonical(other.arguments)

/** JSON with sorted keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )

const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** The key under which a tab leaves calls. */
const leftKey = (base: string, session: string, tab: string): string => `${databaseName(base, session)} last ${tab}`

/**
 * Leaves calls in localStorage. Files are not kept there.
 *
 * @throws QuotaExceededError if there is no room
 */
export function leaveCalls(base: string, session: string, tab: string, calls: readonly OwnCall[]): void {
  const kept = calls.filter(({ file }) => file === undefined)
  if (kept.length > 0) localStorage.setItem(leftKey(base, session, tab), JSON.stringify(kept))
}

/** What tabs have left: the key, the tab, and the calls. */
export interface LeftCalls {
  key: string
  tab: string
  calls: OwnCall[]
}

export function callsLeft(base: string, session: string): LeftCalls[] {
  const start = leftKey(base, session, '')
  return Object.keys(localStorage).flatMap((key) => {
    const text = key.startsWith(start) ? localStorage.getItem(key) : null
    return text === null ? [] : [{ key, tab: key.slice(start.length), calls: JSON.parse(text) as OwnCall[] }]
  })
}

export function clearCallsLeft(base: string, session: string): void {
  for (const { key } of callsLeft(base, session)) localStorage.removeItem(key)
}
