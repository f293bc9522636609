/** Says what was done with whole blocks, which no caret shows: selected, moved, deleted. The block that is selected says what it is. */
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { announce, speak } from '../announcement.ts'
import { count } from '../page-text.ts'
import { blockInWords } from './block-names.ts'
import { blockAround, withNested } from './block-place.ts'
import { BlockRange } from './block-range.ts'

interface Spoken {
  text: string
  /** True for what everybody else sees. */
  isHidden?: boolean
  /** True if it says what is selected. */
  isSelection?: boolean
}

const key = new PluginKey<Spoken | undefined>('spoken')

/** Says that blocks were moved, once the transaction is applied. */
export const sayMoved = (transaction: Transaction, moved: number): Transaction =>
  transaction.setMeta(key, { text: count(moved, { one: 'Moved', other: '{n} blocks moved' }) })

/** Says that blocks were deleted, once the transaction is applied. */
export const sayDeleted = (transaction: Transaction, deleted: number): Transaction =>
  transaction.setMeta(key, {
    text: count(deleted, {
      one: 'Deleted. Undo restores them.',
      other: '{n} blocks deleted. Undo restores them.',
    }),
  })

export const spokenChanges = (): Plugin<Spoken | undefined> =>
  new Plugin<Spoken | undefined>({
    key,
    state: {
      init: () => undefined,
      apply(transaction, spoken, before, { selection }) {
        const given: Spoken | undefined = transaction.getMeta(key)
        if (given !== undefined || !(selection instanceof BlockRange) || transaction.docChanged) return given ?? spoken
        if (selection.eq(before.selection)) return spoken
        const group = withNested(
          selection.$from.doc,
          selection.positions.map((position) => blockAround(selection.$from.doc.resolve(position))),
        )
        const [only] = group
        if (only === undefined) return spoken
        if (group.length === 1) return { text: blockInWords(only.node), isHidden: true }
        return {
          text: count(group.length, { one: '{n} block selected', other: '{n} blocks selected' }),
          isSelection: true,
        }
      },
    },
    view: () => ({
      update({ state }, before) {
        const spoken = key.getState(state)
        if (spoken === undefined || spoken === key.getState(before)) return
        if (spoken.isHidden) speak(spoken.text)
        // The bar for touch counts what is selected itself.
        else if (!spoken.isSelection || !document.documentElement.matches('.selects')) announce(spoken.text)
      },
    }),
  })
