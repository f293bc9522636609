/** Makes one node of another with as few steps as possible, so that a caret in the rest of it keeps its place. */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { TextSelection, type Transaction } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'
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
  if (current.inlineContent) updateText(transaction, position + 1, current, node)
  else updateChildren(transaction, position + 1, current.content.content, node.content.content)
  if (!isSame(current.attrs, node.attrs)) transaction.setNodeMarkup(position, null, node.attrs)
}

function updateText(transaction: Transaction, position: number, current: Node, node: Node): void {
  const start = current.content.findDiffStart(node.content)
  const end = current.content.findDiffEnd(node.content)
  if (start === null || end === null) return
  // The same characters may be counted from both sides: "aa" → "aaa".
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const slice = new Slice(node.content.cut(start, end.b + overlap), 0, 0)
  transaction.step(new ReplaceStep(position + start, position + end.a + overlap, slice))
}

/** Rows of a table, or cells of a row: those that are the same at the start and the end stay. The rest is compared in order. */
function updateChildren(transaction: Transaction, start: number, current: readonly Node[], now: readonly Node[]): void {
  const most = Math.min(current.length, now.length)
  const isSameAt = (index: number, other: number) => now[other] !== undefined && current[index]?.eq(now[other])
  let first = 0
  while (first < most && isSameAt(first, first)) first++
  let last = 0
  while (last < most - first && isSameAt(current.length - 1 - last, now.length - 1 - last)) last++
  let position = start + sizeOf(current.slice(0, first))
  const before = current.slice(first, current.length - last)
  const after = now.slice(first, now.length - last)
  for (const [index, node] of after.entries()) {
    const old = before[index]
    if (old !== undefined) updateNode(transaction, position, old, node)
    else transaction.step(new ReplaceStep(position, position, new Slice(Fragment.from(node), 0, 0)))
    position += node.nodeSize
  }
  const rest = sizeOf(before.slice(after.length))
  if (rest > 0) transaction.step(new ReplaceStep(position, position + rest, Slice.empty))
}

const sizeOf = (nodes: readonly Node[]): number => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0)
