import { NESTING_PER_CALL } from '../../base/limits.ts'
import { MAX_INDENTATION } from '../block.ts'
import type { Rule } from './parser-state.ts'

/**
 * Allows the next block to be at any level, and an item of a list to have any number. Invisible in rendered Markdown,
 * where it ends a list, too.
 */
export const ANY_LEVEL = '<!-- -->'

/** The indentation of a block at a level. */
export const indentation = (level: number): string => '  '.repeat(Math.max(0, Math.min(level, MAX_INDENTATION)))

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
  if (free && !/\t/.test(state.src.slice(state.bMarks[start], state.at(start)))) return nest(levels)
  if (place.kind === 'item' && place.count === 2 && extra < 4) {
    // - a          People's four spaces below an item are one level, as are two or three.
    //     - b
    //     ^
    place.from = column
    return nest(0)
  }
  if (extra >= 4 && levels > reach + 1) return false
  if (extra < 0) place.from = column
  return nest(levels)

  function nest(levels: number): boolean {
    // Without a level, this only applies to blocks that are at least four columns further in than their item requires.
    if (levels === 0 && column - state.blkIndent < 4) return false
    if (levels > MAX_INDENTATION || state.depth >= NESTING_PER_CALL) return false
    const from = levels === 0 ? column : place.from + 2 * levels
    const level = Math.min(place.level + levels, MAX_INDENTATION)
    state.push('nest_open', '', 1).meta = { level }
    state.inside({ kind: 'box', from, level, free: false }, from, start, end)
    state.push('nest_close', '', -1)
    place.reach = levels
    return true
  }
}

/** Parses {@link ANY_LEVEL} itself. */
export const anyLevel: Rule = (state, start, _end, silent) => {
  if (!state.src.startsWith(ANY_LEVEL, state.at(start)) || state.words(start).trimEnd() !== ANY_LEVEL) return false
  if (silent) return true
  state.place.free = state.place.kind === 'page'
  state.line = start + 1
  state.markedLine = state.skipEmptyLines(start + 1)
  return true
}
