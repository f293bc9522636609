/**
 * Shortens a sequence with a fault as far as possible, by removing calls and then entries of lists in calls (delta
 * debugging).
 *
 * IDs differ between runs once calls are removed, so an ID is identified by the call that it was learned from.
 */
import type { Call } from './model.ts'
import { type Options, type Outcome, runSequence, type Step } from './sequence.ts'

/** The maximum number of sequences to try. */
const TRIES = 100
const NOWHERE = '199999999999'

/** A call of the first failing sequence, with the IDs learned from it there. */
type Original = Step

export interface Shrunk {
  calls: number
  text: string
}

export async function shrink(steps: readonly Step[], options: Options): Promise<Shrunk> {
  // With a read after every call, each fault is found at the call that caused it.
  const exact: Options = { ...options, each: 'changed' }
  const first = await runSequence(({ steps: made }) => steps[made.length]?.call, exact)
  let best: readonly Original[] = first.fault === undefined ? steps : first.steps
  let fault = first.fault
  let tries = 0
  const isStill = async (candidate: readonly Original[]): Promise<boolean> => {
    if (tries++ >= TRIES) return false
    const outcome = await replay(candidate, exact)
    if (outcome.fault === undefined) return false
    best = candidate.slice(0, outcome.steps.length)
    fault = outcome.fault
    return true
  }
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = best.length; end > 0; end -= size) {
      await isStill([...best.slice(0, Math.max(0, end - size)), ...best.slice(end)])
    }
  }
  for (let index = 0; index < best.length; index++) {
    for (const call of smaller(best[index]?.call)) {
      const before = best
      const candidate = before.map((step, place) => (place === index ? { ...step, call } : step))
      if (await isStill(candidate)) break
    }
  }
  return { calls: best.length, text: await describe(best, exact, fault) }
}

/** Runs the calls with their IDs replaced by those of this run. */
async function replay(originals: readonly Original[], options: Options): Promise<Outcome> {
  const ids = new Map<string, string>()
  let seen = 0
  return runSequence(({ steps }) => {
    for (; seen < steps.length; seen++) {
      for (const [index, id] of (steps[seen]?.messages ?? []).entries()) {
        const original = originals[seen]?.messages[index]
        if (original !== undefined) ids.set(original, id)
      }
    }
    const original = originals[steps.length]
    return original && withIds(original.call, (id) => ids.get(id) ?? NOWHERE)
  }, options)
}

const ID = /\b1\d{11}\b/g

const withIds = (call: Call, change: (id: string) => string): Call =>
  JSON.parse(JSON.stringify(call).replace(ID, change))

/** Returns copies of the call, each with one entry of one list removed. */
function smaller(call: Call | undefined): Call[] {
  if (call === undefined) return []
  return Object.entries(call.args).flatMap(([key, value]) => {
    if (!Array.isArray(value) || value.length < 2) return []
    return value.map((_, index) => ({ ...call, args: { ...call.args, [key]: value.toSpliced(index, 1) } }))
  })
}

/** Formats one call per line. An ID appears as the number of the call that it was learned from, and its index there. */
async function describe(originals: readonly Original[], options: Options, fault: string | undefined): Promise<string> {
  const { steps } = await replay(originals, options)
  const names = new Map<string, string>()
  for (const [index, { messages: response }] of steps.entries()) {
    for (const [place, id] of response.entries()) names.set(id, `#${index + 1}.${place + 1}`)
  }
  const lines = steps.map(({ call }, index) => {
    const { tool, args } = withIds(call, (id) => names.get(id) ?? 'nowhere')
    return `#${index + 1} ${tool} ${JSON.stringify(args)}`
  })
  return [...lines, (fault ?? 'no difference').replace(ID, (id) => names.get(id) ?? id)].join('\n    ')
}
