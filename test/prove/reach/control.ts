/** Plants faults one at a time. The proof has to detect each of them through every door. */
import { join } from 'node:path'
import type { Endpoint } from '../../../src/endpoint.ts'
import type { Resource } from '../../../src/server-catalog.ts'
import { UndoReach } from '../../../src/space/history/undo-reach.ts'
import { type AnyId, idNumber } from '../../../src/space/model/ids.ts'
import { Space } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { blockById } from '../../../storage/blocks.ts'
import { endpoints, resources } from '../../../tools/index.ts'
import { methodName, VERSIONED_METHODS, type VersionedMethod } from './connection-methods.ts'
import { ENDINGS, ended } from './ended.ts'
import { missingEntries } from './entries.ts'
import { matrix } from './matrix.ts'
import { news } from './news.ts'
import { forgettingPartlyUndone, reachingAll, reachingAsBefore, touchingAll, withChangedLink } from './planted.ts'
import { type TwinsOptions, twins } from './twins.ts'

export interface PlantedFault {
  what: string
  /** The faults that the proof reported for it. */
  faults: string[]
}

const SELECTED = 'selected'
/** The number of calls to twins, at least one of which must reveal the fault. */
const CALLS = 60

export async function plantedFaults(folder: string): Promise<PlantedFault[]> {
  const found: PlantedFault[] = []
  const note = (what: string, faults: readonly string[], sign: RegExp) =>
    void found.push({ what, faults: faults.filter((fault) => sign.test(fault)) })
  let count = 0
  const tryMatrix = async (way: VersionedMethod, sign: RegExp, plant?: (space: OpenSpace) => OpenSpace) => {
    const options = { ...way, isLong: false, until: (fault: string) => sign.test(fault), ...(plant && { plant }) }
    return (await matrix(join(folder, `planted-${++count}`), SELECTED, options)).faults
  }
  const compareTwins = async (
    way: VersionedMethod,
    options: Partial<Pick<TwinsOptions, 'plant' | 'isSwept' | 'seed'>> = {},
  ) => (await twins({ ...way, kind: SELECTED, seed: 1, calls: CALLS, ...options })).faults

  const [stdio, ...served] = VERSIONED_METHODS as [VersionedMethod, ...VersionedMethod[]]
  await withoutOneCheck(async () => {
    const what = 'blocks are handed out by their ID'
    note(`${what}: the matrix`, await tryMatrix(stdio, SHOWN), SHOWN)
    note(`${what}: the twins`, await compareTwins(stdio), /tells twins apart/)
  })
  await withProposalsOfAll(async () => {
    const what = 'proposals of connections that reach more are seen'
    note(`${what}: the matrix`, await tryMatrix(stdio, LEADING), LEADING)
    note(`${what}: the twins`, await compareTwins(stdio, { isSwept: true }), /tells twins apart/)
  })
  await undoingAll(async () => {
    const what = 'undo changes and names what is out of reach'
    note(`${what}: the matrix`, await tryMatrix(stdio, UNDONE), UNDONE)
    note(`${what}: the twins`, await compareTwins(stdio), /history_undo.*tells twins apart/)
  })
  await undoingRelations(async () => {
    note('undo removes relations that lead out of reach', await tryMatrix(stdio, UNDONE), UNDONE)
  })
  const forgetting = { plant: forgettingPartlyUndone, seed: 1 }
  note('a call stands where more of it is hidden', await compareTwins(stdio, forgetting), /history_.*tells twins apart/)
  note('a tool without an entry', missingEntries([...endpoints, newTool]), /of planted_tool over daily connections/)
  note('a resource without an entry', missingEntries(endpoints, [...resources, newResource]), /planted resource/)
  const all = (space: OpenSpace) => withChangedLink(space, reachingAll)
  for (const way of served) {
    const faults = await tryMatrix(way, DIFFERENT, all)
    note(`${methodName(way)} reaches all: the matrix over MCP`, faults, /over mcp returns/)
    note(`${methodName(way)} reaches all: the matrix over REST`, faults, /over rest returns/)
    note(`${methodName(way)} reaches all: the twins`, await compareTwins(way, { plant: all }), /tells twins apart/)
  }
  for (const way of [stdio, ...served]) {
    note(`${methodName(way)} touches all`, await tryMatrix(way, TOUCHED, touchingAll), TOUCHED)
  }
  const result = await deliveringAll(() => news({ kind: SELECTED, plant: all }))
  for (const way of VERSIONED_METHODS) {
    const name = methodName(way)
    const own = result.faults.filter((fault) => fault.startsWith(`${SELECTED}, ${name}:`))
    note(`${name} is notified of hidden lists`, own, /document was added it hears .*list_changed/)
    note(`${name} is notified of hidden changes`, own, /it hears .*resources\/updated/)
    note(`${name} has a stream of hidden events`, own, /it hears comment\.created by stream/)
    if (way.door !== 'stdio') note(`${name} is called for hidden events`, own, /it hears comment\.created by webhook/)
  }
  for (const way of served) {
    const before = { plant: (space: OpenSpace) => withChangedLink(space, reachingAsBefore()) }
    const still = await ended({ ...way, kind: SELECTED, ending: 'unexposed', ...before })
    note(`${methodName(way)} reaches what it did`, still.faults, /"name":"blocks_get"/)
    if (way.era === '2026') continue
    for (const ending of ENDINGS) {
      const { faults } = await ended({ ...way, kind: SELECTED, ending, lastsOn: true })
      note(`${methodName(way)} is not ${ending}: calls`, faults, /"name":"blocks_get"/)
      note(`${methodName(way)} is not ${ending}: files`, faults, /: \/files\//)
    }
  }
  const { faults } = await ended({ ...stdio, kind: SELECTED, ending: 'thrown away', lastsOn: true })
  note('stdio reaches what was thrown away', faults, /"name":"blocks_get"/)
  return found
}

/** A response over REST, after the same one over MCP, that shows what exists. */
const DIFFERENT = /over rest returns/

/** A hidden ID in a response to a call that did not mention it. */
const SHOWN = /the ID of the hidden/

/** A proposal that would change something within reach, but links to something hidden. */
const LEADING = /the ID of a proposal that leads to what is hidden/

/** A hidden change by undo. */
const UNDONE = /history_undo .*changes what is out of reach/

/** A change that no call asked for. */
const TOUCHED = /changes what is out of reach: the document/

const newTool = { ...endpoints[0], name: 'planted_tool' } as Endpoint
const newResource = { ...resources[0], name: 'planted resource' } as Resource

/** Each connection counts as if it reached everything that any other one reaches. */
async function withProposalsOfAll<T>(work: () => Promise<T>): Promise<T> {
  const { reachesAllOf } = Space.prototype
  Space.prototype.reachesAllOf = async () => true
  try {
    return await work()
  } finally {
    Space.prototype.reachesAllOf = reachesAllOf
  }
}

/** Undo is planned from all of the history. */
async function undoingAll<T>(work: () => Promise<T>): Promise<T> {
  const { show } = UndoReach.prototype
  UndoReach.prototype.show = async (histories) => new Map(histories)
  try {
    return await work()
  } finally {
    UndoReach.prototype.show = show
  }
}

/** Undo removes the properties of relations that lead out of the connection's reach. */
async function undoingRelations<T>(work: () => Promise<T>): Promise<T> {
  const { isFixed } = UndoReach.prototype
  UndoReach.prototype.isFixed = () => false
  try {
    return await work()
  } finally {
    UndoReach.prototype.isFixed = isFixed
  }
}

/** Subscriptions are sent what a full link would be. */
async function deliveringAll<T>(work: () => Promise<T>): Promise<T> {
  const { withLink } = Space.prototype
  Space.prototype.withLink = function (this: Space, link, ...others) {
    return withLink.call(this, reachingAll(link), ...others)
  }
  try {
    return await work()
  } finally {
    Space.prototype.withLink = withLink
  }
}

/** Blocks are returned by ID without a check of reach. */
async function withoutOneCheck<T>(work: () => Promise<T>): Promise<T> {
  const { getBlock: block } = Space.prototype
  Space.prototype.getBlock = async function (this: Space, id: AnyId) {
    return (await blockById(this.tx, idNumber(id))) ?? block.call(this, id)
  }
  try {
    return await work()
  } finally {
    Space.prototype.getBlock = block
  }
}
