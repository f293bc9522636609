/** Keys of the editor, as functions of its state. */
import { undo } from 'prosemirror-history'
import { type EditorState, TextSelection } from 'prosemirror-state'
import type { DecorationSet } from 'prosemirror-view'
import { describe, expect, test } from 'vitest'
import { inBlock } from '../../../src/page/assets/editor/block-active.ts'
import { move, nest, setKind, tickTask } from '../../../src/page/assets/editor/block-fields.ts'
import { BlockRange, selectAll, selectBlocks, selectNext } from '../../../src/page/assets/editor/block-range.ts'
import { indentCode } from '../../../src/page/assets/editor/code-keys.ts'
import {
  breakLine,
  deleteBlocks,
  joinBackward,
  joinForward,
  splitBlock,
} from '../../../src/page/assets/editor/split-blocks.ts'
import { cellBelow, changeCells, nextCell, previousCell } from '../../../src/page/assets/editor/table-keys.ts'
import { moveCells, toggleHeader } from '../../../src/page/assets/editor/table-moves.ts'
import { isMarked, setLink, toggleBold } from '../../../src/page/assets/editor/text-marks.ts'
import { typedBlock } from '../../../src/page/assets/editor/typed-block.ts'
import { schema } from '../../../src/page/assets/model/editor-schema.ts'
import { apply, bullet, caretOf, type Given, linesOf, openPage, press, text } from './editor-pages.ts'

const { marks } = schema
const BOX: Given = { fields: { type: 'whiteboard' }, markdown: 'Board' }

describe('Enter', () => {
  test('the first half keeps the ID', () => {
    const state = press(openPage([text('one[] two')]), splitBlock)
    expect([linesOf(state.doc), caretOf(state)]).toEqual([['1 one', 'n1 two'], 'n1:0'])
  })

  test('at the start, the text keeps the ID, and an empty block comes above', () => {
    const state = press(openPage([text('[]one')]), splitBlock)
    expect([linesOf(state.doc), caretOf(state)]).toEqual([['n1 ', '1 one'], '1:0'])
  })

  test('over two blocks, what is selected is deleted', () => {
    const state = press(openPage([text('on[e'), text('t]wo')]), splitBlock)
    expect(linesOf(state.doc)).toEqual(['1 on', 'n1 wo'])
  })

  test('after a heading comes text, and after a done task one to do', () => {
    const heading = openPage([text('Head[]', { textStyle: 'h1' })])
    const task = openPage([text('a[]', { listStyle: 'task', taskInfo: { state: 'done' } })])
    expect([heading, task].map((state) => linesOf(press(state, splitBlock).doc))).toEqual([
      ['1 # Head', 'n1 '],
      ['1 - [x] a', 'n1 - [ ] <br>'],
    ])
  })

  test('an empty item goes one level out, then ends its list', () => {
    const state = press(openPage([bullet('a'), bullet('[]', 1)]), splitBlock)
    expect([linesOf(state.doc), linesOf(press(state, splitBlock).doc)]).toEqual([
      ['1 - a', '2 - <br>'],
      ['1 - a', '2 '],
    ])
  })

  test('with Shift, a new line is in the same block', () => {
    expect(linesOf(press(openPage([text('one[]two')]), breakLine).doc)).toEqual(['1 one\ntwo'])
  })

  test.each([
    ['```js[]', ['n1 ```js\n```']],
    ['---[]', ['n1 ---', 'n2 ']],
  ])('after %s', (typed, lines) => {
    expect(linesOf(press(openPage([text(typed)]), typedBlock).doc)).toEqual(lines)
  })
})

describe('Backspace at the start', () => {
  test('resets the kind, then outdents, then joins', () => {
    const states = [openPage([bullet('a'), bullet('[]b', 1)])]
    for (let step = 0; step < 3; step++) states.push(press(states.at(-1) ?? openPage([]), joinBackward))
    expect(states.slice(1).map(({ doc }) => linesOf(doc))).toEqual([['1 - a', '2   b'], ['1 - a', '2 b'], ['1 - ab']])
    expect(caretOf(states.at(-1) ?? openPage([]))).toBe('1:1')
  })

  test('an empty block below a board is deleted, and the board is selected', () => {
    const { doc, selection } = press(openPage([BOX, text('[]')]), joinBackward)
    expect([linesOf(doc), selection instanceof BlockRange && selection.positions]).toEqual([['1 Board'], [0]])
  })

  test('Delete at the end joins the next block, and keeps the first ID', () => {
    expect(linesOf(press(openPage([text('a[]'), bullet('b')]), joinForward).doc)).toEqual(['1 ab'])
  })
})

