/** Gives each block an ID of its own: a placeholder for new blocks, and for those whose ID stands twice. */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state'
import { newName } from '../unsent/placeholders.ts'
import { blockWithId } from './block-place.ts'

/** @param name  makes a placeholder */
export const blockIds = (name: () => string = newName): Plugin =>
  new Plugin({
    appendTransaction: (transactions, before, after) => {
      if (!transactions.some(({ docChanged }) => docChanged) || hasSameIds(before.doc, after.doc)) return null
      const missing = blocksWithoutId(transactions, before, after)
      if (missing.length === 0) return null
      const { tr } = after
      for (const position of missing) tr.setNodeAttribute(position, 'id', name())
      return tr
    },
  })

/** True if the blocks are the same ones in the same order. Blocks that stayed are compared by identity. */
function hasSameIds(before: Node, after: Node): boolean {
  if (before.childCount !== after.childCount) return false
  for (let index = 0; index < after.childCount; index++) {
    const [old, now] = [before.child(index), after.child(index)]
    if (old !== now && (now.attrs.id === '' || old.attrs.id !== now.attrs.id)) return false
  }
  return true
}

function blocksWithoutId(transactions: readonly Transaction[], before: EditorState, { doc }: EditorState): number[] {
  const places = new Map<string, number[]>()
  doc.forEach(({ attrs }, position) => {
    const id = String(attrs.id)
    const known = places.get(id)
    if (known === undefined) places.set(id, [position])
    else known.push(position)
  })
  return [...places]
    .flatMap(([id, positions]) => {
      if (id === '') return positions
      if (positions.length === 1) return []
      const kept = keeperOf(id, transactions, before)
      const owner = positions.find((position) => position === kept) ?? positions[0]
      return positions.filter((position) => position !== owner)
    })
    .sort((one, other) => one - other)
}

/** Where the block that had the ID before stands now. */
function keeperOf(id: string, transactions: readonly Transaction[], before: EditorState): number | undefined {
  const place = blockWithId(before.doc, id)
  if (place === undefined) return undefined
  return transactions.reduce((position, { mapping }) => mapping.map(position, 1), place.pos)
}
