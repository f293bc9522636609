import { invalid } from '../../errors.ts'
import type { BlockFields, TaskState } from '../block.ts'
import { lineOf, setLine } from './quote.ts'
import { type BlockState, MAX_DEPTH, type Rule } from './state.ts'
import { whereIs } from './tags.ts'

/** What the mark of a list item says of its block. */
export type ListFields = Pick<BlockFields, 'listStyle' | 'taskInfo'>

const BOXES = { todo: '[ ]', done: '[x]', canceled: '[-]' } as const satisfies Record<TaskState, string>
const STATES: Record<string, TaskState> = { ' ': 'todo', x: 'done', X: 'done', '-': 'canceled' }

/** `- `, `1. `, `+ `, `- [x] `, or nothing for a block that is not in a list. */
export function marker({ listStyle, taskInfo }: ListFields): string {
  switch (listStyle) {
    case 'bullet':
      return '- '
    case 'numbered':
      return '1. '
    case 'toggle':
      return '+ '
    case 'task':
      return `- ${BOXES[taskInfo?.state ?? 'todo']} `
    default:
      return ''
  }
}

/** How far the further lines of an item stand in: below its words, and below the mark for tasks. */
export const hanging = ({ listStyle }: ListFields): string => (listStyle === 'numbered' ? '   ' : '  ')

const MARK = /(?:[-+*]|\d{1,9}[.)])(?=[ \t\n]|$)/y
const BOX = /\[([ xX-])\](?:[ \t]+|(?=\n|$))/y

/**
 * One item with what it holds: all lines that stand at least two spaces further in than its mark, or as far as its
 * words when those stand further in than five. So `1.` and `10.` hold the same children as `-`.
 */
export const item: Rule = (state, start, end, silent) => {
  if (state.column(start) - state.blkIndent >= 4) return false
  const at = state.at(start)
  MARK.lastIndex = at
  const [mark] = MARK.exec(state.src) ?? []
  if (mark === undefined) return false
  const after = at + mark.length
  const blank = state.skipSpaces(after) >= state.end(start)
  if (silent) return mayInterrupt(state, start, mark, blank)
  if (state.depth >= MAX_DEPTH) return false

  const { level } = state.place
  const previous = state.tokens.at(-1)
  const open = state.push('item_open', '', 1)
  const before = lineOf(state, start)
  const content = passMark(state, start, after)
  open.meta = { level, ...fieldsOf(state, start, mark) }
  // - [ ]     is a task without words, all others without words are none
  const first = state.isEmpty(start) && open.meta.listStyle !== 'task' ? start + 1 : start
  const inner = Math.max(before[3] + 2, content - 3)
  if (first === start ? !state.isEmpty(start) : first < end && !state.isEmpty(first) && state.column(first) >= inner) {
    const from = first === start ? content : state.column(first)
    state.inside({ kind: 'item', from, level: level + 1, free: false }, inner, first, end)
  } else {
    if (first !== start && previous?.type !== 'item_close') throw emptyFirst(start, before, state)
    state.line = start + 1
  }
  setLine(state, start, before)
  state.push('item_close', '', -1)
  return true
}

// A number that is not 1, or a mark without words, may be words of the paragraph it stands in:
//
//     It was in
//     1986. A good year
//     ^
function mayInterrupt(state: BlockState, line: number, mark: string, blank: boolean): boolean {
  if (state.parentType !== 'paragraph' || state.column(line) < state.blkIndent) return true
  return !blank && (mark.length === 1 || mark === '1.' || mark === '1)')
}

/** Moves the beginning of the line behind the mark. @returns the column of the words */
function passMark(state: BlockState, line: number, after: number): number {
  const initial = state.column(line) + after - state.at(line)
  let at = after
  let offset = initial
  for (; at < state.end(line); at++) {
    const char = state.src[at]
    if (char === ' ') offset++
    else if (char === '\t') offset += 4 - ((offset + (state.bsCount[line] ?? 0)) % 4)
    else break
  }
  state.tShift[line] = at - (state.bMarks[line] ?? 0)
  state.sCount[line] = offset
  const isBlank = at >= state.end(line)
  // Five spaces or more after a mark are one, and code.
  return isBlank || offset - initial > 4 ? initial + 1 : offset
}

function fieldsOf(state: BlockState, line: number, mark: string): ListFields {
  if (mark.length > 1) return { listStyle: 'numbered' }
  BOX.lastIndex = state.at(line)
  const box = BOX.exec(state.src)
  if (box === null || BOX.lastIndex > state.end(line)) return { listStyle: mark === '+' ? 'toggle' : 'bullet' }
  // The box is no indentation, so the line begins behind it.
  state.bMarks[line] = BOX.lastIndex
  state.tShift[line] = 0
  return { listStyle: 'task', taskInfo: { state: STATES[box[1] ?? ''] ?? 'todo' } }
}

function emptyFirst(line: number, [, , , column]: readonly number[], _state: BlockState) {
  return invalid(
    `Expected words in the first item of a list, found none at ${whereIs(line, column ?? 0)}; write them, or <br> for an item without words.`,
  )
}
