/**
 * Dependencies between the items of a collection: a relation of the collection with itself whose config says which items
 * are done. An item is blocked while it and an item that it depends on are not done. Dependencies never form a cycle,
 * since its items would be blocked forever.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { dependenciesOf, dependentItems, reachedItems } from '../../../storage/dependencies.ts'
import type { PropertyRow } from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { shorten } from '../../base/shorten.ts'
import { markUnseen } from '../../base/unseen-characters.ts'
import { visibleTitles } from './block-links.ts'
import type { Space } from './space.ts'

/** Says which items are done, as a filter is stored: properties and options by number. */
export interface DoneRule {
  property: number
  filterType: string
  value?: { flag: boolean } | { number: number } | { date: string | number } | { options: number[] }
}

type DependencyFields = Pick<PropertyRow, 'n' | 'type' | 'config' | 'otherSide'>

/** The rule in the config of a relation that says what its items depend on; undefined for all other properties. */
export function doneRule({ type, config }: Pick<PropertyRow, 'type' | 'config'>): DoneRule | undefined {
  return type === 'relation' && config !== null ? (JSON.parse(config) as { dependsOn?: DoneRule }).dependsOn : undefined
}

/** The relation that says what the items of a collection depend on, if any. */
export const dependencyAmong = <Property extends DependencyFields>(
  properties: readonly Property[],
): Property | undefined => properties.find((property) => doneRule(property) !== undefined)

/** An item, and one that it depends on, by number. */
export type Edge = readonly [item: number, target: number]

/** Changes that are not written yet. */
export interface EdgeChanges {
  added: readonly Edge[]
  removed: readonly Edge[]
}

/** What each item depends on, by number. */
export type DependencyGraph = ReadonlyMap<number, readonly number[]>

/** How many items one statement follows or reads: a few milliseconds of work. */
const ITEMS_PER_STEP = 2_000

const edgeKey = (item: number, target: number): string => `${item} ${target}`

/** Reads what these items depend on, directly or not. */
export async function readDependencies(
  tx: Transaction,
  property: number,
  items: readonly number[],
  { added, removed }: EdgeChanges = { added: [], removed: [] },
): Promise<DependencyGraph> {
  const graph = new Map<number, number[]>()
  const without = new Set(removed.map(([item, target]) => edgeKey(item, target)))
  const addedTo = Map.groupBy(added, ([item]) => item)
  let waiting = [...new Set(items)]
  let limit = ITEMS_PER_STEP
  while (waiting.length > 0) {
    const found: number[] = []
    const reached = await reachedItems(tx, waiting.slice(0, ITEMS_PER_STEP), property, limit)
    for (const n of reached) {
      if (graph.has(n)) continue
      found.push(n)
      graph.set(
        n,
        (addedTo.get(n) ?? []).map(([, target]) => target),
      )
    }
    // What many items lead to is reached again from each. A greater limit reaches beyond it.
    limit = found.length * 2 < reached.length ? limit * 2 : ITEMS_PER_STEP
    for (const { item, target } of await dependenciesOf(tx, found, property))
      if (!without.has(edgeKey(item, target))) graph.get(item)?.push(target)
    const next = new Set(waiting.slice(ITEMS_PER_STEP))
    for (const n of found) for (const target of graph.get(n) ?? []) next.add(target)
    waiting = [...next].filter((n) => !graph.has(n))
  }
  return graph
}

/** All items that depend on others. */
export async function allDependentItems(tx: Transaction, property: number): Promise<number[]> {
  const items: number[] = []
  for (;;) {
    const part = await dependentItems(tx, property, items.at(-1) ?? 0, ITEMS_PER_STEP)
    for (const item of part) items.push(item)
    if (part.length < ITEMS_PER_STEP) return items
  }
}

/**
 * Numbers the cycles of a graph: items that depend on each other, directly or not, get the same number. Items in no cycle
 * get none. This is Tarjan's algorithm for strongly connected components, without recursion.
 */
