/** Batches: their steps run in order and may refer to what earlier steps created. Either all steps run or none. */
import type { BatchStep } from '../calls/batches.ts'
import { Id, TextOfIds } from './ids.ts'
import type { Call } from './model.ts'
import { invalid, Refused, type World } from './world.ts'

export interface BatchArgs {
  steps: BatchStep[]
}

/**
 * @param run  runs one step
 * @throws Refused with the error of the first wrong step, or with that of any step whose arguments are invalid in
 * themselves, since those are checked first
 */
export function runBatch(world: World, { steps }: BatchArgs, run: (call: Call) => object): object {
  const references = new Map<string, string>()
  const items: object[] = []
  for (const [index, { tool, args, as }] of steps.entries()) {
    try {
      const given = withReferences(args, references)
      if (given === undefined) throw invalid()
      const made = run({ tool, args: given })
      world.guess(made)
      const answer = world.withIds(made)
      const ids = world.withIds(writtenIds(tool, given, answer))
      for (const [number, id] of ids.entries()) {
        const value = id instanceof Id ? (id.value ?? '') : id
        references.set(`$${as}.${number}`, value)
        if (number === 0) references.set(`$${as}`, value)
      }
      items.push({ tool, as, ids, answer: otherThan(ids, answer) })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const isMisshapen = steps.slice(index + 1).some((step) => isInvalid(step, references, run))
      throw isMisshapen ? new Refused(error.code, invalid().code) : error
    }
  }
  return { items }
}

/** Reports whether a step may be refused for its arguments alone. If a reference is unresolved, it may be. */
function isInvalid({ tool, args }: BatchStep, references: Map<string, string>, run: (call: Call) => object): boolean {
  const given = withReferences(args, references)
  if (given === undefined) return true
  try {
    run({ tool, args: given })
    return false
  } catch (error) {
    if (error instanceof Refused) return error.code === invalid().code
    throw error
  }
}

const REFERENCE = /^\$s\d+(?:\.\d+)?$|^\$none$/

/**
 * Replaces the references in the arguments by IDs. Returns undefined if one of them refers to nothing that was created.
 */
function withReferences(args: object, references: ReadonlyMap<string, string>): object | undefined {
  let areAllKnown = true
  const given = JSON.parse(JSON.stringify(args), (_, value) => {
    if (typeof value !== 'string' || !REFERENCE.test(value)) return value
    areAllKnown &&= references.has(value)
    return references.get(value)
  })
  return areAllKnown ? given : undefined
}

type Written = Id | string

interface Answer {
  items?: (Written | { id?: Written })[]
  moved?: Written[]
  deleted?: Written[]
  blockId?: Written
}

/** Returns the IDs that a call wrote, in the order in which references of later steps count them. */
function writtenIds(tool: string, args: object, answer: Answer): Written[] {
  if (tool.startsWith('elements_')) return [(args as { whiteboardBlockId: string }).whiteboardBlockId]
  if (tool === 'files_add') return answer.blockId === undefined ? [] : [answer.blockId]
  const { items = [answer], moved = [], deleted = [] } = answer
  const ids = [...items.flatMap(idsOf), ...moved, ...deleted]
  return tool === 'blocks_update' ? [...new Set(ids)] : ids
}

/** Returns the `id` of an item, or the values of its keys that end in Id. */
function idsOf(item: Written | object): Written[] {
  if (item instanceof Id || typeof item === 'string') return [item]
  const { id, ...others } = item as Record<string, Written | undefined>
  if (id !== undefined) return [id]
  return Object.entries(others).flatMap(([key, value]) => (key.endsWith('Id') && value !== undefined ? [value] : []))
}

/** Returns the response without these IDs. Returns undefined if nothing else is in it. */
function otherThan(ids: readonly Written[], answer: unknown): unknown {
  if (answer === undefined || answer instanceof Id || typeof answer === 'string') {
    return ids.includes(answer as Written) ? undefined : answer
  }
  if (typeof answer !== 'object' || answer === null || answer instanceof TextOfIds) return answer
  if (Array.isArray(answer)) return answer.every((one) => otherThan(ids, one) === undefined) ? undefined : answer
  const others = Object.entries(answer).filter(([, value]) => otherThan(ids, value) !== undefined)
  return others.length === 0 ? undefined : Object.fromEntries(others)
}
