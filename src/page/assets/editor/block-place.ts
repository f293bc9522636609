/** Where blocks stand in the document of the editor, and which of them are selected. */
import type { Node, ResolvedPos } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import { ListNumbers } from '../../../markdown/list-numbers.ts'
import { fieldsOfNode } from '../model/page-block.ts'

/** A block, its position in the document, and its index among the blocks. */
export interface BlockPlace {
  node: Node
  pos: number
  index: number
}

export const levelOfNode = (node: Node): number => fieldsOfNode(node).indentationLevel ?? 0

export const endOf = ({ node, pos }: BlockPlace): number => pos + node.nodeSize

/** The block around a position, or after one between blocks. */
export function blockAround($pos: ResolvedPos): BlockPlace {
  const { doc } = $pos
  const index = Math.min($pos.index(0), doc.childCount - 1)
  const pos = $pos.depth > 0 ? $pos.before(1) : $pos.posAtIndex(index, 0)
  return { node: doc.child(index), pos, index }
}

/** The block at an index. */
export function blockAtIndex(doc: Node, index: number): BlockPlace | undefined {
  if (index < 0 || index >= doc.childCount) return undefined
  return { node: doc.child(index), pos: doc.resolve(0).posAtIndex(index, 0), index }
}

export const blockBefore = (doc: Node, { index }: BlockPlace): BlockPlace | undefined => blockAtIndex(doc, index - 1)
export const blockAfter = (doc: Node, { index }: BlockPlace): BlockPlace | undefined => blockAtIndex(doc, index + 1)

/** The block with an ID. */
export function blockWithId(doc: Node, id: string): BlockPlace | undefined {
  let pos = 0
  for (let index = 0; index < doc.childCount; index++) {
    const node = doc.child(index)
    if (node.attrs.id === id) return { node, pos, index }
    pos += node.nodeSize
  }
  return undefined
}

/** Blocks from one index to another, both included. */
export function blocksBetween(doc: Node, first: number, last: number): BlockPlace[] {
  const places: BlockPlace[] = []
  let pos = doc.resolve(0).posAtIndex(first, 0)
  for (let index = first; index <= last && index < doc.childCount; index++) {
    const node = doc.child(index)
    places.push({ node, pos, index })
    pos += node.nodeSize
  }
  return places
}

/** The blocks that the selection touches. */
export function selectedBlocks({ doc, selection }: EditorState): BlockPlace[] {
  const indexes = new Set<number>()
  for (const { $from, $to } of selection.ranges) {
    const first = $from.index(0)
    const last = $to.depth === 0 ? Math.max(first, $to.index(0) - 1) : $to.index(0)
    for (let index = first; index <= last; index++) indexes.add(index)
  }
  return [...indexes].sort((a, b) => a - b).flatMap((index) => blockAtIndex(doc, index) ?? [])
}

/** Blocks with everything that is nested below them, in order and each once. */
export function withNested(doc: Node, places: readonly BlockPlace[]): BlockPlace[] {
  const all = new Map<number, BlockPlace>()
  for (const place of places) {
    const level = levelOfNode(place.node)
    let next: BlockPlace | undefined = place
    do {
      all.set(next.index, next)
      const after: BlockPlace | undefined =
        next.index + 1 < doc.childCount
          ? { node: doc.child(next.index + 1), pos: endOf(next), index: next.index + 1 }
          : undefined
      next = after
    } while (next !== undefined && levelOfNode(next.node) > level)
  }
  return [...all.values()].sort((one, other) => one.index - other.index)
}

/** Groups blocks into runs of consecutive ones. */
export function runsOfBlocks(places: readonly BlockPlace[]): BlockPlace[][] {
  const runs: BlockPlace[][] = []
  for (const place of places) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1)?.index === place.index - 1) run.push(place)
    else runs.push([place])
  }
  return runs
}

/** The number of the list item above a block on its level, past what is nested in it; undefined for none. */
export function numberAbove(doc: Node, { index, node }: BlockPlace): number | undefined {
  const numbers = new ListNumbers()
  for (let at = 0; at < index; at++) {
    const { listStyle, number } = fieldsOfNode(doc.child(at))
    numbers.next({ level: levelOfNode(doc.child(at)), isNumbered: listStyle === 'numbered', number })
  }
  return numbers.count(levelOfNode(node)) || undefined
}
