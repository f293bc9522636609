/**
 * Splits a proposed call into parts. The parts are run in place of the call, in a transaction that is rolled back: only if
 * they change exactly the same are they kept. Otherwise the proposal has one part.
 */
import { childBlocks, parentBlock } from '../../../../storage/blocks.ts'
import type { BlockRow } from '../../../../storage/schema.ts'
import { PARTS_PER_PROPOSAL } from '../../../base/limits.ts'
import type { CallPart, GivenArguments, PartKind, PartOrder } from '../../model/call-parts.ts'
import { shortIds } from '../../model/ids.ts'
import type { Space } from '../../model/space.ts'
import { type PreparedStep, REFERENCE, runSteps } from '../../model/steps.ts'
import type { StoredStep } from '../proposal.ts'
import { columnKey } from './describe-part.ts'
import { idsNamedIn, type PartStep, placeOf, type StoredPart, type StoredParts, WHOLE } from './part.ts'
import { placedSteps } from './place-part.ts'
import type { PromisedIds } from './run-parts.ts'
import { changesTask, TaskMoves } from './task-moves.ts'

/** A call of a proposal that was carried out, and what it is split into. */
export interface SplitCall {
  step: StoredStep
  /** The number under which the proposal stores the file that it adds. */
  file?: number
  /** What it has written, as its response spells it. */
  ids: readonly string[]
  prepared: Pick<PreparedStep, 'splitter' | 'kind'>
  parts: readonly CallPart[] | undefined
}

/** Parts that are not verified yet, and the ID of the comment that they answer. */
export interface PlannedParts {
  parts: PlannedPart[]
  answers?: string
}

interface PlannedPart extends Omit<StoredPart, 'key' | 'ids' | 'needs'> {
  /** How its texts are merged. */
  prepared: Pick<PreparedStep, 'splitter'>
  /** The number of its call, whose parts may need what the first of them creates. */
  call: number
  /** What it continues: see `CallPart`. */
  continues?: string
}

/** Plans the parts of the calls of a proposal: not more than a person decides one by one. */
export function planParts(calls: readonly SplitCall[]): PlannedParts {
  const references = new Map<string, string>()
  let answers: string | undefined
  let room = PARTS_PER_PROPOSAL - calls.length
  const parts = calls.flatMap(({ step, file, ids, prepared, parts: split }, call): PlannedPart[] => {
    const { answers: answered, ...given } = resolveReferences(step.arguments, references) as GivenArguments
    if (answered !== undefined) answers = String(answered)
    for (const [index, id] of ids.entries()) {
      if (step.as === undefined) continue
      references.set(`$${step.as}.${index}`, id)
      if (index === 0) references.set(`$${step.as}`, id)
    }
    const isSplit = split !== undefined && split.length <= room + 1
    if (isSplit) room -= split.length - 1
    const found = isSplit ? split : [wholeCall(given, prepared.kind)]
    return found.map((part, index) => {
      const { subject, property, order, cameTo, continues, tool = step.tool } = part
      const args = resolveReferences(part.arguments, references) as Record<string, unknown>
      const { answers: _, ...own } = args
      const id = subject === undefined ? undefined : shortIds([resolveReferences(subject, references) as string])[0]
      return {
        ...{ kind: part.kind, state: 'waiting', prepared, call },
        steps: [{ tool, arguments: own, ...(file !== undefined && { file }) }],
        ...(id !== undefined && { subject: id }),
        ...(property !== undefined && { property }),
        ...(continues !== undefined && { continues: resolveReferences(continues, references) as string }),
        ...(order !== undefined && { order: placeInList({ ...own, cameTo }, order, call, index) }),
      }
    })
  })
  return { parts, ...(answers !== undefined && { answers }) }
}

/** A call that is one part. What it puts somewhere keeps its place among the others. */
const wholeCall = (given: GivenArguments, kind: PartKind): CallPart => ({
  ...{ arguments: given, kind },
  ...(typeof given.position === 'object' && { order: 'position' }),
})

/** What is put at the same place is one list, in the order that the calls make one after the other. */
function placeInList(
  { position, cameTo, collectionId }: GivenArguments,
  by: PartOrder,
  call: number,
  index: number,
): NonNullable<StoredPart['order']> {
  const place = by === 'position' ? position : by === 'start' ? cameTo : collectionId
  const { position: at } = (by === 'position' ? position : { position: by }) as { position?: string }
  // What comes later stands before what was put at the start, or after a block.
  const isReversed = at === 'start' || at === 'after'
  return { list: `${by} ${JSON.stringify(place)}`, by, rank: (isReversed ? -call : call) * RANKS + index }
}

/** More than a call has parts. */
const RANKS = 1_000

/** Puts IDs in place of references to earlier steps. */
function resolveReferences(value: unknown, references: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return REFERENCE.test(value) ? (references.get(value) ?? value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => resolveReferences(one, references))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolveReferences(one, references)]))
}

