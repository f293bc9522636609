/** Levels of blocks that are nested further in or out, as functions of values alone. */

export const MAX_LEVEL = 5

/** Blocks that follow one another, each with all that is nested below it. */
export interface BlockRun {
  /** The level of the block before them; none at the beginning of the page. */
  before: number | undefined
  levels: readonly number[]
}

/**
 * The levels after one step. Further in, they go together or not at all: none of them is deeper than below the block
 * before it, or than the deepest level. Further out, what stands at the edge stays with all that is nested below it.
 */
export function nestedLevels({ before, levels }: BlockRun, by: -1 | 1): number[] {
  const [first = 0] = levels
  if (by === 1) {
    const isHeld = before === undefined || first > before || levels.some((level) => level >= MAX_LEVEL)
    return levels.map((level) => (isHeld ? level : level + 1))
  }
  /** The level of the block that the next ones may be nested below. */
  let top = first
  return levels.map((level) => {
    top = Math.min(top, level)
    return top === 0 ? level : level - 1
  })
}
