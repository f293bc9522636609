/** Pure functions that indent and outdent blocks. */

import { LIST_LEVELS, MAX_INDENTATION } from '../../../markdown/block.ts'

/** The level of a block as calls take it: `indentationLevel` ends at 5, and `depth` is the level itself. */
export const placeOf = ({ indentationLevel: depth = 0 }: { indentationLevel?: number }) => ({
  indentationLevel: Math.min(depth, MAX_INDENTATION),
  depth,
})

/** Consecutive blocks, each with everything nested below it. */
export interface BlockRun {
  /** The level of the block before them; undefined at the start of the page. */
  before: number | undefined
  levels: readonly number[]
}

/**
 * The levels after one step. Indenting applies to all blocks or none: no block may be more than one level below the
 * block before it, or exceed the deepest level. When outdenting, blocks at the outermost level stay, together with
 * everything nested below them.
 */
export function nestedLevels({ before, levels }: BlockRun, by: -1 | 1): number[] {
  const [first = 0] = levels
  if (by === 1) {
    const isHeld = before === undefined || first > before || levels.some((level) => level >= LIST_LEVELS)
    return levels.map((level) => (isHeld ? level : level + 1))
  }
  /** The level of the block under which the next ones can be nested. */
  let top = first
  return levels.map((level) => {
    top = Math.min(top, level)
    return top === 0 ? level : level - 1
  })
}
