/** Keys between the text of a page and its title. */
import { Plugin, TextSelection } from 'prosemirror-state'

/** ArrowUp in the first line of the first block. */
export const leavesUpward = (leave: () => void): Plugin =>
  new Plugin({
    props: {
      handleKeyDown(view, { key, shiftKey, altKey, ctrlKey, metaKey }) {
        if (key !== 'ArrowUp' || shiftKey || altKey || ctrlKey || metaKey || view.composing) return false
        const { selection } = view.state
        if (!(selection instanceof TextSelection) || selection.$head.index(0) > 0 || !view.endOfTextblock('up'))
          return false
        if (selection.$head.depth > 1 && selection.$head.index(1) > 0) return false
        leave()
        return true
      },
    },
  })
