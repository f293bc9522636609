/**
 * Tasks that others depend on. A task is blocked while it and one of the tasks in its `blockedBy` are open, and ready
 * otherwise. What is deleted, in the trash or out of reach blocks nothing: a connection must not learn of it. Tasks never
 * wait for each other, as far as the connection sees them, since they would do so forever.
 */
import { blocksByIds } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalidFields } from '../../base/errors.ts'
import { readInChunks } from '../../base/scheduling.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { truncateTitle } from '../../markdown/inline-title.ts'
import { visibleTitles } from '../model/block-links.ts'
import { cycleFrom, describeWay, itemsInCycles } from '../model/dependencies.ts'
import type { Space } from '../model/space.ts'
import { fieldsFromRow } from './block-rows.ts'

const MARK = '"blockedBy":'

/** The IDs of the tasks that a task waits for, whether they exist or not. */
export const blockedByOf = ({ attributes }: Pick<BlockRow, 'attributes'>): readonly number[] =>
  attributes?.includes(MARK) ? ((JSON.parse(attributes) as Pick<BlockFields, 'blockedBy'>).blockedBy ?? []) : []

const isTask = ({ listStyle }: BlockRow): boolean => listStyle === 'task'
const isOpen = (row: BlockRow): boolean => (fieldsFromRow(row).taskInfo?.state ?? 'todo') === 'todo'

/** IDs that are looked up in one step. */
const IDS_PER_STEP = 2_000

/** Returns the tasks that these wait for, by ID: those that exist within reach and are not in the trash. */
export async function readTaskBlockers(space: Space, rows: readonly BlockRow[]): Promise<Map<number, BlockRow>> {
  const ids = [...new Set(rows.flatMap(blockedByOf))]
  if (ids.length === 0) return new Map()
  const found = await readInChunks(ids, IDS_PER_STEP, (part) => blocksByIds(space.tx, part))
  const tasks = found.filter(isTask)
  const reached = await space.reachableDocuments(tasks.map(({ document }) => document))
  const documents = await space.documentRows([...reached])
  const seen = tasks.filter(({ document }) => reached.has(document) && documents.get(document)?.location !== 'trash')
  return new Map(seen.map((row) => [row.id, row]))
}

/** A task that another one waits for, in responses. */
export interface TaskBlocker {
  id: string
  title: string
  /** True if it is done or canceled, so that it blocks no longer. */
  isDone?: true
}

/** Returns what each of these tasks waits for, by number. */
export async function taskBlockers(space: Space, rows: readonly BlockRow[]): Promise<Map<number, TaskBlocker[]>> {
  const blockers = await readTaskBlockers(space, rows)
  if (blockers.size === 0) return new Map()
  const titleOf = await visibleTitles(
    space,
    Array.from(blockers.values(), ({ text }) => truncateTitle(text)),
  )
  const answers = rows.map((row): [number, TaskBlocker[]] => [
    row.n,
    blockedByOf(row).flatMap((id) => {
      const blocker = blockers.get(id)
      if (blocker === undefined) return []
      const title = titleOf(truncateTitle(blocker.text))
      return { id: space.spellId(id), title, ...(!isOpen(blocker) && { isDone: true as const }) }
    }),
  ])
  return new Map(answers.filter(([, list]) => list.length > 0))
}

/** The numbers of those of these tasks that are blocked. */
export async function blockedTasks(space: Space, rows: readonly BlockRow[]): Promise<Set<number>> {
  const blockers = await readTaskBlockers(space, rows)
  const open = new Set([...blockers.values()].filter(isOpen).map(({ id }) => id))
  const blocked = rows.filter((row) => isOpen(row) && blockedByOf(row).some((id) => open.has(id)))
  return new Set(blocked.map(({ n }) => n))
}

/**
 * Returns what a task waits for after a change. What the connection does not see stays.
 *
 * @param given  the IDs that the caller sent
 */
export async function mergeBlockedBy(space: Space, row: BlockRow, given: readonly number[]): Promise<number[]> {
  const before = blockedByOf(row)
  if (space.kind === 'full' || before.length === 0) return given.length === 0 ? [] : [...new Set(given)]
  const seen = await readTaskBlockers(space, [row])
  return [...new Set([...given, ...before.filter((id) => !seen.has(id))])]
}

/**
 * Checks tasks whose `blockedBy` was written.
 *
 * @param tasks  each with the path of what was sent
 * @throws VALIDATION_ERROR with the tasks of the cycle
 */
export async function assertNoTaskCycles(
  space: Space,
  tasks: readonly { row: BlockRow; path: string }[],
): Promise<void> {
  const rows = new Map(tasks.map(({ row }) => [row.id, row]))
  const graph = new Map<number, number[]>()
  for (let level = [...rows.values()]; level.length > 0; ) {
    const next = await readTaskBlockers(space, level)
    for (const [id, row] of next) if (!rows.has(id)) rows.set(id, row)
    const numberOf = (id: number) => (next.has(id) ? (rows.get(id)?.n ?? []) : [])
    for (const row of level) graph.set(row.n, blockedByOf(row).flatMap(numberOf))
    level = [...next.keys()].flatMap((id) => rows.get(id) ?? []).filter(({ n }) => !graph.has(n))
  }
  const cycles = itemsInCycles(graph)
  const first = tasks.find(({ row }) => cycles.has(row.n))
  const way = first && cycleFrom(graph, first.row.n)
  if (first === undefined || way === undefined) return
  const cycle = await describeWay(space, way)
  throw invalidFields([
    {
      path: first.path,
      message: `Expected tasks that do not wait for themselves, found ${cycle}, each of which is blocked by the next; leave one of them out.`,
    },
  ])
}