describe('levels and places', () => {
  const list = () => openPage([bullet('a'), bullet('[]b'), bullet('c', 1), bullet('d')])

  test('Tab indents with everything nested below, Shift Tab takes it back', () => {
    const state = press(list(), nest(1))
    expect([linesOf(state.doc), linesOf(press(state, nest(-1)).doc)]).toEqual([
      ['1 - a', '2   - b', '3     - c', '4 - d'],
      ['1 - a', '2 - b', '3   - c', '4 - d'],
    ])
  })

  test('moved blocks keep their IDs and the caret', () => {
    const state = press(list(), move(-1))
    expect([linesOf(state.doc), caretOf(state)]).toEqual([['2 - b', '3   - c', '1 - a', '4 - d'], '2:0'])
    expect(linesOf(press(state, move(1)).doc)).toEqual(['1 - a', '2 - b', '3   - c', '4 - d'])
  })

  test('another kind keeps the level, except for headings', () => {
    const state = openPage([bullet('a'), bullet('[]b', 1)])
    const kinds = [{ listStyle: 'numbered' }, { textStyle: 'h2' }] as const
    expect(kinds.map((kind) => linesOf(press(state, setKind(kind)).doc)[1])).toEqual(['2   1. b', '2 ## b'])
  })

  test('Ctrl Enter ticks a task', () => {
    const task = openPage([text('a[]', { listStyle: 'task', taskInfo: { state: 'todo' } })])
    expect(linesOf(press(task, tickTask).doc)).toEqual(['1 - [x] a'])
  })
})

describe('whole blocks', () => {
  test('Escape selects the block, and Shift with an arrow the next one', () => {
    const state = press(openPage([text('a[]'), text('b'), text('c')]), selectBlocks, selectNext(1, true))
    expect(linesOf(press(state, deleteBlocks).doc)).toEqual(['3 c'])
  })

  test('the last block leaves an empty one', () => {
    expect(linesOf(press(openPage([text('a[]')]), selectBlocks, deleteBlocks).doc)).toEqual(['n1 '])
  })

  test('undo brings deleted blocks back with their IDs', () => {
    const state = press(openPage([text('a[]'), text('b')]), selectBlocks, deleteBlocks)
    expect(linesOf(press(state, undo).doc)).toEqual(['1 a', '2 b'])
  })

  test('Ctrl A selects the text of the block, then all blocks', () => {
    const state = press(openPage([text('a[]a'), text('b')]), selectAll)
    const { from, to } = state.selection
    expect([state.doc.textBetween(from, to), linesOf(press(state, selectAll, deleteBlocks).doc)]).toEqual([
      'aa',
      ['n1 '],
    ])
  })

  test('what is nested below a selected block is shown along with it', () => {
    const state = press(openPage([bullet('[]a'), bullet('b', 1), bullet('c')]), selectBlocks)
    const found = inBlock().props.decorations?.call(inBlock(), state) as DecorationSet
    const classes = found
      .find()
      .map((one) => (one as unknown as { type: { attrs: { class: string } } }).type.attrs.class)
    expect(classes).toEqual(['selected', 'along'])
  })

  test('what is selected follows changes above', () => {
    const state = press(openPage([text('a'), text('b[]'), text('c')]), selectBlocks)
    const { selection } = state.apply(state.tr.delete(0, 3))
    expect(selection instanceof BlockRange && selection.positions).toEqual([0])
  })
})

describe('marks', () => {
  test('bold marks the selection, and takes it back', () => {
    const state = press(openPage([text('one [two] three')]), toggleBold)
    expect([linesOf(state.doc), linesOf(press(state, toggleBold).doc)]).toEqual([
      ['1 one **two** three'],
      ['1 one two three'],
    ])
  })

  test('a selection that is bold in parts becomes bold as a whole', () => {
    const part = press(openPage([text('one [two] three')]), toggleBold)
    const all = press(part, selectAll, toggleBold)
    expect([isMarked(press(part, selectAll), marks.bold), linesOf(all.doc)]).toEqual([false, ['1 **one two three**']])
    expect([isMarked(all, marks.bold), linesOf(press(all, toggleBold).doc)]).toEqual([true, ['1 one two three']])
  })

  test('a link on the selection, and none', () => {
    const state = openPage([text('see [here]')])
    const linked = apply(state, setLink(state, 'https://example.org'))
    expect([linesOf(linked.doc), linesOf(apply(linked, setLink(linked, '')).doc)]).toEqual([
      ['1 see [here](https://example.org)'],
      ['1 see here'],
    ])
  })
})

