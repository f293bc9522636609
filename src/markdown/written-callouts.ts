/** The callouts of blocks that are written in place of one, whose Markdown does not show all callouts around it. */
import { invalid } from '../base/errors.ts'
import type { BlockFields, CalloutLevel } from './block.ts'
import { CALLOUT_LEVELS, calloutLevels, withCallout } from './callout-levels.ts'

type InCallout = Pick<BlockFields, 'decorations'>

/**
 * Blocks that were written in place of one. The Markdown of a block shows one tag however many callouts are around it,
 * so one tag around the first of the blocks is the innermost callout. It keeps its properties if the tag has none. The
 * blocks after it are in the callouts around that one, too, which would end before them otherwise.
 *
 *     <callout title="N">b</callout>      in place of b, where callouts are around it:   [{}, { title: 'I' }]
 *
 *     c                                   b   [{}, { title: 'N' }]       c   [{}]
 *
 * @throws VALIDATION_ERROR for more callouts in each other than a block may have
 */
export function inCalloutsOf<B extends InCallout>(before: InCallout, written: readonly B[]): readonly B[] {
  const [first, ...following] = written
  const outer = calloutLevels(before).slice(0, -1)
  const own = calloutLevels(before).at(-1)
  const [tag, ...more] = first === undefined ? [] : writtenLevels(first)
  if (first === undefined || own === undefined || tag === undefined || more.length > 0) return written
  const innermost = Object.keys(tag).some((key) => key !== 'starts') ? tag : own
  return [
    withCallout(first, [...outer, innermost]),
    ...(outer.length === 0 ? following : following.map((block) => goingOnIn(outer, block))),
  ]
}

/** The callouts of a block, also the one of a single block. */
const writtenLevels = (block: InCallout): readonly CalloutLevel[] =>
  block.decorations?.callout === true ? [{ starts: true }] : calloutLevels(block)

function goingOnIn<B extends InCallout>(outer: readonly CalloutLevel[], block: B): B {
  const levels = [...outer.map(() => ({})), ...writtenLevels(block)]
  if (levels.length <= CALLOUT_LEVELS) return withCallout(block, levels)
  throw invalid(
    `Expected at most ${CALLOUT_LEVELS} callouts in each other, found ${levels.length} with those around the block; end one before. Nothing was written.`,
  )
}
