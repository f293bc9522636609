/**
 * How much work happens between two points at which long work may yield to others, in fields of its input. Unlike
 * milliseconds, these counts are the same on every machine and in every run.
 */
import { observeCheckpoints } from '../../src/base/scheduling.ts'

let fieldsRead = 0

/** Returns the most fields of `counted` inputs that are read between two points at which `work` may yield, or does. */
export async function longestRun(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = fieldsRead
  const note = () => {
    longest = Math.max(longest, fieldsRead - last)
    last = fieldsRead
  }
  observeCheckpoints(note)
  try {
    await work()
  } finally {
    note()
    observeCheckpoints(undefined)
  }
  return longest
}

/** A copy of a JSON value whose fields and entries are counted as they are read. */
export function counted<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value) ? [] : {}
  for (const [key, field] of Object.entries(value)) {
    const inner = counted(field)
    const get = () => {
      fieldsRead++
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
