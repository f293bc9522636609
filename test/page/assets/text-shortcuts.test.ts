/** What is typed at the start of a block, and the keys for marks. */
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { describe, expect, test } from 'vitest'
import { toggleMark } from '../../../src/page/assets/editing/text/text-shortcuts.ts'
import { shortcutFor } from '../../../src/page/assets/model/block-shortcuts.ts'

/** Presses the key for a mark. Brackets stand for the ends of the selection. */
function press(mark: string, text: string): string {
  const [from, to] = [text.indexOf('['), text.indexOf(']') - 1]
  const doc = text.replace(/[[\]]/g, '')
  let state = EditorState.create({ doc, selection: { anchor: from, head: to } })
  const view = {
    get state() {
      return state
    },
    dispatch: (change: TransactionSpec) => {
      state = state.update(change).state
    },
  }
  toggleMark(view as unknown as EditorView, mark)
  const { anchor, head } = state.selection.main
  const now = state.doc.toString()
  return `${now.slice(0, anchor)}[${now.slice(anchor, head)}]${now.slice(head)}`
}

describe('the key for a mark', () => {
  test.each([
    ['**', 'one [two] three', 'one **[two]** three'],
    ['**', 'one **[two]** three', 'one [two] three'],
    ['**', 'one [two ]three', 'one **[two]** three'],
    ['*', 'one[ two] three', 'one *[two]* three'],
    ['`', 'one[ two] three', 'one`[ two]` three'],
    ['**', 'one []', 'one **[]**'],
    ['**', 'one **[]**', 'one []'],
    ['**', 'one **two[]** three', 'one **two**[] three'],
    ['`', 'one `two[]`', 'one `two`[]'],
  ])('%s in %j', (mark, before, after) => {
    expect(press(mark, before)).toBe(after)
  })
})

describe('a box at the start', () => {
  test.each([
    ['[] ', 'todo'],
    ['[ ] ', 'todo'],
    ['[x] ', 'done'],
  ])('%j makes a text or a bullet a task', (typed, state) => {
    const task = { listStyle: 'task', taskInfo: { state } }
    expect([shortcutFor(typed, undefined, false), shortcutFor(typed, undefined, true)]).toEqual([task, task])
  })

  test('other shortcuts leave a bullet as it is', () => {
    expect(['# ', '> ', '1. ', '- '].map((typed) => shortcutFor(typed, undefined, true))).toEqual(
      Array(4).fill(undefined),
    )
  })
})
