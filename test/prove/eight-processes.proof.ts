/** Eight processes that write to one file at once, and the model to which the same is done in the order of commits. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { CHOSEN } from './model/model.ts'
import { outsideOfTrees, replay, type Write } from './model/replay.ts'
import { writeTogether } from './model/together.ts'
import { type Proof, times } from './proof.ts'
import { neverCalled } from './tool-table.ts'

const PROCESSES = 8

export const proof: Proof = {
  promise: 'Writes of several processes are, each whole, one after another: none is lost, and none fails for another.',
  async run(strain) {
    const file = join(strain.folder, 'space.sqlite')
    const { figures, faults, writes } = await writeTogether(strain, file, PROCESSES, times(strain, 2_000, 200_000))
    const fault = await replay(file, writes)
    const outside = outsideOfTrees(file)
    if (fault !== undefined) faults.push(fault)
    faults.push(...neverCalled(CHOSEN, new Set(writes.map(({ call }) => call.tool))))
    if (outside > 0) faults.push(`${outside} blocks or folders hang in no tree.`)
    return { figures: { ...figures, differences: fault === undefined ? 0 : 1, 'out of their trees': outside }, faults }
  },

  /** Two conflicting writes change places; and of the file itself an acknowledged write is taken away. */
  async control(strain) {
    const file = join(strain.folder, 'space.sqlite')
    const { figures, faults, writes } = await writeTogether(strain, file, CONTROL.processes, CONTROL.writes)
    if (faults.length > 0) return { figures, faults: [] }
    const swapped = await firstFault(conflicts(writes), (order) => replay(file, order), writes)
    loseBlock(file)
    const lost = await replay(file, writes)
    const found = [swapped && `two writes swapped: ${swapped}`, lost && `a write lost: ${lost}`].filter((one) => !!one)
    return {
      figures: { ...figures, planted: 2, found: found.length },
      faults: found.length === 2 ? (found as string[]) : [],
    }
  },
}

const CONTROL = { processes: 3, writes: 400 }

/** Pairs of writes of different authors that say different things of the same, the later next in its history. */
function conflicts(writes: readonly Write[]): [number, number][] {
  const latest = new Map<string, number>()
  const pairs: [number, number][] = []
  for (const [index, write] of writes.entries()) {
    const { blockIds = [], documentIds = [], folderIds = [] } = write.call.args as Record<string, string[] | undefined>
    if (!write.call.tool.endsWith('_move')) continue
    for (const id of [...blockIds, ...documentIds, ...folderIds]) {
      const before = latest.get(id)
      latest.set(id, index)
      if (before !== undefined && writes[before]?.author !== write.author) pairs.push([before, index])
    }
  }
  return pairs
}

/** Pairs that are tried: some say in the end the same in either order. */
const TRIED = 10

async function firstFault(
  pairs: readonly [number, number][],
  hold: (order: readonly Write[]) => Promise<string | undefined>,
  writes: readonly Write[],
): Promise<string | undefined> {
  for (const [one, other] of pairs.slice(-TRIED)) {
    const order = [...writes]
    const [first, second] = [writes[one], writes[other]]
    if (first === undefined || second === undefined) continue
    order[one] = { ...second, now: first.now }
    order[other] = { ...first, now: second.now }
    const fault = await hold(order)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** As if the last block that was written, and holds nothing, had never come to the disk. */
function loseBlock(file: string): void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('foreign_keys = ON')
  sqlite.prepare('DELETE FROM block WHERE n = (SELECT max(n) FROM block WHERE parent IS NOT NULL)').run()
  sqlite.close()
}
