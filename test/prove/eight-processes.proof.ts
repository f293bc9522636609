/**
 * Eight processes write to one file at the same time. Then the same writes are applied to a model, in the order of
 * commits.
 */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { wrongReading } from './feed-reading.ts'
import { decideTogether, wrongDecisions } from './model/deciding.ts'
import { CHOSEN } from './model/model.ts'
import { outsideOfTrees, replay, type Write } from './model/replay.ts'
import { writeTogether } from './model/together.ts'
import { type Proof, times } from './proof.ts'
import { neverCalled } from './tool-table.ts'

const PROCESSES = 8

export const proof: Proof = {
  promise:
    'Writes of several processes are, each whole, one after another: none is lost, none fails for another, who reads the feed has each once, and each proposal is decided once.',
  async run(context) {
    const file = join(context.folder, 'space.sqlite')
    const { figures, faults, writes } = await writeTogether(context, file, PROCESSES, times(context, 2_000, 200_000))
    const fault = await replay(file, writes)
    const outside = outsideOfTrees(file)
    if (fault !== undefined) faults.push(fault)
    faults.push(...neverCalled(CHOSEN, new Set(writes.map(({ call }) => call.tool))))
    if (outside > 0) faults.push(`${outside} blocks or folders hang in no tree.`)
    const decided = await decideTogether(context, PROCESSES, times(context, 100, 5_000))
    faults.push(...decided.faults, ...wrongDecisions(decided))
    return {
      figures: {
        ...{ ...figures, differences: fault === undefined ? 0 : 1, 'out of their trees': outside },
        ...{ proposals: decided.lines.size, 'decided by one': decided.decisions.length },
      },
      faults,
    }
  },

  /**
   * Planted faults: two conflicting writes are swapped; one item of the feed is left out, or comes twice; an
   * acknowledged write is removed from the file; a decision is reported twice; and what was last approved is removed.
   */
  async control(context) {
    const file = join(context.folder, 'space.sqlite')
    const { figures, faults, writes, read } = await writeTogether(context, file, CONTROL.processes, CONTROL.writes)
    if (faults.length > 0) return { figures, faults: [] }
    const swapped = await firstFault(conflicts(writes), (order) => replay(file, order), writes)
    const middle = Math.floor(read.length / 2)
    const [unread] = wrongReading(file, read.toSpliced(middle, 1), true)
    const [twice] = wrongReading(file, read.toSpliced(middle, 0, ...read.slice(middle, middle + 1)), true)
    loseBlock(file)
    const lost = await replay(file, writes)
    const decided = await decideTogether(context, CONTROL.processes, CONTROL.proposals)
    if (decided.faults.length + wrongDecisions(decided).length > 0) return { figures, faults: [] }
    const decisions = [...decided.decisions, ...decided.decisions.slice(0, 1)]
    const [again] = wrongDecisions({ ...decided, decisions })
    loseBlock(decided.file)
    const [undone] = wrongDecisions(decided)
    const found = [
      swapped && `two writes swapped: ${swapped}`,
      unread && `one not in the feed: ${unread}`,
      twice && `one twice in the feed: ${twice}`,
      lost && `a write lost: ${lost}`,
      again && `one decided twice: ${again}`,
      undone && `one that was approved lost: ${undone}`,
    ].filter((one) => !!one)
    return {
      figures: { ...figures, planted: PLANTED, found: found.length },
      faults: found.length === PLANTED ? (found as string[]) : [],
    }
  },
}

const CONTROL = { processes: 3, writes: 400, proposals: 20 }
const PLANTED = 6

/** Pairs of writes by different authors that move the same thing, with no other move of it in between. */
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

/** Number of pairs to try. For some, the result is the same in either order. */
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

/** Deletes the last written block that has a parent, as if it had never reached the disk. */
function loseBlock(file: string): void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('foreign_keys = ON')
  sqlite.prepare('DELETE FROM block WHERE n = (SELECT max(n) FROM block WHERE parent IS NOT NULL)').run()
  sqlite.close()
}
