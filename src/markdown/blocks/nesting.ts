import { invalid } from '../../base/errors.ts'
import { NESTING_PER_CALL } from '../../base/limits.ts'
import { LIST_LEVELS, MAX_INDENTATION } from '../block.ts'
import { formatPlace } from './format-place.ts'
import type { BlockState, Rule } from './parser-state.ts'

/** How deep quotes, items and levels may stand: as deep as tags and lists together. Marks beyond count as text. */
export const MAX_DEPTH = NESTING_PER_CALL + LIST_LEVELS + 2

/**
 * Allows the next block to be at any level, and an item of a list to have any number. Invisible in rendered Markdown,
 * where it ends a list, too.
 */
export const ANY_LEVEL = '<!-- -->'

/** A token before what standard Markdown reads as code. */
export const INDENTED_CODE = 'indented_code'

/** The indentation of a block at a level. */
export const indentation = (level: number): string => '  '.repeat(Math.max(0, Math.min(level, LIST_LEVELS)))

/**
 * Two spaces are one level. This rule runs before all others and determines where each block begins.
 *
 * As in standard Markdown, four or more spaces are code where no level is possible. A level can be one deeper than the
 * previous block, or anything at the beginning of a text or after {@link ANY_LEVEL}.
 */
export const nesting: Rule = (state, start, end, silent) => {
  if (silent) return false
  const { place } = state
  const column = state.column(start)
  const isFirst = place.count++ === 0
  const { free, reach } = place
  place.free = false
  place.reach = 0
  if (place.kind === 'item' && isFirst) return false
  const extra = column - place.from
  const levels = Math.max(0, Math.floor(extra / 2))
  // Text written by this program has no tabs at the beginning of a line.
  const isCode = isFirst && levels > MAX_INDENTATION && !isAllDeep(state, start, end, 2 * levels)
  if (free && !isCode && !/\t/.test(state.src.slice(state.bMarks[start], state.at(start)))) return nest(levels)
  if (place.kind === 'item' && place.count === 2 && extra < 4) {
    // - a          People's four spaces below an item are one level, as are two or three.
    //     - b
    //     ^
    if (extra < 0 && column - place.around >= 4) state.push(INDENTED_CODE, '', 0)
    place.from = column
    return nest(0)
  }
  if (extra >= 4 && levels > reach + 1) return false
  if (extra < 0) place.from = column
  return nest(levels)

  function nest(levels: number): boolean {
    // Without a level, this only applies to blocks that are at least four columns further in than their item requires.
    if (levels === 0 && column - state.blkIndent < 4) return false
    if (levels > LIST_LEVELS || state.depth >= MAX_DEPTH) return false
    const from = levels === 0 ? column : place.from + 2 * levels
    if (extra < 4 && isFenceAroundLinesBefore(state, start, end, from)) return false
    const level = place.level + levels
    assertLevel(state, start, level)
    state.push('nest_open', '', 1).meta = { level }
    if (column - place.standard >= 4) state.push(INDENTED_CODE, '', 0)
    state.inside({ kind: 'box', from, standard: place.standard, level, free: false }, from, start, end)
    state.push('nest_close', '', -1)
    place.reach = levels
    return true
  }
}

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/
const FENCE_END = /^(`{3,}|~{3,})[ \t]*$/

/**
 * True for a fence around lines that stand before the level of the fence, which would end it there. As in standard
 * Markdown, they are its code, and the spaces before the fence mean nothing.
 *
 *        ```
 *     code
 *        ```
 */
function isFenceAroundLinesBefore(state: BlockState, start: number, end: number, level: number): boolean {
  const [, fence] = FENCE.exec(state.lineText(start)) ?? []
  if (fence === undefined || state.unclosedFences.has(`${fence} ${end}`)) return false
  let hasLinesBefore = false
  for (let line = start + 1; line < end; line++) {
    if (state.isEmpty(line)) continue
    hasLinesBefore ||= state.column(line) < level
    if (FENCE_END.exec(state.lineText(line))?.[1]?.startsWith(fence) === true) return hasLinesBefore
    if (state.column(line) < state.blkIndent) return false
  }
  state.unclosedFences.add(`${fence} ${end}`)
  return false
}

/**
 * True for the Markdown of one deep block, as JSON has it, in which all lines stand as far in. A text that only begins
 * so begins with code, as pictures made of characters do.
 */
function isAllDeep(state: BlockState, start: number, end: number, columns: number): boolean {
  for (let line = start; line < end; line++) if (!state.isEmpty(line) && state.column(line) < columns) return false
  return true
}

/** @throws VALIDATION_ERROR for a block deeper than lists can be */
export function assertLevel(state: BlockState, line: number, level: number): void {
  if (level <= LIST_LEVELS) return
  throw invalid(
    `Expected lists of at most ${LIST_LEVELS} levels below the first, found more at ${formatPlace(line, state.column(line))}; move the deeper items to a page of their own.`,
  )
}

/** Parses {@link ANY_LEVEL} itself. */
export const anyLevel: Rule = (state, start, _end, silent) => {
  if (!state.src.startsWith(ANY_LEVEL, state.at(start)) || state.lineText(start).trimEnd() !== ANY_LEVEL) return false
  if (silent) return true
  state.place.free = state.place.kind === 'page' || state.place.kind === 'callout'
  state.line = start + 1
  state.markedLine = state.skipEmptyLines(start + 1)
  return true
}
