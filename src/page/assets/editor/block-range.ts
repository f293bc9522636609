/** A selection of whole blocks. They need not be consecutive. */
import { Fragment, type Node, type ResolvedPos, Slice } from 'prosemirror-model'
import { type Command, Selection, type SelectionBookmark, SelectionRange, TextSelection } from 'prosemirror-state'
import type { Mappable } from 'prosemirror-transform'
import type { Fields } from '../model/block-text.ts'
import { fieldsOfNode } from '../model/page-block.ts'
import { type BlockPlace, blockAround, blockAtIndex, blocksBetween, endOf, selectedBlocks } from './block-place.ts'

export class BlockRange extends Selection {
  /** Where the selected blocks begin, in order. */
  readonly positions: readonly number[]

  /** @param $anchor  before the block at which the selection began. @param $head  before the one that was added last */
  private constructor($anchor: ResolvedPos, $head: ResolvedPos, positions: readonly number[]) {
    super($anchor, $head, rangesOf($anchor.doc, positions))
    this.positions = positions
    this.visible = false
  }

  /** @param positions  before each block. @param head  before the block that the arrow keys go on from */
  static create(doc: Node, positions: readonly number[], head?: number, anchor?: number): BlockRange {
    const sorted = [...new Set(positions)].sort((one, other) => one - other)
    const last = head ?? sorted.at(-1) ?? 0
    return new BlockRange(doc.resolve(anchor ?? sorted[0] ?? 0), doc.resolve(last), sorted)
  }

  /** All blocks from one to another, both included. */
  static between(doc: Node, anchor: BlockPlace, head: BlockPlace): BlockRange {
    const [first, last] = [anchor.index, head.index].sort((one, other) => one - other)
    const positions = blocksBetween(doc, first ?? 0, last ?? 0).map(({ pos }) => pos)
    return BlockRange.create(doc, positions, head.pos, anchor.pos)
  }

  override content(): Slice {
    const { doc } = this.$anchor
    return new Slice(Fragment.fromArray(this.positions.flatMap((position) => doc.nodeAt(position) ?? [])), 0, 0)
  }

  override eq(other: Selection): boolean {
    return (
      other instanceof BlockRange &&
      this.anchor === other.anchor &&
      this.head === other.head &&
      this.positions.join() === other.positions.join()
    )
  }

  override map(doc: Node, mapping: Mappable): Selection {
    const kept = this.positions.flatMap((position) => {
      const { pos, deletedAfter } = mapping.mapResult(position, 1)
      return deletedAfter || !isBlockStart(doc, pos) ? [] : [pos]
    })
    if (kept.length === 0) return besides(doc, mapping.map(this.from))
    const found = (position: number) => {
      const mapped = mapping.map(position, 1)
      return kept.includes(mapped) ? mapped : undefined
    }
    return BlockRange.create(doc, kept, found(this.head), found(this.anchor))
  }

  override toJSON(): object {
    return { type: 'blocks', anchor: this.anchor, head: this.head, positions: this.positions }
  }

  static override fromJSON(doc: Node, { positions, head, anchor }: ReturnType<BlockRange['json']>): BlockRange {
    return BlockRange.create(doc, positions, head, anchor)
  }

  /** What {@link toJSON} returns. */
  json(): { positions: number[]; head: number; anchor: number } {
    return { positions: [...this.positions], head: this.head, anchor: this.anchor }
  }

  override getBookmark(): SelectionBookmark {
    return new RangeBookmark(this.positions, this.head)
  }
}

Selection.jsonID('blocks', BlockRange)

class RangeBookmark implements SelectionBookmark {
  readonly #positions: readonly number[]
  readonly #head: number

  constructor(positions: readonly number[], head: number) {
    this.#positions = positions
    this.#head = head
  }

