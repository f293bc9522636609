/** Reads the caret of the browser before a key is handled: its events come later than the next key. */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

export function readCaret(view: EditorView): void {
  const { selection, doc, tr } = view.state
  const caret = document.getSelection()
  const { anchorNode, focusNode } = caret ?? {}
  if (!caret || !anchorNode || !focusNode || !view.hasFocus()) return
  // While blocks are selected, the selection of the browser is between them, unless somebody has clicked since.
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
    element !== view.dom &&
    view.dom.contains(element) &&
    element.closest('[contenteditable]') === view.dom
  )
}
