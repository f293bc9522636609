/**
 * How much work happens between two points at which long work lets other calls in. Units are counted, such as fields that
 * are read and rows of the database: unlike milliseconds, these counts are the same on every machine and in every run.
 */
import { vi } from 'vitest'
import { observeCheckpoints } from '../../src/base/scheduling.ts'
import { Connection } from '../../storage/sqlite/connection.ts'
import type { Statement } from '../../storage/statement.ts'

let unitsDone = 0

/**
 * Returns the most units that are done between two points at which `work` may yield, or does: reads of `counted` inputs,
 * and what else adds to them.
 */
export async function longestRun(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = unitsDone
  const note = () => {
    longest = Math.max(longest, unitsDone - last)
    last = unitsDone
  }
  let isRunning = true
  const noteTurn = () => {
    note()
    if (isRunning) setImmediate(noteTurn)
  }
  observeCheckpoints(note)
  setImmediate(noteTurn)
  try {
    await work()
  } finally {
    isRunning = false
    note()
    observeCheckpoints(undefined)
  }
  return longest
}

/** The same in values of rows that are read, and rows that are written; and how many these are in all. */
export async function longestRunOfValues(work: () => Promise<unknown>): Promise<{ longest: number; all: number }> {
  const before = unitsDone
  const { all, run, batch } = Connection.prototype
  const spies = [
    vi.spyOn(Connection.prototype, 'all').mockImplementation(async function (this: Connection, ...args) {
      const rows = await all.apply(this, args)
      unitsDone += rows.length * Object.keys(rows[0] ?? {}).length
      return rows
    } as typeof all),
    vi.spyOn(Connection.prototype, 'run').mockImplementation(async function (this: Connection, ...args) {
      const rows = await run.apply(this, args)
      unitsDone += rows
      return rows
    }),
    vi.spyOn(Connection.prototype, 'batch').mockImplementation(async function (this: Connection, statement, rows) {
      unitsDone += rows.length * Object.keys(rows[0] ?? {}).length
      return batch.call(this, statement as Statement, rows)
    }),
  ]
  try {
    const longest = await longestRun(work)
    return { longest, all: unitsDone - before }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** A copy of a JSON value whose fields and entries are counted as they are read. */
export function counted<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value) ? [] : {}
  for (const [key, field] of Object.entries(value)) {
    const inner = counted(field)
    const get = () => {
      unitsDone++
      return inner
    }
    Object.defineProperty(copy, key, { get, enumerable: true, configurable: true })
  }
  return copy as Value
}

/** Returns how often `work` may yield. */
export async function countCheckpoints(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  observeCheckpoints(() => {
    count++
  })
  try {
    await work()
  } finally {
    observeCheckpoints(undefined)
  }
  return count
}