describe('tables', () => {
  const TABLE: Given = { fields: { type: 'table' }, markdown: '| a[] | b |\n| --- | --- |\n| c | d |' }

  test('Tab after the last cell adds a row', () => {
    const state = press(openPage([TABLE]), nextCell, nextCell, nextCell, nextCell)
    expect(linesOf(state.doc)).toEqual(['1 | a | b |\n| --- | --- |\n| c | d |\n|  |  |'])
  })

  test('Tab and Shift Tab go to the end of a cell, so that typing adds to it', () => {
    const next = press(openPage([TABLE]), nextCell)
    const cells = [next, press(next, previousCell)].map(({ selection: { $head, empty } }) => [
      ...[$head.parent.textContent, $head.parentOffset, empty],
    ])
    expect(cells).toEqual([
      ['b', 1, true],
      ['a', 1, true],
    ])
  })

  test('Enter goes down, and leaves the table from the last row', () => {
    const state = press(openPage([TABLE]), cellBelow, cellBelow)
    expect([linesOf(state.doc).length, caretOf(state)]).toEqual([2, 'n1:0'])
  })

  test('rows and columns', () => {
    const state = press(openPage([TABLE]), changeCells('row above'), changeCells('column after'))
    expect(linesOf(state.doc)).toEqual(['1 | a |  | b |\n| --- | --- | --- |\n|  |  |  |\n| c |  | d |'])
    expect(linesOf(press(state, changeCells('without row'), changeCells('without column')).doc)).toEqual([
      '1 | a | b |\n| --- | --- |\n| c | d |',
    ])
    expect(changeCells('without row')(openPage([TABLE]))).toBe(false)
  })

  test('a column is moved with its alignment and the caret, and the table keeps its ID', () => {
    const markdown = '| a[] | b | c |\n| :--- | ---: | --- |\n| 1 | 2 | 3 |'
    const state = openPage([{ ...TABLE, markdown }])
    const moved = press(state, moveCells('column', 1), moveCells('column', 1))
    expect(linesOf(moved.doc)).toEqual(['1 | b | c | a |\n| ---: | --- | :--- |\n| 2 | 3 | 1 |'])
    expect([moved.selection.$head.parent.textContent, moved.selection.$head.parentOffset]).toEqual(['a', 1])
    expect(moveCells('column', 1)(moved)).toBe(false)
    expect(linesOf(press(moved, undo, undo).doc)).toEqual(linesOf(state.doc))
  })

  test('a row is moved, but not above the header row', () => {
    const markdown = '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3[] | 4 |'
    const state = press(openPage([{ ...TABLE, markdown }]), moveCells('row', -1))
    expect(linesOf(state.doc)).toEqual(['1 | a | b |\n| --- | --- |\n| 3 | 4 |\n| 1 | 2 |'])
    expect(state.selection.$head.parent.textContent).toBe('3')
    expect(moveCells('row', -1)(state)).toBe(false)
    expect(moveCells('row', 1)(openPage([TABLE]))).toBe(false)
  })

  test('the header row becomes one of the others, and back', () => {
    const without = press(openPage([TABLE]), toggleHeader)
    expect(linesOf(without.doc)).toEqual(['1 |  |  |\n| --- | --- |\n| a | b |\n| c | d |'])
    expect(without.selection.$head.parent.textContent).toBe('a')
    expect(linesOf(press(without, toggleHeader).doc)).toEqual(['1 | a | b |\n| --- | --- |\n| c | d |'])
    expect(toggleHeader(openPage([{ ...TABLE, markdown: '| [] |  |\n| --- | --- |' }]))).toBe(false)
  })
})

describe('Tab in code', () => {
  const code = (words: string): Given => ({ markdown: `\`\`\`\n${words}\n\`\`\``, fields: { type: 'code' } })
  /** @param from  of the selection in the text of the code */
  const selected = (words: string, from: number, to = from) => {
    const state = openPage([code(words)])
    return state.apply(state.tr.setSelection(TextSelection.create(state.doc, from + 1, to + 1)))
  }
  const textOf = (state: EditorState): string => state.doc.textContent

  test('adds two spaces at the caret', () => {
    const state = press(selected('ab', 1), indentCode(1))
    expect([textOf(state), state.selection.head]).toEqual(['a  b', 4])
  })

  test('indents all lines of a selection, but not one that it only touches', () => {
    const state = press(selected('a\nb\nc', 0, 4), indentCode(1))
    expect([textOf(state), state.selection.from]).toEqual(['  a\n  b\nc', 1])
  })

  test('with Shift, takes two spaces or one away', () => {
    expect(textOf(press(selected('    a\n b\nc', 0, 10), indentCode(-1)))).toBe('  a\nb\nc')
  })

  test('is not for a selection of several blocks', () => {
    const state = openPage([code('[a'), text('b]')])
    expect(indentCode(1)(state)).toBe(false)
  })
})
