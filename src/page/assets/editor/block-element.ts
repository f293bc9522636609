/** The elements of blocks in the editor. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { fieldsOfNode } from '../model/page-block.ts'
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

/** A copy of a block, without its ID. It keeps its look, and the dates of a task. */
export function copyOf(view: EditorView, place: BlockPlace): Node {
  const { type, attrs, content } = place.node
  const { details } = elementOfPlace(view, place)?.dataset ?? {}
  const fields = fieldsOfNode(place.node)
  return type.create(
    { ...attrs, id: '', fields: details ? { ...fields, details: JSON.parse(details) } : fields },
    content,
  )
}
