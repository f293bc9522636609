/** Finds parts whose order counts since one of them takes a task of the other to another document. */
import { ancestorNumbers } from '../../../../storage/blocks.ts'
import type { BlockRow } from '../../../../storage/schema.ts'
import type { Space } from '../../model/space.ts'
import type { StoredPart } from './part.ts'

export const changesTask = ({ steps }: Pick<StoredPart, 'steps'>): boolean =>
  steps.some(({ tool, arguments: given }) => tool === 'tasks_update' || JSON.stringify(given).includes('"taskInfo"'))

/**
 * What a change does to a task depends on its document: one in the logbook leaves it once it is open again. So the order
 * counts between the change of a task, and one that takes a page with the task in it to another document.
 */
export class TaskMoves {
  /** The task or block of the part that runs, with the numbers of all that it stands in. */
  #current: { row: BlockRow; around: readonly number[] } | undefined
  readonly #tasks: { key: string; around: readonly number[] }[] = []
  readonly #moved: { key: string; n: number }[] = []

  async before(space: Space, subject: string | undefined): Promise<void> {
    const [row] = subject === undefined ? [] : await space.findReachableBlocks([Number(subject)])
    this.#current = row && { row, around: await ancestorNumbers(space.tx, row) }
  }

  /** @returns the keys of earlier parts that have to run before this one */
  async after(space: Space, key: string): Promise<string[]> {
    if (this.#current === undefined) return []
    const { row, around } = this.#current
    const [now] = await space.findReachableBlocks([row.id])
    const isTask = row.listStyle === 'task'
    const isMoved = now !== undefined && now.document !== row.document
    const needed = [
      ...(isTask ? this.#moved.filter(({ n }) => around.includes(n)) : []),
      ...(isMoved ? this.#tasks.filter((one) => one.around.includes(row.n)) : []),
    ]
    if (isTask) this.#tasks.push({ key, around })
    if (isMoved) this.#moved.push({ key, n: row.n })
    return needed.map((one) => one.key)
  }
}
