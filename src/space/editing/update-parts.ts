/** Splits changes of blocks: one part for each block, also of a page that is edited as text. */
import { childBlocks, parentBlock } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { isObject } from '../../base/is-object.ts'
import { BLOCKS_PER_CALL, PARTS_PER_PROPOSAL } from '../../base/limits.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { hasTitle } from '../../markdown/block-traits.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { readBlockTree } from '../blocks/block-tree.ts'
import { visibleFields } from '../content/visible-fields.ts'
import type { CallPart, CallSplitter, FinishedCall, GivenArguments } from '../model/call-parts.ts'
import type { Space } from '../model/space.ts'
import { getBlock } from '../reading/get-block.ts'

export const blockUpdateParts: CallSplitter = {
  readBefore,
  split: (given, call) => (Array.isArray(given.blocks) ? entriesOf(given) : textEditParts(call)),
  merging: { withBase, withoutBase },
}

interface Entry extends GivenArguments {
  id?: unknown
}

const entriesOf = ({ blocks, partial: _, ...others }: GivenArguments): CallPart[] =>
  (blocks as Entry[]).map((block) => ({
    arguments: { ...others, blocks: [block] },
    kind: 'changed',
    subject: String(block.id),
  }))

/** Fields beside which no text is merged: see `assertMergeable` in block-conditions.ts. */
const UNMERGED = ['base', 'expected', 'expectedMarkdown', 'revision', 'rawCode', 'rows'] as const

async function withBase(space: Space, given: GivenArguments): Promise<GivenArguments | undefined> {
  const blocks = (Array.isArray(given.blocks) ? given.blocks : []) as Entry[]
  const ids = await space.readIds(blocks.map(({ id }) => String(id)))
  const rows = await space.findReachableBlocks([...ids.values()])
  const visible = await visibleFields(space, rows)
  const byId = new Map(rows.map((row) => [row.id, row]))
  let count = 0
  const merging = blocks.map((block) => {
    const row = byId.get(ids.get(String(block.id)) ?? 0)
    const base = row && baseOf(row, visible(row), block)
    if (base === undefined) return block
    count++
    return { ...block, base }
  })
  return count === 0 ? undefined : { ...given, blocks: merging }
}

function baseOf(row: BlockRow, visible: BlockFields, block: Entry): string | undefined {
  if (UNMERGED.some((key) => block[key] !== undefined && block[key] !== null)) return undefined
  const { markdown, title } = block
  if (typeof markdown === 'string' && title === undefined) return blockMarkdown(visible)
  if (typeof title !== 'string' || markdown !== undefined) return undefined
  return hasTitle(row.type) && row.type !== 'collection' ? plainTitle(visible.text) : undefined
}

function withoutBase(given: GivenArguments): GivenArguments | undefined {
  const blocks = (Array.isArray(given.blocks) ? given.blocks : []) as Entry[]
  if (!blocks.some(({ base }) => base !== undefined)) return undefined
  return { ...given, blocks: blocks.map(({ base: _, ...block }) => block) }
}

/** What an edit of a page as text has done, as its answer says. */
interface EditAnswer {
  added?: string[]
  changed?: string[]
  moved?: string[]
  deleted?: string[]
}

/** The blocks of a page that is edited as text, by ID. */
async function readBefore(space: Space, { pageId }: GivenArguments): Promise<ReadonlyMap<number, BlockFields>> {
  const id = (await space.readIds([String(pageId)])).get(String(pageId))
  const [page] = id === undefined ? [] : await space.findReachableBlocks([id])
  if (page === undefined) return new Map()
  const rows = [...(await readBlockTree(space, page)).rows.values()]
  return new Map(rows.map((row) => [row.id, fieldsFromRow(row)]))
}

/** Fields that the Markdown of a block says, and that a change of its text alone would keep. */
const KINDS = { listStyle: 'none', textStyle: 'body', indentationLevel: 0 } as const

/** What an edit has made of the kind of a block. */
function changedKind(before: BlockFields | undefined, after: BlockFields): GivenArguments {
  const keys = Object.keys(KINDS) as (keyof typeof KINDS)[]
  const changed = keys.filter((key) => before !== undefined && before[key] !== after[key])
  return Object.fromEntries(changed.map((key) => [key, after[key] ?? KINDS[key]]))
}

