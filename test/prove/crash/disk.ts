/**
 * Simulates a disk from recorded system calls: what is flushed, and what is only written. After a power cut, writes
 * that were not flushed may be there, be missing, or be there in part.
 */
import { ROOT, type Step } from './recording.ts'

/** The number of bytes that a disk writes atomically. */
const SECTOR = 512

type Change = { at: number; bytes: Buffer } | { length: number }
type NameChange = { path: string; node: number | undefined }

interface Node {
  isFolder: boolean
  /** The flushed content. */
  firm: Buffer
  firmLength: number
  /** Writes and truncations since the last flush. */
  changes: Change[]
}

/** The names in one folder. */
interface Names {
  firm: Map<string, number>
  /** Changes of names since the last flush. Each group is atomic. */
  changes: NameChange[][]
}

export class Disk {
  readonly #nodes = new Map<number, Node>([[ROOT, emptyNode(true)]])
  readonly #names = new Map<number, Names>([[ROOT, { firm: new Map(), changes: [] }]])
  /** The paths as running programs see them. */
  readonly #now = new Map<string, number>([['', ROOT]])

  apply(step: Step): void {
    if (step.does === 'write') this.#nodeOf(step.node).changes.push({ at: step.at, bytes: step.bytes })
    else if (step.does === 'truncate') this.#nodeOf(step.node).changes.push({ length: step.length })
    else if (step.does === 'sync') this.#sync(step.node)
    else if (step.does === 'unlink') this.#name([{ path: step.path, node: undefined }])
    else if (step.does === 'rename') {
      const { from, to, node } = step
      this.#name([
        { path: from, node: undefined },
        { path: to, node },
      ])
    } else if (step.does === 'make') {
      this.#nodes.set(step.node, emptyNode(step.isFolder))
      if (step.isFolder) this.#names.set(step.node, { firm: new Map(), changes: [] })
      this.#name([{ path: step.path, node: step.node }])
    }
  }

  /** Returns the content after a power cut now: each path with its bytes, or with undefined for a folder. */
  afterPowerCut(random: () => number): Map<string, Buffer | undefined> {
    const fate = fateOf(random)
    const paths = new Map<string, Buffer | undefined>()
    const visit = (folder: number, path: string) => {
      for (const [name, node] of namesAfter(this.#namesOf(folder), fate)) {
        const { isFolder } = this.#nodeOf(node)
        const inner = path === '' ? name : `${path}/${name}`
        paths.set(inner, isFolder ? undefined : bytesAfter(this.#nodeOf(node), fate, random))
        if (isFolder) visit(node, inner)
      }
    }
    visit(ROOT, '')
    return paths
  }

  #nodeOf(node: number): Node {
    const found = this.#nodes.get(node)
    if (found === undefined) throw new Error('Expected a file that was made.')
    return found
  }

  #namesOf(folder: number): Names {
    const found = this.#names.get(folder)
    if (found === undefined) throw new Error('Expected a folder that was made.')
    return found
  }

  #name(changes: NameChange[]): void {
    const byFolder = new Map<number, NameChange[]>()
    for (const { path, node } of changes) {
      const cut = path.lastIndexOf('/')
      const folder = this.#now.get(cut < 0 ? '' : path.slice(0, cut))
      if (folder === undefined) throw new Error(`Expected the folder of ${path}.`)
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), { path: path.slice(cut + 1), node }])
    }
    for (const [folder, some] of byFolder) this.#namesOf(folder).changes.push(some)
    for (const { path, node } of changes) {
      if (node === undefined) this.#now.delete(path)
      else this.#now.set(path, node)
    }
  }

  #sync(number: number): void {
    const node = this.#nodeOf(number)
    if (node.isFolder) {
      const names = this.#namesOf(number)
      for (const change of names.changes.splice(0)) applyNames(names.firm, change)
      return
    }
    for (const change of node.changes.splice(0)) applyChange(node, change)
  }
}

const emptyNode = (isFolder: boolean): Node => ({ isFolder, firm: Buffer.alloc(0), firmLength: 0, changes: [] })

function applyNames(names: Map<string, number>, change: readonly NameChange[]): void {
  for (const { path, node } of change) {
    if (node === undefined) names.delete(path)
    else names.set(path, node)
  }
}

/** Applies a change. The buffer grows by doubling, since files grow in small pieces. */
function applyChange(node: Pick<Node, 'firm' | 'firmLength'>, change: Change): void {
  const length = 'length' in change ? change.length : Math.max(node.firmLength, change.at + change.bytes.length)
  if (length > node.firm.length) {
    const larger = Buffer.alloc(Math.max(length, node.firm.length * 2))
    node.firm.copy(larger, 0, 0, node.firmLength)
    node.firm = larger
  }
  if (length < node.firmLength) node.firm.fill(0, length, node.firmLength)
  node.firmLength = length
  if ('bytes' in change) change.bytes.copy(node.firm, change.at)
}

/** What happens to a change that was not flushed. */
type Fate = () => 'kept' | 'dropped' | 'torn'

/** Disks differ: some have written everything, some nothing, and some a part. */
function fateOf(random: () => number): Fate {
  const kind = random()
  if (kind < 0.15) return () => 'kept'
  if (kind < 0.4) return () => 'dropped'
  const kept = random()
  return () => (random() < kept ? 'kept' : random() < 0.5 ? 'torn' : 'dropped')
}

function namesAfter({ firm, changes }: Names, fate: Fate): Map<string, number> {
  const names = new Map(firm)
  for (const change of changes) if (fate() === 'kept') applyNames(names, change)
  return names
}

function bytesAfter({ firm, firmLength, changes }: Node, fate: Fate, random: () => number): Buffer {
  const after = { firm: Buffer.from(firm.subarray(0, firmLength)), firmLength }
  for (const change of changes) {
    const becomes = fate()
    if (becomes === 'kept') applyChange(after, change)
    else if (becomes === 'torn' && 'bytes' in change) {
      for (const sector of sectorsOf(change)) if (random() < 0.5) applyChange(after, sector)
    }
  }
  return after.firm.subarray(0, after.firmLength)
}

function* sectorsOf({ at, bytes }: { at: number; bytes: Buffer }): Generator<{ at: number; bytes: Buffer }> {
  for (let from = at; from < at + bytes.length; ) {
    const to = Math.min(at + bytes.length, (Math.floor(from / SECTOR) + 1) * SECTOR)
    yield { at: from, bytes: bytes.subarray(from - at, to - at) }
    from = to
  }
}
