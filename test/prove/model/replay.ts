/** Replays the writes of several processes on the model, in the order of their commits. */
import Sqlite from 'better-sqlite3'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { auditRowsAfter } from '../../../storage/audit-log.ts'
import { differentAnswer } from './match.ts'
import { type Call, expect } from './model.ts'
import { Readings } from './readings.ts'
import { inWords } from './sequence.ts'
import { openFile } from './spaces.ts'
import { World } from './world.ts'

export interface Write {
  author: string
  call: Call
  answer: unknown
  /** The time of the call. */
  now: number
}

const READER = 'reader'
/** How many rows of the log are read at a time. */
const ROWS = 1000

/**
 * Sorts the acknowledged writes by their commits. The audit log has a row for each write, written in the same
 * transaction. The rows of one author are in the order of that author's calls.
 *
 * @returns also the faults: rows missing from the log, and rows without an acknowledged write
 */
export async function inCommitOrder(file: string, acknowledged: Map<string, Omit<Write, 'now'>[]>) {
  const space = await openSpace(file)
  const writes: Write[] = []
  const faults: string[] = []
  const places = new Map<string, number>()
  for (let after = 0; ; ) {
    const rows = await space.read(OPERATOR_LINK, ({ tx }) => auditRowsAfter(tx, after, ROWS))
    for (const { n, author, endpoint, at } of rows) {
      after = n
      const place = places.get(author) ?? 0
      places.set(author, place + 1)
      const write = acknowledged.get(author)?.[place]
      if (write?.call.tool === endpoint) writes.push({ ...write, now: at })
      else faults.push(`Row ${n} of the log is ${endpoint} of ${author}, whose call ${place} was ${write?.call.tool}.`)
    }
    if (rows.length < ROWS) break
  }
  await space.close()
  for (const [author, { length }] of acknowledged) {
    const logged = places.get(author) ?? 0
    if (logged < length) faults.push(`${length - logged} acknowledged writes of ${author} are not in the log.`)
  }
  return { writes, faults }
}

/** Describes the first difference in a response, or in the file at the end. */
export async function replay(file: string, writes: readonly Write[]): Promise<string | undefined> {
  const world = new World()
  const known = new Set<string>()
  for (const [index, { author, call, answer, now }] of writes.entries()) {
    const fault = differentAnswer(expect(world, call, { now, author }), { answer }, known)
    if (fault !== undefined) {
      return `Write ${index + 1} in the order of commits, of ${author}: ${call.tool} ${JSON.stringify(call.args)}: ${fault}`
    }
  }
  const space = await openFile(file, READER, { clock: () => world.now })
  try {
    return await new Readings(world, space.ask, known, READER).all().catch(inWords)
  } finally {
    await space.close()
  }
}

/** Counts blocks that are not below the root of their document, and folders that are below themselves. */
export function outsideOfTrees(file: string): number {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    const blocks = sqlite.prepare<[], Node>('SELECT n, parent, document FROM block').all()
    const folders = sqlite.prepare<[], Node>('SELECT n, parent, NULL AS document FROM folder').all()
    return countOutside(blocks) + countOutside(folders)
  } finally {
    sqlite.close()
  }
}

interface Node {
  n: number
  parent: number | null
  /** The root that the row declares; null for folders. */
  document: number | null
}

function countOutside(nodes: readonly Node[]): number {
  const byNumber = new Map(nodes.map((node) => [node.n, node]))
  return nodes.filter((node) => {
    let top: Node | undefined = node
    for (let steps = 0; top !== undefined && top.parent !== null; steps++) {
      if (steps > nodes.length) return true
      top = byNumber.get(top.parent)
    }
    return top === undefined || (node.document !== null && node.document !== top.n)
  }).length
}
