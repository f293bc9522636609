/**
 * `$formula$` and `$$formula$$`: LaTeX, its characters kept as they are.
 *
 * A fence is a run of one or two `$`, and the next run of its length closes it. So that `$5 and $10` stays
 * money, what is in single `$` has no white space at its edges, and no digit may follow it. A `$` after a
 * backslash is LaTeX's own, and no fence.
 */

import type { StateInline } from 'markdown-it'
import { invalid } from '../../base/errors.ts'
import { isSpace } from './characters.ts'
import type { FormulaNode } from './inline-node.ts'

const runs = new WeakMap<StateInline, Map<number, number[]>>()

/**
 *     a $x^2$ b
 *       ^
 */
export function readFormula(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src[pos] !== '$') return false
  let start = pos
  while (src[start] === '$') start++
  const fence = src.slice(pos, start)
  const end = nextRun(state, fence.length, start)
  if (end === undefined || end + fence.length > state.posMax || !canFence(fence, src, start, end)) {
    if (!silent) state.pending += fence
    state.pos = start
    return true
  }
  if (!silent) {
    const token = state.push('formula', '', 0)
    token.content = src.slice(start, end).replaceAll('\n', ' ')
    token.markup = fence
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
function nextRun(state: StateInline, length: number, from: number): number | undefined {
  let found = runs.get(state)
  if (!found) {
    found = new Map()
    for (const { at, length: size } of fences(state.src)) {
      const list = found.get(size)
      if (list) list.push(at)
      else found.set(size, [at])
    }
    runs.set(state, found)
  }
  const starts = found.get(length) ?? []
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return starts[low]
}

function findRun(text: string, length: number, from: number): number | undefined {
  for (const run of fences(text)) if (run.at >= from && run.length === length) return run.at
  return undefined
}

function* fences(text: string): Generator<{ at: number; length: number }> {
  for (const { 0: run, index } of text.matchAll(/\\[\s\S]|\$+/g))
    if (run[0] === '$') yield { at: index, length: run.length }
}