/** The parts if there is one, which has no text that could be merged: it need not be run. */
export function onlyPart(
  { parts, answers }: PlannedParts,
  [call]: readonly SplitCall[],
  { ids, places }: { ids: readonly number[]; places: readonly number[] },
): StoredParts | undefined {
  const [first, ...others] = parts
  if (first === undefined || others.length > 0 || first.prepared.splitter?.merging !== undefined) return undefined
  const { prepared: _, call: __, continues: ___, ...planned } = first
  const subject = planned.subject ?? shortIds(call?.ids.slice(0, 1) ?? [])[0]
  const key = keyOf({ ...planned, ...(subject !== undefined && { subject }) })
  const part = { ...planned, ...(subject !== undefined && { subject }), key, ids, places, needs: [] }
  return { parts: [part], ...(answers !== undefined && { answers }) }
}

const keyOf = ({ subject = WHOLE, property }: Pick<StoredPart, 'subject' | 'property'>): string =>
  property === undefined ? subject : `${subject}/${property}`

/** Prepares the parts to run as one. Each is named, so that those after it can be placed beside what it creates. */
export async function preparePlanned(
  { parts }: PlannedParts,
  prepareStep: (step: StoredStep & { path: string }) => Promise<PreparedStep>,
): Promise<PreparedStep[][]> {
  const named = parts.map(
    (part, index) => ({ ...part, subject: `$${nameOf(index)}`, end: `$${endOf(index)}` }) as unknown as StoredPart,
  )
  const prepared: PreparedStep[][] = []
  for (const [index, part] of named.entries()) {
    const steps: PreparedStep[] = []
    prepared.push(steps)
    const placed = placedSteps(part.steps, part, named, (one) =>
      named.indexOf(one) < index ? { first: one.subject, last: one.end } : undefined,
    )
    for (const [at, step] of placed.entries())
      steps.push(await prepareStep({ ...step, ...(at === 0 && { as: nameOf(index) }), path: `parts[${index}]` }))
  }
  return prepared
}

const nameOf = (index: number): string => `part${index}`
const endOf = (index: number): string => `end${index}`

/**
 * Runs the planned parts, with the IDs that the whole call has drawn.
 *
 * @param drawn  the IDs that the whole call has drawn, in this order
 * @returns the parts with the IDs that each of them drew
 */
export async function runPlanned(
  space: Space,
  { parts }: PlannedParts,
  prepared: readonly (readonly PreparedStep[])[],
  drawn: PromisedIds,
): Promise<StoredPart[]> {
  const found: StoredPart[] = []
  const continued = new Map<string, Set<string>>()
  /** The parts that made a document for what they put there, such as a daily note, by the numbers of the documents. */
  const makers = new Map<number, string>()
  const keys = new Map<string, number>()
  const moves = parts.some(changesTask) ? new TaskMoves() : undefined
  for (const [index, { prepared: step, call: _, continues, ...planned }] of parts.entries()) {
    const merging = await mergingSteps(space, step.splitter, planned.steps)
    const [start, placesBefore] = [drawn.used, drawn.places.length]
    await moves?.before(space, planned.subject)
    const results = await runSteps(space, prepared[index] ?? [])
    const ids = drawn.ids.slice(start, drawn.used)
    const [first] = shortIds(results[0]?.ids.slice(0, 1) ?? [])
    const subject = planned.subject ?? first
    const property = await keyOfProperty(space, subject, planned.property)
    const named = { ...planned, ...(subject !== undefined && { subject }), ...(property !== undefined && { property }) }
    const key = uniqueKey(keys, keyOf(named))
    const needs = neededBy(found, named)
    for (const one of (await moves?.after(space, key)) ?? []) needs.add(one)
    if (continues !== undefined) {
      const before = continued.get(continues) ?? new Set()
      for (const one of before) needs.add(one)
      continued.set(continues, before.add(key))
    }
    if (makers.size > 0) {
      const written = subject === undefined ? ids : [Number(subject), ...ids]
      for (const row of await space.findReachableBlocks(written)) {
        const maker = makers.get(row.document)
        if (maker !== undefined) needs.add(maker)
      }
    }
    const end = planned.order && (await lastBeside(space, subject, results[0]?.ids ?? []))
    space.references.set(`$${endOf(index)}`, end ?? Number(subject))
    const part: StoredPart = {
      ...(end !== undefined && { end: String(end) }),
      ...named,
      ...merging,
      key,
      ids,
      places: drawn.places.slice(placesBefore),
      needs: [...needs],
    }
    found.push(part)
    // What is changed or moved has an ID already, so that one that is drawn may be of the note that it came to.
    if (ids.length > 0 && String(ids[0]) !== subject)
      for (const { n, parent } of await space.findReachableBlocks(ids)) if (parent === null) makers.set(n, key)
  }
  return withNeighbors(space, found)
}

