/**
 * The state of an edited page, without its elements: the document of the editor, and what of it the server has. What is
 * typed becomes calls by comparing the two, and what others change becomes a transaction of the editor.
 *
 *     const model = new PageModel(pageId, blocks)
 *     const { steps } = model.send(state.doc)              // the calls for what was typed since
 *     const { transaction } = model.receive(state, read)   // what others changed since
 */
import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { newName } from '../unsent/placeholders.ts'
import { schema } from './editor-schema.ts'
import { blockOf, idOf, nodeOf, type PageBlock } from './page-block.ts'
import { changeBetween, type PageChange } from './page-changes.ts'
import { isBlank, type Merged, mergePage, REMOTE, type ServerPage } from './page-merge.ts'

export class PageModel {
  readonly pageId: string
  /** The blocks as the server has them, or will have them once the calls are answered. */
  #sent: readonly PageBlock[]
  /** The IDs of placeholders whose calls were answered. */
  readonly #ids = new Map<string, string>()

  constructor(pageId: string, blocks: readonly PageBlock[]) {
    this.pageId = pageId
    this.#sent = blocks
  }

  /** The document to begin with. A page without blocks gets an empty one, which is not sent until it has text. */
  createDocument(): Node {
    const blocks = this.#sent.length > 0 ? this.#sent : [{ id: newName(), fields: EMPTY, markdown: '' }]
    return schema.nodes.doc.create(null, blocks.map(nodeOf))
  }

  /** The blocks as the server has them, or will have them, in order. */
  get sent(): readonly PageBlock[] {
    return this.#sent
  }

  /** What was changed since {@link send}, without counting it as sent. */
  change(doc: Node): PageChange {
    return changeBetween(this.#sent, this.#blocksOf(doc), this.pageId)
  }

  /** What the server has of a block, or will have. */
  sentBlock(id: string): PageBlock | undefined {
    return this.#sent.find((block) => block.id === id)
  }

  /** True if nothing was changed since the last call of {@link send}. */
  isSent(doc: Node): boolean {
    const { steps, restored } = this.change(doc)
    return steps.length === 0 && restored.length === 0
  }

  /** The change since the last call, which counts as sent. */
  send(doc: Node): PageChange {
    const change = this.change(doc)
    this.#sent = this.#blocksOf(doc)
    return change
  }

  /**
   * Takes what the server has. Everything must have been sent and answered before it was read.
   *
   * @param isWritten  true if somebody has the caret in the page: the empty block of a page that had none stays for what
   *   they write
   */
  receive(state: EditorState, read: ServerPage, isWritten = true): Merged {
    const merged = mergePage(state, this.#sent, read, newName, isWritten)
    this.#sent = merged.sent
    return merged
  }

  /** Counts a block of the document as sent: another call adds it. */
  adopt(doc: Node, id: string): void {
    const blocks = this.#blocksOf(doc)
    const index = blocks.findIndex((block) => block.id === id)
    const block = blocks[index]
    if (block === undefined) return
    const before = new Set(blocks.slice(0, index).map((one) => one.id))
    const at = this.#sent.findLastIndex((one) => before.has(one.id)) + 1
    this.#sent = this.#sent.toSpliced(at, 0, block)
  }

  /** A block that is not on the server any more is one to add, if the document has it. */
  addAgain(state: EditorState, id: string): Transaction | undefined {
    const place = positionOf(state.doc, id)
    if (place === undefined) return undefined
    this.#sent = this.#sent.filter((block) => block.id !== id)
    const { tr } = state
    return tr.setNodeAttribute(place, 'id', newName()).setMeta('addToHistory', false).setMeta(REMOTE, true)
  }

  /** Removes a block that the server did not add. */
  remove(state: EditorState, id: string): Transaction | undefined {
    this.#sent = this.#sent.filter((block) => block.id !== id)
    const place = positionOf(state.doc, id)
    const node = place === undefined ? null : state.doc.nodeAt(place)
    if (place === undefined || node === null) return undefined
    const { tr } = state
    if (state.doc.childCount > 1) tr.delete(place, place + node.nodeSize)
    else tr.replaceWith(place, place + node.nodeSize, nodeOf({ id: newName(), fields: EMPTY, markdown: '' }))
    return tr.setMeta('addToHistory', false).setMeta(REMOTE, true)
  }

  /** Gives a block the ID that the server made for its placeholder. */
  rename(state: EditorState, name: string, id: string): Transaction {
    this.#ids.set(name, id)
    this.#sent = this.#sent.map((block) => (block.id === name ? { ...block, id } : block))
    const { tr } = state
    state.doc.forEach((node, position) => {
      if (idOf(node) === name) tr.setNodeAttribute(position, 'id', id)
    })
    return tr.setMeta('addToHistory', false).setMeta(REMOTE, true)
  }

  /** The ID that the server made for a placeholder, if its call was answered. Other IDs stay. */
  idOf(name: string): string {
    return this.#ids.get(name) ?? name
  }

  /** Undo may bring back a placeholder whose ID is known by now. */
  #blocksOf(doc: Node): PageBlock[] {
    const blocks = doc.content.content.map((node) => {
      const block = blockOf(node)
      const id = this.idOf(block.id)
      return id === block.id ? block : { ...block, id }
    })
    return this.#sent.length === 0 && isBlank(blocks) ? [] : blocks
  }
}

function positionOf(doc: Node, id: string): number | undefined {
  let position = 0
  for (const node of doc.content.content) {
    if (idOf(node) === id) return position
    position += node.nodeSize
  }
  return undefined
}

const EMPTY = { type: 'text' } as const
