/**
 * Keys that do more than type while a text is edited:
 *
 *     Enter, Shift Enter        a new block, a new line       Tab, Shift Tab       indent, outdent
 *     Backspace, Delete         at an edge of the text: join it with the block before, with the next one
 *     arrows                    at an edge of the text: the block before, the next one
 *     Ctrl B, I, E              marks                         Ctrl Z, Ctrl Y       undo, redo
 *     Ctrl Enter                tick a task, leave code       Alt Shift arrows     move the block
 *     Escape                    leave the text
 *
 * Those of tables are in `table-editing.ts`.
 */
import { indentLess, indentMore } from '@codemirror/commands'
import type { EditorView } from '@codemirror/view'
import {
  blockId,
  fieldsOf,
  hasEditableText,
  isLineOfText,
  nextBlock,
  previousBlock,
  withNested,
} from '../blocks/block-element.ts'
import { type CaretPlace, caretX, isOnEdge } from './inline-editor.ts'
import { cellKey, commandKey, goTo, goToNeighbor, type OpenTable, openTableMenu } from './table-editing.ts'
import { markOf, toggleMark } from './text-shortcuts.ts'
import { joinAfter, joinBefore, nestBlocks, splitBlock } from './text-structure.ts'

/** The position after the last character. */
const END = Number.MAX_SAFE_INTEGER

export interface TextWithKeys extends OpenTable {
  /** True if the caret is in code. */
  readonly isCode: boolean
  onMenuKey: (event: KeyboardEvent) => boolean
  onUndo: (isRedo: boolean) => void
  onMove: (elements: HTMLElement[], direction: -1 | 1) => void
}

/** What a key is pressed in. */
interface Pressed {
  editor: TextWithKeys
  element: HTMLElement
  event: KeyboardEvent
  view: EditorView
}

/** @returns true if the key was handled, so that it types nothing */
export function handleKey(editor: TextWithKeys, event: KeyboardEvent, view: EditorView): boolean {
  const { element } = editor
  if (element === undefined) return false
  if (editor.onMenuKey(event)) return true
  const pressed = { editor, element, event, view }
  const isCommand = event.ctrlKey || event.metaKey
  if (!isCommand && !event.altKey) return handlePlainKey(pressed)
  return (isCommand && handleCommand(pressed)) || (event.altKey && handleAltKey(pressed))
}

/** Handles a key with Ctrl, or with the command key of a Mac. */
function handleCommand({ editor, element, event, view }: Pressed): boolean {
  const { shiftKey, altKey } = event
  const key = event.key.toLowerCase()
  if (key === 'y' || (key === 'z' && !altKey)) {
    editor.onUndo(key === 'y' || shiftKey)
    return true
  }
  const marking = isLineOfText(element) ? markOf(event) : undefined
  if (marking !== undefined) {
    toggleMark(view, marking.mark)
    return true
  }
  if (editor.cell !== undefined && !altKey && commandKey(editor, event)) return true
  if (key !== 'enter') return false
  if (!editor.isCode) return tickTask(editor, element)
  editor.add({ position: 'after', siblingId: blockId(element) })
  return true
}

function tickTask(editor: TextWithKeys, element: HTMLElement): boolean {
  const fields = fieldsOf(element)
  if (fields.listStyle !== 'task') return false
  editor.setFields({ ...fields, taskInfo: { state: fields.taskInfo?.state === 'todo' ? 'done' : 'todo' } })
  return true
}

function handleAltKey({ editor, element, event: { key, shiftKey } }: Pressed): boolean {
  if (editor.cell !== undefined && !shiftKey && key === 'ArrowDown') {
    openTableMenu(editor)
    return true
  }
  if (!shiftKey || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false
  editor.flush()
  editor.onMove(withNested(element), key === 'ArrowUp' ? -1 : 1)
  return true
}

function handlePlainKey(pressed: Pressed): boolean {
  const { editor, element, event, view } = pressed
  const { key, shiftKey } = event
  if (key === 'Escape') {
    editor.close()
    editor.onLeave(element)
    return true
  }
  if (editor.cell !== undefined && cellKey(editor, event)) return true
  if (key === 'Tab' && editor.isCode) return (shiftKey ? indentLess : indentMore)(view)
  if (key === 'Tab') {
    nestBlocks(editor, [element], shiftKey ? -1 : 1)
    return true
  }
  if (key === 'Enter' && isLineOfText(element) && !shiftKey) {
    splitBlock(editor, view)
    return true
  }
  return view.state.selection.main.empty && handleKeyAtEdge(pressed)
}

/** Handles keys that leave the text, or join it with others, where the caret is at its first or last position or line. */
function handleKeyAtEdge({ editor, element, event: { key, shiftKey }, view }: Pressed): boolean {
  const { head } = view.state.selection.main
  const [isFirst, isLast] = [head === 0, head === view.state.doc.length]
  if (key === 'Backspace') return isFirst && isLineOfText(element) && joinBefore(editor)
  if (key === 'Delete') return isLast && isLineOfText(element) && joinAfter(editor)
  if (shiftKey) return false
  const goesOver = (rows: -1 | 1, place: CaretPlace) => goTo(editor, rows, 0) || goToText(editor, rows, place)
  const goesOn = (by: -1 | 1, offset: number) => goToNeighbor(editor, by, offset) || goToText(editor, by, { offset })
  if (key === 'ArrowUp') return isOnEdge(view, 'first') && goesOver(-1, { line: 'last', x: caretX(view) })
  if (key === 'ArrowDown') return isOnEdge(view, 'last') && goesOver(1, { line: 'first', x: caretX(view) })
  if (key === 'ArrowLeft') return isFirst && goesOn(-1, END)
  if (key === 'ArrowRight') return isLast && goesOn(1, 0)
  return false
}

/** Moves the caret to the next block with text. @returns true if there is one */
function goToText(editor: TextWithKeys, direction: -1 | 1, place: CaretPlace): boolean {
  const step = direction === -1 ? previousBlock : nextBlock
  let element = editor.element && step(editor.element)
  while (element !== undefined && (!hasEditableText(element) || element.offsetParent === null)) element = step(element)
  if (element === undefined) return false
  editor.open(element, place)
  return true
}
