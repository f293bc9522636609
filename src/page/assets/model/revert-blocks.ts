/** Gives blocks of the editor the text that the server has. */
import type { EditorState, Transaction } from 'prosemirror-state'
import { isName } from '../unsent/placeholders.ts'
import { idOf, nodeOf, type PageBlock } from './page-block.ts'
import { REMOTE, rebuild } from './page-merge.ts'

/**
 * @param sent  the blocks of the server, in order
 * @param ids  blocks to give back their text and place; those that are only here are removed
 */
export function revertBlocks(state: EditorState, sent: readonly PageBlock[], ids: ReadonlySet<string>): Transaction {
  const local = state.doc.content.content
  const nodes = new Map(local.map((node) => [idOf(node), node]))
  const order = local.map(idOf).filter((id) => !ids.has(id))
  for (const [index, block] of sent.entries()) {
    const { id } = block
    if (!ids.has(id)) continue
    const before = sent.slice(0, index).findLast((one) => order.includes(one.id))
    order.splice(before === undefined ? 0 : order.indexOf(before.id) + 1, 0, id)
    nodes.set(id, nodeOf(block))
  }
  for (const id of ids) if (isName(id)) nodes.delete(id)
  const transaction = state.tr
  rebuild(transaction, order, nodes)
  return transaction.setMeta('addToHistory', false).setMeta(REMOTE, true)
}
