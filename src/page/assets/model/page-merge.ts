/** Puts the changes of others into the document of the editor, beside what was typed and not sent yet. */
import { Fragment, type Node } from 'prosemirror-model'
import { type EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { addToGroup } from '../../../base/grouping.ts'
import { mergeTexts } from '../../../difference/merge-texts.ts'
import { isName } from '../unsent/placeholders.ts'
import { editableText, type Fields, markdownFor } from './block-text.ts'
import { schema } from './editor-schema.ts'
import { besideCaret, plainOf, updateNode } from './node-update.ts'
import { movedIds } from './order-merge.ts'
import { blockOf, idOf, isTextNode, nodeOf, type PageBlock } from './page-block.ts'
import { isSame } from './page-changes.ts'
import { mergeTables } from './table-change.ts'

/** What the server has: all IDs in order, and the blocks that changed. */
export interface ServerPage {
  order: readonly string[]
  blocks: readonly PageBlock[]
}

export interface Merged {
  transaction: Transaction
  /** What the server has, for the next comparison. */
  sent: PageBlock[]
  /** Blocks whose same words both sides changed. Their own text stays, and the server decides about it. */
  disputed: string[]
  /** Blocks that others deleted while their text was changed here: they are added again. */
  revived: string[]
  /** IDs of blocks that were not part of what was read. */
  missing: string[]
}

/** The transaction is not part of what undo takes back. */
export const REMOTE = 'remote'

/**
 * @param sent  the blocks as they were sent last, in order
 * @param newName  makes a placeholder for a block that is added again
 * @param keepsBlank  false to drop the empty block of a page that had none, once there are others
 */
export function mergePage(
  state: EditorState,
  sent: readonly PageBlock[],
  { order, blocks }: ServerPage,
  newName: () => string,
  keepsBlank: boolean,
): Merged {
  const base = new Map(sent.map((block) => [block.id, block]))
  const theirs = new Map(blocks.map((block) => [block.id, block]))
  const onServer = new Set(order)
  const isBlankPage = sent.length === 0 && blocks.length > 0 && isBlank(state.doc.content.content.map(blockOf))
  const local = isBlankPage && !keepsBlank ? [] : state.doc.content.content
  const localIds = new Set(local.map(idOf))
  const merged: Merged = { transaction: state.tr, sent: [], disputed: [], revived: [], missing: [] }

  /** The nodes that the document will have, by the IDs that they have in it now. */
  const nodes = new Map<string, Node>()
  for (const node of local) {
    const id = idOf(node)
    const before = base.get(id)
    if (before === undefined || onServer.has(id))
      nodes.set(id, withTypedSpace(mergeBlock(node, before, theirs.get(id), merged.disputed), node, state.selection))
    else if (isChanged(node, before)) {
      const name = newName()
      nodes.set(id, node.type.create({ ...node.attrs, id: name }, node.content, node.marks))
      merged.revived.push(name)
    }
  }
  for (const id of order) {
    // A block that is deleted here stays deleted until the call for it is answered.
    if (localIds.has(id) || base.has(id)) continue
    const block = theirs.get(id)
    if (block === undefined) merged.missing.push(id)
    else nodes.set(id, nodeOf(block))
  }
  const disputed = new Set(merged.disputed)
  merged.sent = order.flatMap((id) => {
    const block = disputed.has(id) || !nodes.has(id) ? base.get(id) : (theirs.get(id) ?? base.get(id))
    return block === undefined ? [] : [block]
  })
  const wanted = wantedOrder({ local: local.map(idOf), order, sent: sent.map(({ id }) => id), nodes })
  rebuild(merged.transaction, wanted, nodes)
  merged.transaction.setMeta('addToHistory', false).setMeta(REMOTE, true)
  return merged
}

const isChanged = (node: Node, before: PageBlock): boolean => {
  const { markdown, fields } = blockOf(node)
  return markdown !== before.markdown || !isSame(fields, before.fields)
}

function mergeBlock(
  node: Node,
  before: PageBlock | undefined,
  theirs: PageBlock | undefined,
  disputed: string[],
): Node {
  if (theirs === undefined) return node
  const mine = blockOf(node)
  if (mine.markdown === theirs.markdown && isSame(mine.fields, theirs.fields)) return node
  if (before === undefined || !isChanged(node, before)) return nodeOf(theirs)
  if (before.markdown === theirs.markdown && isSame(before.fields, theirs.fields)) return node
  const fields = isSame(mine.fields, before.fields) ? theirs.fields : mine.fields
  const text = mergeText(before, mine, theirs)
  if (text === undefined) {
    disputed.push(mine.id)
    return node
  }
  return nodeOf({ id: mine.id, fields, markdown: markdownFor(fields, text) })
}

/**
 * Markdown has no white space at the end of a text, but somebody who types there goes on with the next word: the space
 * stays behind the text that it was typed after.
 */
function withTypedSpace(merged: Node, node: Node, { $head, empty }: Selection): Node {
  const { content } = node
  const isTyping = empty && $head.parent === node && $head.parentOffset === content.size
  if (merged === node || !isTextNode(merged) || !isTyping) return merged
  const text = plainOf(content)
  const own = text.replace(/[ \t\u00a0]+$/, '')
  if (own === text || merged.content.size === 0) return merged
  const now = plainOf(merged.content)
  const at = now.startsWith(own) ? own.length : now.length
  const space = Fragment.from(schema.text(text.slice(own.length)))
  return merged.copy(merged.content.cut(0, at).append(space).append(merged.content.cut(at)))
}

function mergeText(before: PageBlock, mine: PageBlock, theirs: PageBlock): string | undefined {
  const [base = '', own = '', other = ''] = [before, mine, theirs].map(({ markdown, fields }) =>
    editableText(markdown, fields),
  )
  const areTables = [before, mine, theirs].every(({ fields }) => fields.type === 'table')
  if (own === other || other === base) return own
  if (own === base) return other
  // At the same place, what the server has already comes first, as when the server merges.
  return (areTables ? mergeTables(base, own, other) : undefined) ?? mergeTexts(base, own, other)
}

interface Orders {
  local: readonly string[]
  order: readonly string[]
  sent: readonly string[]
  nodes: ReadonlyMap<string, Node>
}

/**
 * The order of the document: that of the server, except for blocks that were moved here and not sent yet. They, and
 * those that only this document has, stand behind the block that they stand behind now.
 */
function wantedOrder({ local, order, sent, nodes }: Orders): string[] {
  const onServer = new Set(order)
  const known = new Set(sent)
  const there = local.filter((id) => known.has(id) && nodes.has(id))
  const kept = new Set(there)
  const own = movedIds(
    sent.filter((id) => kept.has(id)),
    there,
  )
  const isOwn = (id: string) => own.has(id) || !onServer.has(id)
  const wanted = order.filter((id) => nodes.has(id) && !isOwn(id))
  const places = new Map(wanted.map((id, index) => [id, index]))
  /** What stands behind a block of the server; undefined for the start. */
  const behind = new Map<string | undefined, string[]>()
  let anchor: string | undefined
  for (const id of local) {
    if (!nodes.has(id)) continue
    if (places.has(id)) anchor = id
    else addToGroup(behind, anchor, id)
  }
  return [...(behind.get(undefined) ?? []), ...wanted.flatMap((id) => [id, ...(behind.get(id) ?? [])])]
}

/** A place that does not depend on what stands before its block. */
interface Place {
  id: string
  offset: number
}

/** Changes the document so that it has these nodes, with as few steps as possible, so that carets and undo stay. */
export function rebuild(transaction: Transaction, wanted: readonly string[], nodes: ReadonlyMap<string, Node>): void {
  const there = new Set(wanted)
  const moved = movedIds(
    transaction.doc.content.content.map(idOf).filter((id) => there.has(id)),
    wanted,
  )
  besideCaret(transaction, () => updateMoved(transaction, moved, nodes))
  const { selection, doc } = transaction
  const before = doc.content.content
  const known = new Map(before.map((node) => [idOf(node), node]))
  const left: { from: number; to: number }[] = []
  let position = 0
  let index = 0
  /** Passes nodes that are removed in the end, so that the document never is without one. */
  const passLeft = () => {
    for (let node = before[index]; node !== undefined; node = before[++index]) {
      if (there.has(idOf(node)) && !moved.has(idOf(node))) return
      left.push({ from: position, to: position + node.nodeSize })
      position += node.nodeSize
    }
  }
  for (const id of wanted) {
    const node = nodes.get(id)
    if (node === undefined) continue
    const current = moved.has(id) ? undefined : known.get(id)
    if (current === undefined) transaction.insert(position, node)
    else {
      passLeft()
      if (current !== node) besideCaret(transaction, () => updateNode(transaction, position, current, node))
      index++
    }
    position += node.nodeSize
  }
  passLeft()
  if (wanted.length === 0) transaction.insert(position, nodeOf({ id: '', fields: { type: 'text' }, markdown: '' }))
  for (const { from, to } of left.reverse()) transaction.delete(from, to)
  const isMoved = (at: number) => moved.has(placeAt(doc, at)?.id ?? '')
  if (selection.ranges.some(({ $from, $to }) => isMoved($from.pos) || isMoved($to.pos - 1)))
    restoreSelection(transaction, doc, selection)
}

/** Changes the text of blocks before they are moved, so that a caret in it keeps its place among the words. */
function updateMoved(transaction: Transaction, moved: ReadonlySet<string>, nodes: ReadonlyMap<string, Node>): void {
  let position = transaction.doc.content.size
  for (const node of transaction.doc.content.content.toReversed()) {
    position -= node.nodeSize
    const now = moved.has(idOf(node)) ? nodes.get(idOf(node)) : undefined
    if (now !== undefined && idOf(now) === idOf(node)) updateNode(transaction, position, node, now)
  }
}

function placeAt(doc: Node, position: number): Place | undefined {
  let start = 0
  for (const node of doc.content.content) {
    if (position < start + node.nodeSize) return { id: idOf(node), offset: position - start }
    start += node.nodeSize
  }
  return undefined
}

/** Blocks that were moved are deleted and inserted again. What was selected stays so. */
function restoreSelection(transaction: Transaction, before: Node, selection: Selection): void {
  const { doc } = transaction
  const places = new Map<string, { start: number; end: number }>()
  doc.forEach((node, start) => {
    places.set(idOf(node), { start, end: start + node.nodeSize - 1 })
  })
  /** Undefined if the block is gone. */
  const nowAt = (position: number): number | undefined => {
    const place = placeAt(before, position)
    const now = place && places.get(place.id)
    return place && now && Math.min(now.start + place.offset, now.end)
  }
  const { anchor, head, positions }: SelectionPositions = selection.toJSON()
  const [from, to] = [nowAt(anchor), nowAt(head ?? anchor)]
  const [end = from] = [to]
  if (positions !== undefined) {
    const kept = positions.flatMap((position) => nowAt(position) ?? [])
    if (kept.length === 0) return
    const all = { ...selection.toJSON(), positions: kept, anchor: from, head: to }
    transaction.setSelection(Selection.fromJSON(doc, all))
  } else if (end !== undefined) {
    transaction.setSelection(TextSelection.between(doc.resolve(from ?? end), doc.resolve(end)))
  }
}

/** What is written of a selection of text, or of whole blocks. */
interface SelectionPositions {
  anchor: number
  head?: number
  positions?: readonly number[]
}

/** True for a page that has nothing but the empty block that the editor needs. */
export const isBlank = (blocks: readonly PageBlock[]): boolean =>
  blocks.length === 1 && blocks.every(({ id, fields, markdown }) => isName(id) && isPlain(fields) && markdown === '')

/** True for the fields of a text without marks. */
export const isPlain = (fields: Fields): boolean => isSame(fields, { type: 'text' })
