/**
 * `$formula$` and `$$formula$$`: LaTeX, its characters kept as they are.
 *
 * A fence is a run of one or two `$`, and the next run of its length closes it. So that `$5 and $10` stays
 * money, what is in single `$` has no white space at its edges, and no digit may follow it. A `$` after a
 * backslash is LaTeX's own, and no fence.
 */

import { invalid } from '../../base/errors.ts'
import { isSpace } from './characters.ts'
import { FencePlaces } from './fence-places.ts'
import type { FormulaNode } from './inline-node.ts'
import type { InlineState } from './inline-state.ts'

const runs = new WeakMap<InlineState, FencePlaces>()

/**
 *     a $x^2$ b
 *       ^
 */
export function readFormula(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state
  let start = pos
  while (src[start] === '$') start++
  const fence = src.slice(pos, start)
  const end = nextRun(state, fence.length, start)
  if (end === undefined || end + fence.length > state.end || !canFence(fence, src, start, end)) {
    if (!silent) state.addText(fence)
    state.pos = start
    return true
  }
  if (!silent) {
    const content = src.slice(start, end).replaceAll('\n', ' ')
    state.add({ type: 'formula', content, fence: fence === '$' ? '$' : '$$' })
  }
  state.pos = end + fence.length
  return true
}

/** True if `fence` before `start` and at `end` makes the text between a formula. */
export function canFence(fence: string, text: string, start: number, end: number): boolean {
  if (fence.length === 2) return text.slice(start, end).trim() !== ''
  if (fence.length !== 1 || end <= start) return false
  return !isSpace(text.charAt(start)) && !isSpace(text.charAt(end - 1)) && !/\d/.test(text.charAt(end + 1))
}

/**
 * Writes a formula that is followed by the character `next`.
 *
 * @throws VALIDATION_ERROR if no fence can contain it
 */
export function writeFormula({ text, fence }: FormulaNode, next: string): string {
  for (const each of fence === '$$' ? (['$$'] as const) : (['$', '$$'] as const)) {
    const written = `${each}${text}${each}`
    const closed = findRun(written, each.length, each.length) === each.length + text.length
    if (closed && canFence(each, written + next, each.length, written.length - each.length)) return written
  }
  throw invalid(
    `Expected a formula that $…$ or $$…$$ can hold, found ${JSON.stringify(text)}; write \\$ for a dollar sign in it, and end it with neither space nor backslash.`,
  )
}

/** Finds the next run of this length. Each run of the text is checked only once. */
function nextRun(state: InlineState, length: number, from: number): number | undefined {
  let places = runs.get(state)
  if (!places) {
    places = new FencePlaces(fences(state.src))
    runs.set(state, places)
  }
  return places.next(length, from)
}

function findRun(text: string, length: number, from: number): number | undefined {
  for (const run of fences(text)) if (run.at >= from && run.length === length) return run.at
  return undefined
}

function* fences(text: string): Generator<{ at: number; length: number }> {
  for (const { 0: run, index } of text.matchAll(/\\[\s\S]|\$+/g))
    if (run[0] === '$') yield { at: index, length: run.length }
}
