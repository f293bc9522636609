/** Reads the caret of the browser before a key is handled, or a change of others: its events come later than these. */
import { Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { BlockRange } from './block-range.ts'

/** Comes before all that handles keys. */
export function caretReader(): Plugin {
  /** True if the pointer may have moved the caret since whole blocks were selected. */
  let isPressed = false
  const isCaret = (view: EditorView) => view.state.selection instanceof TextSelection || isPressed
  const readBefore = (view: EditorView) => {
    if (isCaret(view)) readFromBrowser(view)
    return false
  }
  return new Plugin({
    view: () => ({
      update({ state }) {
        if (!(state.selection instanceof TextSelection)) isPressed = false
      },
    }),
    props: {
      // Between two blocks in which no caret can stand, browsers move theirs elsewhere. What is selected stays so.
      createSelectionBetween: ({ state: { selection } }) =>
        selection instanceof BlockRange && !isPressed ? selection : null,
      handleDOMEvents: {
        ...{ copy: readBefore, cut: readBefore, paste: readBefore },
        pointerdown() {
          isPressed = true
          return false
        },
        click(view, { target }) {
          // The browser tells of no change if its caret was there already.
          const isSelected = view.state.selection instanceof BlockRange
          if (isSelected && target instanceof Element && isText(view, target)) readFromBrowser(view)
          return false
        },
      },
      handleKeyDown(view, event) {
        if (view.composing || event.isComposing || event.keyCode === IN_COMPOSITION) return false
        // Whole blocks, cells and formulas are selected here. The browser has its own idea of where they begin.
        if (isCaret(view) && (event.key.length > 1 || event.ctrlKey || event.metaKey)) readFromBrowser(view)
        isPressed = false
        return false
      },
    },
  })
}

/** The code of each key that an input method handles. */
const IN_COMPOSITION = 229

/** Takes the caret of the browser, unless something else than text is selected. */
export function readCaret(view: EditorView): void {
  if (view.state.selection instanceof TextSelection && !view.composing) readFromBrowser(view)
}

function readFromBrowser(view: EditorView): void {
  const { selection, doc, tr } = view.state
  const caret = document.getSelection()
  const { anchorNode, focusNode } = caret ?? {}
  if (!caret || !anchorNode || !focusNode || !view.hasFocus()) return
  if (!isText(view, anchorNode) || !isText(view, focusNode)) return
  const anchor = view.posAtDOM(anchorNode, caret.anchorOffset)
  const head = view.posAtDOM(focusNode, caret.focusOffset)
  if (selection instanceof TextSelection && anchor === selection.anchor && head === selection.head) return
  const [$anchor, $head] = [doc.resolve(anchor), doc.resolve(head)]
  if (!$anchor.parent.inlineContent || !$head.parent.inlineContent) return
  view.dispatch(tr.setSelection(TextSelection.create(doc, anchor, head)))
}

/** True within the text of a block, and not in what stands around it. */
function isText(view: EditorView, node: Node): boolean {
  const element = node instanceof Element ? node : node.parentElement
  return (
    element !== null &&
    (element !== view.dom || view.state.doc.inlineContent) &&
    view.dom.contains(element) &&
    element.closest('[contenteditable="false"]') === null
  )
}