/** One call for each block that the edit has added, changed, moved or deleted. */
async function textEditParts({ space, answer, before }: FinishedCall): Promise<CallPart[] | undefined> {
  if (!isObject(answer)) return undefined
  const { added = [], changed = [], moved = [], deleted = [] } = answer as EditAnswer
  // What is decided as a whole need not be split.
  if (changed.length + moved.length + deleted.length > PARTS_PER_PROPOSAL) return undefined
  const ids = await space.readIds([...added, ...changed, ...moved])
  const rows = new Map((await space.findReachableBlocks([...ids.values()])).map((row) => [row.id, row]))
  const rowsOf = (texts: readonly string[]) => texts.flatMap((text) => rows.get(ids.get(text) ?? 0) ?? [])
  const visible = await visibleFields(space, rowsOf(changed))
  const parts = rowsOf(changed).map((row): CallPart => {
    const fields = visible(row)
    const kind = changedKind((before as ReadonlyMap<number, BlockFields>).get(row.id), fields)
    const blocks = [{ id: String(row.id), markdown: blockMarkdown(fields), ...kind }]
    return { tool: 'blocks_update', arguments: { blocks }, kind: 'changed', subject: String(row.id) }
  })
  const placed = await new Placing(space, rowsOf(added), rowsOf(moved)).parts()
  if (placed === undefined) return undefined
  parts.push(...placed)
  for (const id of deleted) {
    parts.push({ tool: 'blocks_delete', arguments: { blockIds: [id] }, kind: 'removed', subject: id })
  }
  return parts.length > 0 ? parts : undefined
}

/** The calls that put blocks where an edited text has them. */
class Placing {
  readonly #space: Space
  readonly #added: readonly BlockRow[]
  readonly #moved: readonly BlockRow[]
  readonly #isAdded: ReadonlySet<number>
  readonly #isMoved: ReadonlySet<number>
  readonly #children = new Map<number, readonly BlockRow[]>()
  readonly #parts = new Map<number, CallPart>()

  constructor(space: Space, added: readonly BlockRow[], moved: readonly BlockRow[]) {
    this.#space = space
    // Their IDs are in reading order.
    this.#added = added.toSorted((one, other) => one.id - other.id)
    this.#moved = moved
    this.#isAdded = new Set(added.map(({ n }) => n))
    this.#isMoved = new Set(moved.map(({ n }) => n))
  }

  /** Undefined if there are more than a person decides on one by one. */
  async parts(): Promise<CallPart[] | undefined> {
    // What stands in a new block comes with it.
    const added = this.#added.filter(({ parent }) => !this.#isAdded.has(parent ?? 0))
    if (added.length > PARTS_PER_PROPOSAL) return undefined
    for (const row of added) await this.#place(row)
    for (const row of this.#moved) await this.#place(row)
    return [...this.#parts.values()]
  }

  async #place(row: BlockRow): Promise<void> {
    if (this.#parts.has(row.n)) return
    const { anchor, position } = await this.#placeOf(row)
    if (anchor !== undefined && this.#isMoved.has(anchor.n)) await this.#place(anchor)
    const blockIds = [String(row.id)]
    this.#parts.set(
      row.n,
      this.#isAdded.has(row.n)
        ? {
            ...{ tool: 'blocks_add', kind: 'added', order: 'position' },
            arguments: { ...(await this.#text(row)), position },
          }
        : { ...{ tool: 'blocks_move', kind: 'moved', subject: String(row.id) }, arguments: { blockIds, position } },
    )
  }

  /** Behind the block before it that is not new, or at the start of its page. What is new there is one list. */
  async #placeOf(row: BlockRow): Promise<{ anchor: BlockRow | undefined; position: object }> {
    const parent = await parentBlock(this.#space.tx, row)
    if (parent === undefined) throw new Error(`Expected block ${row.id} in a page.`)
    const children = this.#children.get(parent.n) ?? (await childBlocks(this.#space.tx, parent))
    this.#children.set(parent.n, children)
    const before = children.slice(
      0,
      children.findIndex(({ n }) => n === row.n),
    )
    const anchor = before.findLast(({ n }) => !this.#isAdded.has(row.n) || !this.#isAdded.has(n))
    const position =
      anchor === undefined
        ? { position: 'start', pageId: String(parent.id) }
        : { position: 'after', siblingId: String(anchor.id) }
    return { anchor, position }
  }

  async #text({ id, type, indentation }: BlockRow): Promise<object> {
    const whole = { id, maxDepth: -1, fetchMetadata: false, maxBlocks: BLOCKS_PER_CALL } as const
    const { body: markdown } = await getBlock(this.#space, { ...whole, format: 'markdown' })
    return type === 'text' && indentation > 0
      ? { blocks: [{ type, markdown, indentationLevel: indentation }] }
      : { markdown }
  }
}
