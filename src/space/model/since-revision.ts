/**
 * What happened to blocks since their callers read them. A caller names the revision of the document that the block was
 * in. The history says what changed since, in whichever document the block was.
 */
import {
  additionsOfBlocks,
  type BlockRemoval,
  lastChangesOfBlocks,
  removalsOfBlocks,
  revisionCalls,
} from '../../../storage/block-history.ts'
import { documentsByNumbers } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { REVISIONS_BACK } from '../../base/limits.ts'
import { iterateCooperatively, readInChunks } from '../../base/scheduling.ts'
import type { InputErrors } from './input-errors.ts'
import { parseBlockRevision } from './revisions.ts'
import type { Space } from './space.ts'

/** A block, and the revision that its caller read it with. */
export interface BlockAtRevision {
  row: BlockRow
  revision: unknown
  /** True if the caller says that it read the block in the document in which it is now. */
  namesDocument: boolean
  /** Of the revision in the call. */
  path: string
}

/**
 * `elsewhere` is a block that did not change since its document had the revision, but did since the document from which
 * it was moved had the same one.
 */
export type SinceRevision = 'nothing' | 'others changed' | 'changed' | 'elsewhere'

/** Rows and documents that one statement is asked for. */
const PER_STATEMENT = 2_000

/**
 * Compares blocks with their states at revisions. A move to another document is a change, one within the document is
 * none. What the history no longer has counts as changed. The number of statements does not depend on that of the
 * blocks, apart from chunks.
 *
 * @param errors  gets what is no revision of the block's document; such blocks are missing in the result
 */
export async function compareSinceRevisions<Read extends BlockAtRevision>(
  space: Space,
  blocks: readonly Read[],
  errors: InputErrors,
): Promise<Map<Read, SinceRevision>> {
  const since = new Map<Read, SinceRevision>()
  if (blocks.length === 0) return since
  const revisions = new Revisions(space)
  await revisions.readDocuments(blocks.map(({ row }) => row.document))
  const parsed: { read: Read; row: BlockRow; revision: number }[] = []
  for await (const read of iterateCooperatively(blocks)) {
    try {
      parsed.push({
        read,
        row: read.row,
        revision: parseBlockRevision(read.revision, revisions.current(read.row.document)),
      })
    } catch (error) {
      errors.addError(read.path, error)
      if (errors.hasTooMany) break
    }
  }
  const numbers = [...new Set(parsed.map(({ row }) => row.n))]
  const last = new Map<number, { content: number; moved: number }>()
  for (const { row, content, moved } of await readInChunks(numbers, PER_STATEMENT, (some) =>
    lastChangesOfBlocks(space.tx, some),
  )) {
    last.set(row, { content: content ?? 0, moved: moved ?? 0 })
  }
  await revisions.readCalls(parsed.map(({ row, revision }) => ({ document: row.document, revision })))
  const mayBeElsewhere: typeof parsed = []
  for await (const one of iterateCooperatively(parsed)) {
    const { content = 0, moved = 0 } = last.get(one.row.n) ?? {}
    const call = revisions.callAfter(one.row.document, one.revision)
    const hasChanged = call === 0 || Math.max(content, moved) >= call
    since.set(one.read, call === Infinity ? 'nothing' : hasChanged ? 'changed' : 'others changed')
    if (!hasChanged && content > 0 && moved > 0 && !one.read.namesDocument) mayBeElsewhere.push(one)
  }
  const stays = await earlierStays(space, [...new Set(mayBeElsewhere.map(({ row }) => row.n))])
  const pairs = mayBeElsewhere.flatMap((one) =>
    (stays.get(one.row.n) ?? [])
      .filter(({ document }) => document !== one.row.document)
      .map((stay) => ({ ...one, stay, document: stay.document })),
  )
  await revisions.readDocuments(pairs.map(({ document }) => document))
  await revisions.readCalls(
    pairs.flatMap(({ document, revision }) => [revision, revision - 1].map((one) => ({ document, revision: one }))),
  )
  for await (const { read, row, revision, stay } of iterateCooperatively(pairs)) {
    const { content = 0 } = last.get(row.n) ?? {}
    if (revisions.mayHaveBeenReadBefore(content, stay, revision)) since.set(read, 'elsewhere')
  }
  return since
}

/** A time that a block spent in a document, between two calls. */
interface Stay {
  document: number
  from: number
  to: number
}

/** The documents in which blocks were before those in which they are, oldest first. */
async function earlierStays({ tx }: Space, rows: readonly number[]): Promise<Map<number, Stay[]>> {
  const stays = new Map<number, Stay[]>()
  if (rows.length === 0) return stays
  const additions = await readInChunks(rows, PER_STATEMENT, (some) => additionsOfBlocks(tx, some))
  const added = new Map(additions.map(({ row, call }) => [row, call]))
  const departures = await readInChunks(
    rows,
    PER_STATEMENT,
    (some): Promise<BlockRemoval[]> => removalsOfBlocks(tx, some),
  )
  for (const { row, call, document } of departures) {
    const before = stays.get(row) ?? []
    stays.set(row, before)
    before.push({ document, from: before.at(-1)?.to ?? added.get(row) ?? 0, to: call })
  }
  return stays
}

/** When documents had which revision, as far as the history has it. */
class Revisions {
  readonly #space: Space
  readonly #current = new Map<number, number>()
  readonly #calls = new Map<string, number>()

  constructor(space: Space) {
    this.#space = space
  }

  async readDocuments(documents: readonly number[]): Promise<void> {
    const unknown = [...new Set(documents)].filter((one) => !this.#current.has(one))
    for (const { n, revision } of await readInChunks(unknown, PER_STATEMENT, (some) =>
      some.length === 0 ? Promise.resolve([]) : documentsByNumbers(this.#space.tx, some),
    )) {
      this.#current.set(n, revision)
    }
  }

  /** Reads the calls that ended these revisions. Each is read once. */
  async readCalls(revisions: readonly { document: number; revision: number }[]): Promise<void> {
    const documents = new Set<number>()
    const laters = new Set<number>()
    for (const { document, revision } of revisions) {
      const later = this.current(document) - revision - 1
      if (later < 0 || later >= REVISIONS_BACK) continue
      documents.add(document)
      laters.add(later)
    }
    if (documents.size === 0) return
    const calls = await readInChunks([...documents], PER_STATEMENT, (some) =>
      revisionCalls(this.#space.tx, some, [...laters]),
    )
    for (const { document, call, later } of calls) this.#calls.set(`${document} ${later}`, call)
  }

  /** The number of the present revision, or 0 if the document does not exist. */
  current(document: number): number {
    return this.#current.get(document) ?? 0
  }

  /** The first call after a revision. Infinity if it is the present one, and 0 if history does not reach back to it. */
  callAfter(document: number, revision: number): number {
    const later = this.current(document) - revision - 1
    return later < 0 ? Infinity : (this.#calls.get(`${document} ${later}`) ?? 0)
  }

  /**
   * True if a block may have been read with this revision during a stay in a document, before a call changed it. A
   * document that is gone may have had any revision.
   */
  mayHaveBeenReadBefore(call: number, { document, from, to }: Stay, revision: number): boolean {
    const current = this.#current.get(document)
    if (current === undefined) return true
    if (revision > current) return false
    const end = this.callAfter(document, revision)
    // The call that began the revision is the one that ended the one before it.
    const begin = this.callAfter(document, revision - 1)
    return begin < to && (end > from || from === 0) && call >= end
  }
}
