/** What is typed at the start of a block. */
import { describe, expect, test } from 'vitest'
import { shortcutFor } from '../../../src/page/assets/model/block-shortcuts.ts'

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
