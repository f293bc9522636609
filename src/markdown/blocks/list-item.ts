import type { BlockFields, TaskState } from '../block.ts'
import type { WrittenNumber } from '../written-numbers.ts'
import { assertLevel, MAX_DEPTH } from './nesting.ts'
import type { BlockState, Rule } from './parser-state.ts'
import { getLine, setLine } from './quote.ts'

/** The fields of a block that the mark of a list item determines. */
export type ListFields = Pick<BlockFields, 'listStyle' | 'taskInfo' | 'number'>

const BOXES = { todo: '[ ]', done: '[x]', canceled: '[-]' } as const satisfies Record<TaskState, string>
const STATES: ReadonlyMap<string, TaskState> = new Map(
  Object.entries({ ' ': 'todo', x: 'done', X: 'done', '-': 'canceled' }),
)

/** `- `, `1. `, `+ `, `- [x] `, or nothing for a block outside of lists. */
export function listMarker({ listStyle, taskInfo, number = 1 }: ListFields): string {
  return listStyle === undefined ? '' : itemMarker(listStyle, number, taskInfo?.state ?? 'todo')
}

function itemMarker(listStyle: NonNullable<ListFields['listStyle']>, number: number, state: TaskState): string {
  switch (listStyle) {
    case 'bullet':
      return '- '
    case 'numbered':
      return `${number}. `
    case 'toggle':
      return '+ '
    case 'task':
      return `- ${BOXES[state]} `
  }
}

/** The indentation of an item's further lines: to its text, ignoring the mark for tasks. */
export const hangingIndent = ({ listStyle, number = 1 }: ListFields): string =>
  ' '.repeat(listStyle === 'numbered' ? String(number).length + 2 : 2)

/** What the parser knows of an item. */
export type ItemMeta = ListFields & {
  level: number
  /** The number as it is written, with the character after it. Absent for items without one. */
  written?: WrittenNumber
  /** True for an item of a list; false for a text that only begins with a number, such as `24. Dezember`. */
  isItem: boolean
  /** True if standard Markdown reads the text as code: it stands four columns or more further in than it needs to. */
  isIndentedCode?: boolean
}

const MARK = /(?:[-+*]|\d{1,9}[.)])(?=[ \t\n]|$)/y
const BOX = /\[([ xX-])\](?:[ \t]+|(?=\n|$))/y

/**
 * One item with what it holds: all lines that stand at least two spaces further in than its mark, or as far as its
 * text when that stands further in than five. So `1.` and `10.` hold the same children as `-`.
 */
export const listItem: Rule = (state, start, end, silent) => {
  if (state.column(start) - state.blkIndent >= 4) return false
  const at = state.at(start)
  MARK.lastIndex = at
  const [mark] = MARK.exec(state.src) ?? []
  if (mark === undefined) return false
  const after = at + mark.length
  const blank = state.skipSpaces(after) >= state.end(start)
  if (mark.length > 1 && !takesNumber(state, start, after)) return false
  if (silent) return mayInterrupt(state, start, mark, blank)
  if (state.depth >= MAX_DEPTH) return false

  const { level } = state.place
  assertLevel(state, start, level)
  const meta: ItemMeta = { level, isItem: true }
  if (mark.length > 1) setNumber(state, start, mark, meta)
  const open = state.push('item_open', '', 1)
  const before = getLine(state, start)
  const content = passMark(state, start, after)
  const fields = fieldsOf(state, start, mark)
  open.meta = Object.assign(meta, fields)
  const inner = Math.max(before[3] + 2, content - 3)
  if (!state.isEmpty(start)) {
    state.inside({ kind: 'item', from: content, standard: content, level: level + 1, free: false }, inner, start, end)
  } else if (fields.listStyle === 'task') {
    state.line = start + 1
  } else if (start + 1 < end && !state.isEmpty(start + 1) && state.column(start + 1) >= inner) {
    // -
    //   a       The text of an item may begin below its mark.
    //   ^
    const from = state.column(start + 1)
    if (from - before[3] - mark.length - 1 >= 4) meta.isIndentedCode = true
    state.inside({ kind: 'item', from, standard: from, level: level + 1, free: false }, inner, start + 1, end)
  } else {
    state.line = start + 1
  }
  setLine(state, start, before)
  state.push('item_close', '', -1).meta = meta
  return true
}

/**
 * False in fields that hold one line, where a number is text, and after the box of a task, as in
 * `- [ ] 24. Dezember`. A box after the number makes a task in both: `1. [ ] a`.
 */
function takesNumber(state: BlockState, line: number, after: number): boolean {
  if (!state.options.isOneLine && state.boxLine !== line) return true
  BOX.lastIndex = state.skipSpaces(after)
  return BOX.test(state.src) && BOX.lastIndex <= state.end(line)
}

/**
 * A number is that of an item if it is 1, if it continues the item before it, if the next item continues it, or after
 * `ANY_LEVEL`. Otherwise it is text: dates and years begin many lines.
 */
function setNumber(state: BlockState, line: number, mark: string, meta: ItemMeta): void {
  const number = Number.parseInt(mark, 10)
  const isMarked = state.markedLine === line
  meta.written = { number, mark: `${number}${mark.at(-1)}`, ...(isMarked && { isMarked }) }
  const before = itemBefore(state)
  const continued = before?.written?.number
  const isNext = continued !== undefined && number === continued + 1
  if (before !== undefined && isNext) before.isItem = true
  meta.isItem = number === 1 || isMarked || isNext || (continued !== undefined && before?.isItem === true)
}

/** The item that ends right before this place, also in a quote of its own. */
function itemBefore({ tokens }: BlockState): ItemMeta | undefined {
  let index = tokens.length - 1
  while (tokens[index]?.type === 'quote_open' || tokens[index]?.type === 'quote_close') index--
  const token = tokens[index]
  return token?.type === 'item_close' ? (token.meta as ItemMeta) : undefined
}

// A number that is not 1, or a mark without text, may be text of the paragraph it stands in:
//
//     It was in
//     1986. A good year
//     ^
function mayInterrupt(state: BlockState, line: number, mark: string, blank: boolean): boolean {
  if (state.parentType !== 'paragraph' || state.column(line) < state.blkIndent) return true
  return !blank && (mark.length === 1 || mark === '1.' || mark === '1)')
}

/** Moves the beginning of the line past the mark. @returns the column of the text */
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
  // Five or more spaces after a mark count as one, followed by code.
  if (at >= state.end(line) || offset - initial > 4) return initial + 1
  cutBefore(state, line, at)
  return offset
}

// What stands before is no part of the line any more: otherwise a mark that is wider than the least that its item asks
// for would be taken for text.
function cutBefore(state: BlockState, line: number, at: number): void {
  state.bMarks[line] = at
  state.tShift[line] = 0
}

function fieldsOf(state: BlockState, line: number, mark: string): ListFields {
  BOX.lastIndex = state.at(line)
  const box = BOX.exec(state.src)
  if (box === null || BOX.lastIndex > state.end(line)) {
    return { listStyle: mark.length > 1 ? 'numbered' : mark === '+' ? 'toggle' : 'bullet' }
  }
  cutBefore(state, line, BOX.lastIndex)
  state.boxLine = line
  return { listStyle: 'task', taskInfo: { state: STATES.get(box[1] ?? '') ?? 'todo' } }
}
