/** Makes one node of another with as few steps as possible, so that a caret in the rest of it keeps its place. */

import { diffArrays } from 'diff/lib/diff/array.js'
import { type Fragment, type Node, Slice } from 'prosemirror-model'
import { TextSelection, type Transaction } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'
import { textEdits } from '../../../difference/text-edits.ts'
import { isSame } from './page-changes.ts'

/** Makes changes of others. What they put in at the caret stands behind it, so that a word that is being typed goes on. */
export function besideCaret(transaction: Transaction, change: () => void): Transaction {
  const { selection, steps } = transaction
  const begun = steps.length
  change()
  if (!(selection instanceof TextSelection) || steps.length === begun) return transaction
  const mapping = transaction.mapping.slice(begun)
  const [$anchor, $head] = [selection.anchor, selection.head].map((at) => transaction.doc.resolve(mapping.map(at, -1)))
  if ($anchor === undefined || $head === undefined) return transaction
  return transaction.setSelection(TextSelection.between($anchor, $head))
}

/** @param position  before the current node */
export function updateNode(transaction: Transaction, position: number, current: Node, node: Node): void {
  if (current.eq(node)) return
  if (current.type !== node.type) {
    transaction.replaceWith(position, position + current.nodeSize, node)
    return
  }
  if (current.inlineContent) updateText(transaction, position + 1, current.content, node.content)
  else updateChildren(transaction, position + 1, current.content.content, node.content.content)
  if (!isSame(current.attrs, node.attrs)) transaction.setNodeMarkup(position, null, node.attrs)
}

/**
 * Makes one text of another. The changes are steps of their own, so that what is between them keeps its caret, and undo
 * its place.
 *
 * @param position  of the start of the text
 */
export function updateText(transaction: Transaction, position: number, current: Fragment, now: Fragment): void {
  const found = textEdits(plainOf(current), plainOf(now))
  if (found.length > MOST_STEPS) {
    replaceAll(transaction, position, current, now)
    return
  }
  let difference = 0
  const edits = found.map((edit) => {
    const start = edit.from + difference
    difference += edit.text.length - (edit.to - edit.from)
    return { ...edit, slice: new Slice(now.cut(start, start + edit.text.length), 0, 0) }
  })
  for (const { from, to, slice } of edits.toReversed())
    transaction.step(new ReplaceStep(position + from, position + to, slice))
  updateMarks(transaction, position, now)
}

/** The characters are the same by now. Marks, and what is no text, may differ. */
function updateMarks(transaction: Transaction, position: number, wanted: Fragment): void {
  const text = () => transaction.doc.resolve(position).parent.content
  let steps = 0
  for (let start = text().findDiffStart(wanted); start !== null; steps++) {
    const [old, now] = [pieceAt(text(), start), pieceAt(wanted, start)]
    if (old === undefined || now === undefined) return
    const end = Math.min(old.end, now.end)
    const [from, to] = [position + start, position + end]
    if (old.node.isText && now.node.isText) {
      for (const mark of old.node.marks) if (!mark.isInSet(now.node.marks)) transaction.removeMark(from, to, mark)
      for (const mark of now.node.marks) if (!mark.isInSet(old.node.marks)) transaction.addMark(from, to, mark)
    } else transaction.step(new ReplaceStep(from, to, new Slice(wanted.cut(start, end), 0, 0)))
    const next = text().findDiffStart(wanted)
    // Marks that exclude each other can leave a piece as it was.
    if (next !== null && (next <= start || steps === MOST_STEPS)) {
      replaceAll(transaction, position, text(), wanted)
      return
    }
    start = next
  }
}

/** More changes than these in one text become one: each step copies the text. */
const MOST_STEPS = 200

function replaceAll(transaction: Transaction, position: number, current: Fragment, now: Fragment): void {
  transaction.step(new ReplaceStep(position, position + current.size, new Slice(now, 0, 0)))
}

/** The piece of text that begins at or before an offset, and where it ends. */
function pieceAt(content: Fragment, offset: number): { node: Node; end: number } | undefined {
  let end = 0
  for (const node of content.content) {
    end += node.nodeSize
    if (offset < end) return { node, end }
  }
  return undefined
}

/** Rows of a table, or cells of a row. Those that are much the same are changed, and the others added or removed. */
function updateChildren(transaction: Transaction, start: number, current: readonly Node[], now: readonly Node[]): void {
  let position = start
  for (const [old, node] of pairsOf(current, now)) {
    if (old === undefined) transaction.insert(position, node as Node)
    else if (node === undefined) transaction.step(new ReplaceStep(position, position + old.nodeSize, Slice.empty))
    else updateNode(transaction, position, old, node)
    position += node?.nodeSize ?? 0
  }
}

/** Beyond so many pairs of rows, those that changed are compared in order. */
const COMPARED_PAIRS = 10_000

type Pair = [old: Node | undefined, now: Node | undefined]

/** What becomes of each node, in order. Nodes without a counterpart that stand at the same place are one another's. */
function pairsOf(current: readonly Node[], now: readonly Node[]): Pair[] {
  const pairs: Pair[] = []
  let [old, added]: [readonly Node[], readonly Node[]] = [[], []]
  const endGap = () => {
    pairs.push(...pairsInGap(old, added))
    old = []
    added = []
  }
  let [at, nowAt] = [0, 0]
  for (const change of diffArrays([...current], [...now], { comparator: (one, other) => one.eq(other) })) {
    const { length } = change.value
    if (change.removed) old = [...old, ...current.slice(at, at + length)]
    else if (change.added) added = [...added, ...now.slice(nowAt, nowAt + length)]
    else {
      endGap()
      for (let index = 0; index < length; index++) pairs.push([current[at + index], now[nowAt + index]])
    }
    if (!change.added) at += length
    if (!change.removed) nowAt += length
  }
  endGap()
  return pairs
}

/** Among what changed, those belong together that have most in common. */
function pairsInGap(old: readonly Node[], now: readonly Node[]): Pair[] {
  const [first, ...rest] = old
  if (first === undefined) return now.map((node) => [undefined, node])
  if (old.length === now.length || old.length * now.length > COMPARED_PAIRS)
    return Array.from({ length: Math.max(old.length, now.length) }, (_, index) => [old[index], now[index]])
  const like = mostAlike(first, now)
  if (like !== undefined) {
    const added = now.slice(0, like).map((node): Pair => [undefined, node])
    return [...added, [first, now[like]], ...pairsInGap(rest, now.slice(like + 1))]
  }
  // Of more than there are now, the first one that is like none of them is gone.
  if (old.length > now.length) return [[first, undefined], ...pairsInGap(rest, now)]
  return [[first, now[0]], ...pairsInGap(rest, now.slice(1))]
}

/** The index of the row that has the most cells of another one; undefined if none has any. */
function mostAlike(row: Node, rows: readonly Node[]): number | undefined {
  const cells = textsIn(row)
  const counts = rows.map((other) => textsIn(other).filter((text) => text !== '' && cells.includes(text)).length)
  const most = Math.max(0, ...counts)
  return most === 0 ? undefined : counts.indexOf(most)
}

const textsIn = (node: Node): string[] => node.children.map(({ textContent }) => textContent)

/** One character per position. */
export const plainOf = (content: Fragment): string => content.textBetween(0, content.size, '', '\ufffc')
