import { MAX_INDENTATION } from '../block.ts'
import { MAX_DEPTH, type Rule } from './state.ts'

/** Says that the next block may stand at any level. Invisible wherever Markdown is shown. */
export const ANY_LEVEL = '<!-- -->'

/** What stands in front of each line of a block at a level. */
export const indentation = (level: number): string => '  '.repeat(Math.max(0, Math.min(level, MAX_INDENTATION)))

/**
 * Two spaces are one level. Comes before all other rules and sees where each block begins.
 *
 * As in Markdown, four spaces or more are code where a level could not stand; a level can stand one deeper than the
 * block before it, and anywhere at the beginning of a text or after {@link ANY_LEVEL}.
 */
export const nesting: Rule = (state, start, end, silent) => {
  if (silent) return false
  const { place } = state
  const column = state.column(start)
  const index = place.count++
  const free = place.free && !/\t/.test(state.src.slice(state.bMarks[start], state.at(start)))
  place.free = false
  if (place.kind === 'item' && index === 0) return false
  const extra = column - place.from
  if (free) return nest(Math.floor(extra / 2))
  if (extra >= 4) return false
  if (place.kind === 'item' && index === 1) {
    // - a          People's four spaces below an item are one level, as are two or three.
    //     - b
    //     ^
    place.from = column
    return column - state.blkIndent >= 4 && nest(0)
  }
  if (extra >= 2) return nest(1)
  if (extra < 0) place.from = column
  return column - state.blkIndent >= 4 && nest(0)

  function nest(levels: number): boolean {
    if (levels > MAX_INDENTATION || state.depth >= MAX_DEPTH) return false
    const from = place.from + 2 * levels
    if (levels === 0 && column - state.blkIndent < 4) return false
    const level = Math.min(place.level + levels, MAX_INDENTATION)
    state.push('nest_open', '', 1).meta = { level }
    state.inside(
      { kind: 'box', from: levels === 0 ? column : from, level, free: false },
      levels === 0 ? column : from,
      start,
      end,
    )
    state.push('nest_close', '', -1)
    return true
  }
}

/** {@link ANY_LEVEL} itself. */
export const anyLevel: Rule = (state, start, _end, silent) => {
  if (state.words(start).trimEnd() !== ANY_LEVEL) return false
  if (silent) return true
  state.place.free = state.place.kind === 'page'
  state.line = start + 1
  return true
}