/**
 * Where parts of different lists put blocks beside each other, their order is that in which they run: the later one needs
 * the earlier one.
 */
async function withNeighbors(space: Space, parts: readonly StoredPart[]): Promise<StoredPart[]> {
  const placed = parts.flatMap((part, index) =>
    [part.subject, part.end].flatMap((id) =>
      isPlaced(part) && id !== undefined ? [[Number(id), index] as const] : [],
    ),
  )
  const partOf = new Map(placed)
  const rows = await space.findReachableBlocks([...partOf.keys()])
  const parents = new Map<number, BlockRow>()
  for (const row of rows) {
    const parent = row.parent === null || parents.has(row.parent) ? undefined : await parentBlock(space.tx, row)
    if (parent !== undefined) parents.set(parent.n, parent)
  }
  const needs = parts.map((part) => new Set(part.needs))
  for (const parent of parents.values()) {
    const children = await childBlocks(space.tx, parent)
    for (const [at, { id }] of children.entries()) {
      const [one, other] = [partOf.get(id), partOf.get(children[at + 1]?.id ?? 0)].sort(
        (first = 0, second = 0) => first - second,
      )
      const [earlier, later] = [parts[one ?? -1], parts[other ?? -1]]
      if (one === other || earlier === undefined || later === undefined) continue
      if (earlier.order === undefined || earlier.order.list !== later.order?.list) needs[other ?? 0]?.add(earlier.key)
    }
  }
  return parts.map((part, index) => ({ ...part, needs: [...(needs[index] ?? [])] }))
}

/** True for a part that puts a block somewhere: also the change of a task that says where it belongs. */
const isPlaced = ({ kind, steps }: StoredPart): boolean =>
  kind === 'added' ||
  kind === 'moved' ||
  steps.some(({ arguments: { tasksToUpdate } }) => Array.isArray(tasksToUpdate) && tasksToUpdate[0]?.location)

/** The last of the blocks that stand beside the first one, if there are several. */
async function lastBeside(
  space: Space,
  subject: string | undefined,
  written: readonly string[],
): Promise<number | undefined> {
  if (subject === undefined || written.length < 2) return undefined
  const ids = await space.readIds(written)
  const rows = await space.findReachableBlocks([...ids.values()])
  const first = rows.find(({ id }) => String(id) === subject)
  const last = rows
    .filter(({ parent }) => parent === first?.parent)
    .sort((one, other) => one.id - other.id)
    .at(-1)
  return last?.id === first?.id ? undefined : last?.id
}

function uniqueKey(keys: Map<string, number>, key: string): string {
  const count = (keys.get(key) ?? 0) + 1
  keys.set(key, count)
  return count === 1 ? key : `${key}#${count}`
}

/**
 * The earlier parts that create what the calls name, that change the same, that move what the part stands beside, or that
 * put something beside what the part moves away.
 */
function neededBy(
  earlier: readonly StoredPart[],
  { steps, kind, subject, property }: Pick<StoredPart, 'steps' | 'kind' | 'subject' | 'property'>,
): Set<string> {
  const named = idsNamedIn(steps)
  const { siblingId } = placeOf({ steps })
  const needs = earlier.filter((part) => {
    if (part.ids.some((id) => named.has(id))) return true
    if (part.kind === 'moved' && siblingId !== undefined && part.subject === siblingId) return true
    if (subject === undefined) return false
    if (kind === 'moved' && placeOf(part).siblingId === subject) return true
    // Values of one row are independent of each other, unless they are of one property.
    return part.subject === subject && (part.kind !== 'value' || part.property === property)
  })
  return new Set(needs.map(({ key }) => key))
}

/** The key of a property, which a call may name otherwise. */
async function keyOfProperty(space: Space, subject: string | undefined, property: string | undefined) {
  if (property === undefined || subject === undefined) return property
  const [row] = await space.findReachableBlocks([Number(subject)])
  return row === undefined ? property : columnKey(space, row, property)
}

async function mergingSteps(
  space: Space,
  splitter: PreparedStep['splitter'],
  steps: readonly PartStep[],
): Promise<Pick<StoredPart, 'merging' | 'replacing'>> {
  const [step] = steps
  if (splitter?.merging === undefined || step === undefined || steps.length > 1) return {}
  const withBase = await splitter.merging.withBase(space, step.arguments)
  const withoutBase = splitter.merging.withoutBase(step.arguments)
  const stepWith = (given: GivenArguments) => [{ ...step, arguments: { ...given } }]
  return {
    ...(withBase !== undefined && { merging: stepWith(withBase) }),
    ...(withoutBase !== undefined && { replacing: stepWith(withoutBase) }),
  }
}
