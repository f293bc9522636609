/** The keys of the editor. None is handled while an input method composes. */
import { chainCommands, deleteSelection, newlineInCode } from 'prosemirror-commands'
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history'
import { undoInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { Command, Plugin } from 'prosemirror-state'
import { isCodeNode } from '../model/page-block.ts'
import { move, nest, tickTask } from './block-fields.ts'
import { BlockRange, openSelected, selectAll, selectBlocks, selectNext } from './block-range.ts'
import { indentCode } from './code-keys.ts'
import { openFormula } from './formula-view.ts'
import { breakLine, deleteBlocks, joinBackward, joinForward, leaveBelow, splitBlock } from './split-blocks.ts'
import { leaveText } from './tab-through.ts'
import { cellBelow, changeCells, nextCell, previousCell } from './table-keys.ts'
import { toggleBold, toggleCode, toggleHighlight, toggleItalic, toggleStrike } from './text-marks.ts'
import { typedBlock } from './typed-block.ts'

export interface KeyActions {
  /** Undo and redo when nothing of this session is left. */
  onUndo: (isRedo: boolean) => void
  /** Ctrl K. */
  onLink: Command
  /** Alt ArrowDown in a table. */
  onTableMenu: Command
}

/** Only while blocks are selected. */
const onBlocks =
  (command: Command): Command =>
  (state, dispatch, view) =>
    state.selection instanceof BlockRange && command(state, dispatch, view)

const inCode =
  (command: Command): Command =>
  (state, dispatch, view) =>
    isCodeNode(state.selection.$from.parent) && command(state, dispatch, view)

function bindings({ onUndo, onLink, onTableMenu }: KeyActions): Record<string, Command> {
  const takeBack: Command = (state, dispatch) => {
    if (undoDepth(state) === 0) onUndo(false)
    else undo(state, dispatch)
    return true
  }
  const doAgain: Command = (state, dispatch) => {
    if (redoDepth(state) === 0) onUndo(true)
    else redo(state, dispatch)
    return true
  }
  return {
    Enter: chainCommands(
      openFormula,
      openSelected,
      onBlocks(leaveBelow),
      cellBelow,
      typedBlock,
      newlineInCode,
      splitBlock,
    ),
    'Shift-Enter': chainCommands(newlineInCode, breakLine),
    'Mod-Enter': chainCommands(changeCells('row below'), tickTask, leaveBelow),
    'Mod-Shift-Enter': changeCells('column after'),
    'Mod-Shift-Backspace': changeCells('without row'),
    Backspace: chainCommands(deleteBlocks, undoInputRule, deleteSelection, joinBackward),
    Delete: chainCommands(deleteBlocks, deleteSelection, joinForward),
    Tab: chainCommands(nextCell, inCode(indentCode(1)), nest(1)),
    'Shift-Tab': chainCommands(previousCell, inCode(indentCode(-1)), nest(-1)),
    Escape: chainCommands(selectBlocks, leaveText),
    ArrowUp: selectNext(-1, false),
    ArrowDown: selectNext(1, false),
    'Shift-ArrowUp': selectNext(-1, true),
    'Shift-ArrowDown': selectNext(1, true),
    'Alt-ArrowUp': onBlocks(move(-1)),
    'Alt-ArrowDown': chainCommands(onBlocks(move(1)), onTableMenu),
    'Alt-Shift-ArrowUp': move(-1),
    'Alt-Shift-ArrowDown': move(1),
    'Mod-a': selectAll,
    'Mod-b': toggleBold,
    'Mod-i': toggleItalic,
    'Mod-e': toggleCode,
    'Mod-Shift-s': toggleStrike,
    'Mod-Shift-h': toggleHighlight,
    'Mod-k': onLink,
    'Mod-z': takeBack,
    'Mod-y': doAgain,
    'Mod-Shift-z': doAgain,
  }
}

export const editorKeys = (actions: KeyActions): Plugin => keymap(bindings(actions))
