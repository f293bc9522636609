/**
 * Callouts: boxes around neighboring blocks, and around each other. Only pages have children, so each block says in
 * which callouts it is.
 *
 *     <callout title="T">      a    [{ starts: true, title: 'T' }]
 *     a
 *                              b    [{}]
 *     b
 *     <callout>                c    [{}, { starts: true }]
 *     c
 *     </callout></callout>
 *
 * `true` is a callout of one block, without properties.
 */
import type { BlockFields, Callout, CalloutLevel, Decorations } from './block.ts'

/** The greatest number of callouts around a block, and of characters of an icon. */
export const CALLOUT_LEVELS = 16
export const ICON_LENGTH = 32

type InCallout = Pick<BlockFields, 'decorations'>

/** Most blocks are in no callout. */
const NO_LEVELS: readonly CalloutLevel[] = []

/** The callouts around a block that may hold its neighbors, too. The outermost is first. */
export function calloutLevels(block: InCallout | undefined): readonly CalloutLevel[] {
  const callout = block?.decorations?.callout
  return callout === undefined || callout === true ? NO_LEVELS : callout
}

/** How many of its callouts a block shares with the block before it. */
export function sharedCallouts(before: InCallout | undefined, block: InCallout | undefined): number {
  const [outer, levels] = [calloutLevels(before), calloutLevels(block)]
  let shared = 0
  while (shared < outer.length && shared < levels.length && levels[shared]?.starts !== true) shared++
  return shared
}

/** True if a callout begins or ends between two siblings, other than one of a single block. */
export const areInOtherCallouts = (before: InCallout | undefined, block: InCallout | undefined): boolean => {
  if (before?.decorations === undefined && block?.decorations === undefined) return false
  const shared = sharedCallouts(before, block)
  return shared < calloutLevels(before).length || shared < calloutLevels(block).length
}

/** The callout of a block as Markdown would give it: it begins where the block before is in none that is as deep. */
export function writtenCallout(
  before: InCallout | undefined,
  block: InCallout,
  after: InCallout | undefined,
): Callout | undefined {
  const levels = calloutLevels(block)
  if (levels.length === 0) return block.decorations?.callout
  const shared = sharedCallouts(before, block)
  const written = levels.map((level, index): CalloutLevel => (index < shared ? {} : { ...level, starts: true }))
  const isPlain = written.length === 1 && JSON.stringify(written[0]) === '{"starts":true}'
  return isPlain && sharedCallouts(block, after) === 0 ? true : written
}

/** A block with a callout, or without one. */
export function withCallout<B extends InCallout>(block: B, callout: Callout | undefined): B {
  const { callout: _, ...others } = block.decorations ?? {}
  const decorations = { ...(callout !== undefined && { callout }), ...others }
  if (Object.keys(decorations).length > 0) return { ...block, decorations }
  const { decorations: _none, ...bare } = block
  return bare as B
}

/** The decorations of a further block in the same callouts. */
export function continueDecorations(decorations: Decorations): Decorations {
  const { callout } = decorations
  return typeof callout === 'object' ? { ...decorations, callout: callout.map(() => ({})) } : decorations
}

/** The decorations of a block that is written by someone who knows only `true`: its callouts stay as they are. */
export function preserveCallouts(
  before: BlockFields['decorations'],
  after: BlockFields['decorations'],
): BlockFields['decorations'] {
  if (after?.callout !== true || before?.callout === undefined || before.callout === true) return after
  return { ...after, callout: before.callout }
}
