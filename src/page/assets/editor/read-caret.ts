/** Reads the caret of the browser before a key is handled: its events come later than the next key. */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** A selection of the browser. */
export type BrowserSelection = Pick<Selection, 'anchorNode' | 'anchorOffset' | 'focusNode' | 'focusOffset'>

/** @param known  what the browser had when blocks were selected: until it changes, the blocks stay selected */
export function readCaret(view: EditorView, known?: BrowserSelection): void {
  const { selection, doc, tr } = view.state
  const caret = document.getSelection()
  const { anchorNode, focusNode } = caret ?? {}
  if (!caret || !anchorNode || !focusNode || !view.hasFocus()) return
  if (!isText(view, anchorNode) || !isText(view, focusNode)) return
  if (known !== undefined && isSame(caret, known)) return
  const anchor = view.posAtDOM(anchorNode, caret.anchorOffset)
  const head = view.posAtDOM(focusNode, caret.focusOffset)
  if (selection instanceof TextSelection && anchor === selection.anchor && head === selection.head) return
  const [$anchor, $head] = [doc.resolve(anchor), doc.resolve(head)]
  if (!$anchor.parent.inlineContent || !$head.parent.inlineContent) return
  view.dispatch(tr.setSelection(TextSelection.create(doc, anchor, head)))
}

const isSame = (one: BrowserSelection, other: BrowserSelection): boolean =>
  one.anchorNode === other.anchorNode &&
  one.anchorOffset === other.anchorOffset &&
  one.focusNode === other.focusNode &&
  one.focusOffset === other.focusOffset

/** The selection of the browser as it is now. */
export function browserSelection(): BrowserSelection {
  const { anchorNode = null, anchorOffset = 0, focusNode = null, focusOffset = 0 } = document.getSelection() ?? {}
  return { anchorNode, anchorOffset, focusNode, focusOffset }
}

/** True within the text of a block, and not in what stands around it. */
export function isText(view: EditorView, node: Node): boolean {
  const element = node instanceof Element ? node : node.parentElement
  return (
    element !== null &&
    element !== view.dom &&
    view.dom.contains(element) &&
    element.closest('[contenteditable]') === view.dom
  )
}