export function itemsInCycles(graph: DependencyGraph): Map<number, number> {
  const order = new Map<number, number>()
  const lowest = new Map<number, number>()
  const open: number[] = []
  const isOpen = new Set<number>()
  const cycles = new Map<number, number>()
  const enter = (n: number) => {
    order.set(n, order.size)
    lowest.set(n, order.size - 1)
    open.push(n)
    isOpen.add(n)
    return { n, next: 0 }
  }
  const lower = (n: number, to: number) => lowest.set(n, Math.min(lowest.get(n) ?? 0, to))
  for (const start of graph.keys()) {
    if (order.has(start)) continue
    const path = [enter(start)]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { n } = top
      const target = graph.get(n)?.[top.next++]
      if (target !== undefined) {
        if (!order.has(target)) path.push(enter(target))
        else if (isOpen.has(target)) lower(n, order.get(target) ?? 0)
        continue
      }
      path.pop()
      const below = path.at(-1)
      if (below !== undefined) lower(below.n, lowest.get(n) ?? 0)
      if (lowest.get(n) !== order.get(n)) continue
      const members = open.splice(open.lastIndexOf(n))
      for (const member of members) isOpen.delete(member)
      if (members.length > 1 || graph.get(n)?.includes(n)) for (const member of members) cycles.set(member, n)
    }
  }
  return cycles
}

/** The shortest way from an item back to itself, which begins and ends with it. Undefined if there is none. */
export function cycleFrom(graph: DependencyGraph, start: number): number[] | undefined {
  const from = new Map<number, number>()
  for (let level = [start]; level.length > 0; ) {
    const next: number[] = []
    for (const n of level) {
      for (const target of graph.get(n) ?? []) {
        if (target === start) {
          const way = [start]
          for (let at: number | undefined = n; at !== undefined; at = from.get(at)) way.push(at)
          return way.reverse()
        }
        if (from.has(target)) continue
        next.push(target)
        from.set(target, n)
      }
    }
    level = next
  }
  return undefined
}

/** A cycle that these items close. */
export interface FoundCycle {
  /** The first of these items that is in a cycle. */
  item: number
  /** The items in words. */
  words: string
}

/** Finds a cycle through one of these items, if what they depend on has any. */
export async function findCycle(
  space: Space,
  property: number,
  items: readonly number[],
): Promise<FoundCycle | undefined> {
  const graph = await readDependencies(space.tx, property, items)
  const cycles = itemsInCycles(graph)
  const item = items.find((n) => cycles.has(n))
  const way = item === undefined ? undefined : cycleFrom(graph, item)
  return item === undefined || way === undefined ? undefined : { item, words: await describeWay(space, way) }
}

/** How many items of a cycle a message names. */
const ITEMS_SHOWN = 8
const TITLE_LENGTH_SHOWN = 60

/** The items on a way, each with its ID. */
export async function describeWay(space: Space, way: readonly number[]): Promise<string> {
  const half = ITEMS_SHOWN / 2
  const shown = way.length > ITEMS_SHOWN ? [...way.slice(0, half), ...way.slice(-half)] : way
  const rows = new Map((await blocksByNumbers(space.tx, [...new Set(shown)])).map((row) => [row.n, row]))
  const titleOf = await visibleTitles(
    space,
    [...rows.values()].map(({ text }) => text),
  )
  const names = shown.map((n) => {
    const row = rows.get(n)
    if (row === undefined) return 'an item'
    return `${markUnseen(JSON.stringify(shorten(titleOf(row.text), TITLE_LENGTH_SHOWN)))} (${space.spellId(row.id)})`
  })
  if (way.length > ITEMS_SHOWN) names.splice(half, 0, `${way.length - ITEMS_SHOWN} more`)
  return names.join(' → ')
}

/** Added dependencies that would close cycles. */
export interface ClosingEdges {
  edges: readonly Edge[]
  /** All items of these cycles. */
  items: readonly number[]
}

/**
 * Finds those of the added dependencies that are in a cycle once all changes are written. Without them, there is none, if
 * there was none before.
 */
export async function edgesInCycles(tx: Transaction, property: number, changes: EdgeChanges): Promise<ClosingEdges> {
  if (changes.added.length === 0) return { edges: [], items: [] }
  const starts = changes.added.map(([item]) => item)
  const cycles = itemsInCycles(await readDependencies(tx, property, starts, changes))
  const closing: Edge[] = []
  for await (const edge of iterateCooperatively(changes.added)) {
    const [item, target] = edge
    if (cycles.has(item) && cycles.get(item) === cycles.get(target)) closing.push(edge)
  }
  const closed = new Set(closing.map(([item]) => cycles.get(item)))
  return { edges: closing, items: [...cycles].flatMap(([item, cycle]) => (closed.has(cycle) ? item : [])) }
}
