/** The elements of blocks in the editor. */
import type { EditorView } from 'prosemirror-view'
import { type BlockPlace, blockAtIndex } from './block-place.ts'

/** The block that an element shows. */
export function placeOfElement(view: EditorView, element: HTMLElement): BlockPlace | undefined {
  if (!view.dom.contains(element)) return undefined
  const index = [...view.dom.children].filter((one) => one.matches('.block')).indexOf(element)
  return blockAtIndex(view.state.doc, index)
}

/** The element of a block. */
export function elementOfPlace(view: EditorView, { pos }: BlockPlace): HTMLElement | undefined {
  const dom = view.nodeDOM(pos)
  return dom instanceof HTMLElement ? dom : undefined
}