  map(mapping: Mappable): SelectionBookmark {
    return new RangeBookmark(
      this.#positions.map((position) => mapping.map(position)),
      mapping.map(this.#head),
    )
  }

  resolve(doc: Node): Selection {
    const kept = this.#positions.filter((position) => isBlockStart(doc, position))
    if (kept.length === 0) return besides(doc, this.#head)
    return BlockRange.create(doc, kept, kept.includes(this.#head) ? this.#head : undefined)
  }
}

const isBlockStart = (doc: Node, position: number): boolean =>
  position >= 0 && position < doc.content.size && doc.resolve(position).depth === 0

/** The block that stands where selected blocks were. */
function besides(doc: Node, position: number): Selection {
  const place = blockAround(doc.resolve(Math.min(position, doc.content.size)))
  return BlockRange.create(doc, [place.pos])
}

function rangesOf(doc: Node, positions: readonly number[]): SelectionRange[] {
  const ranges: { from: number; to: number }[] = []
  for (const from of positions) {
    const to = from + (doc.nodeAt(from)?.nodeSize ?? 0)
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return ranges.map(({ from, to }) => new SelectionRange(doc.resolve(from), doc.resolve(to)))
}

/** Escape: selects the blocks that the selection touches. */
export const selectBlocks: Command = (state, dispatch) => {
  if (state.selection instanceof BlockRange) return false
  const places = selectedBlocks(state)
  const [first] = places
  const last = places.at(-1)
  if (first === undefined || last === undefined) return false
  dispatch?.(state.tr.setSelection(BlockRange.between(state.doc, first, last)))
  return true
}

/** The arrows, while blocks are selected. What a folded toggle or callout hides is passed. @param isMore  true to extend the selection */
export const selectNext =
  (direction: -1 | 1, isMore: boolean): Command =>
  (state, dispatch, view) => {
    const { selection, doc } = state
    if (!(selection instanceof BlockRange)) return false
    const isHidden = ({ pos }: BlockPlace) => (view?.nodeDOM(pos) as HTMLElement | null | undefined)?.hidden === true
    let next = blockAtIndex(doc, blockAround(selection.$head).index + direction)
    while (next !== undefined && isHidden(next)) next = blockAtIndex(doc, next.index + direction)
    if (next === undefined) return true
    const range = isMore
      ? BlockRange.between(doc, blockAround(selection.$anchor), next)
      : BlockRange.create(doc, [next.pos])
    dispatch?.(state.tr.setSelection(range).scrollIntoView())
    return true
  }

/** Ctrl A: first the text of the block, then all blocks. */
export const selectAll: Command = (state, dispatch) => {
  const { selection, doc, tr } = state
  const { $from, $to } = selection
  const isWithin = selection instanceof TextSelection && $from.sameParent($to)
  const isWhole = !isWithin || ($from.parentOffset === 0 && $to.parentOffset === $to.parent.content.size)
  if (!isWhole) dispatch?.(tr.setSelection(TextSelection.create(doc, $from.start(), $from.end())))
  else {
    const [first, last] = [blockAtIndex(doc, 0), blockAtIndex(doc, doc.childCount - 1)]
    if (first !== undefined && last !== undefined) dispatch?.(tr.setSelection(BlockRange.between(doc, first, last)))
  }
  return true
}

/** Enter, while blocks are selected: the caret goes to the end of the text. Pages, boards and collections are opened. */
export const openSelected: Command = (state, dispatch, view) => {
  const { selection, doc } = state
  if (!(selection instanceof BlockRange)) return false
  const place = blockAround(selection.$head)
  if (place.node.isAtom) return followBlock(view?.nodeDOM(place.pos), fieldsOfNode(place.node))
  const { type } = fieldsOfNode(place.node)
  const near =
    type === 'table' ? Selection.near(doc.resolve(place.pos + 1), 1) : Selection.near(doc.resolve(endOf(place) - 1), -1)
  dispatch?.(state.tr.setSelection(near).scrollIntoView())
  return true
}

/** Opens what a block shows. @returns false if it has no page of its own */
function followBlock(element: globalThis.Node | null | undefined, { type, textStyle }: Fields): boolean {
  if (!OPENED.has(type) && textStyle !== 'card' && textStyle !== 'page') return false
  const link = element instanceof HTMLElement ? element.querySelector<HTMLAnchorElement>('a[href]:not(.who a)') : null
  link?.click()
  return link !== null
}

const OPENED: ReadonlySet<Fields['type']> = new Set(['page', 'whiteboard', 'collection', 'collectionItem'])
