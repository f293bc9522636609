/** `` `code` ``: its fence, and the spaces that separate the fence from backticks in the code. */

import { FencePlaces } from './fence-places.ts'
import type { InlineState } from './inline-state.ts'

const fences = new WeakMap<InlineState, FencePlaces>()

/**
 *     a `b` c
 *       ^
 */
export function readCodeSpan(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state
  let start = pos
  while (start < state.end && src[start] === '`') start++
  const length = start - pos
  const end = fencesOf(state).next(length, start)
  if (end === undefined || end + length > state.end) {
    if (!silent) state.addText(src.slice(pos, start))
    state.pos = start
    return true
  }
  if (!silent) state.add({ type: 'code', content: withoutPad(src.slice(start, end).replaceAll('\n', ' ')) })
  state.pos = end + length
  return true
}

function fencesOf(state: InlineState): FencePlaces {
  const known = fences.get(state)
  if (known) return known
  const found = new FencePlaces(
    Array.from(state.src.matchAll(/`+/g), ({ 0: run, index: at }) => ({ at, length: run.length })),
  )
  fences.set(state, found)
  return found
}

const withoutPad = (code: string): string => (isPadded(code) ? code.slice(1, -1) : code)

/** True if reading removes a space at each edge, which it does unless there are only spaces. */
const isPadded = (code: string): boolean => code.startsWith(' ') && code.endsWith(' ') && /[^ ]/.test(code)

/** Writes code with the shortest fence that the code does not contain: `` a`b `` needs two backticks. */
export function writeCodeSpan(code: string): string {
  const held = new Set<number>()
  for (const [run] of code.matchAll(/`+/g)) held.add(run.length)
  let length = 1
  while (held.has(length)) length++
  const fence = '`'.repeat(length)
  const pad = code.startsWith('`') || code.endsWith('`') || isPadded(code) ? ' ' : ''
  return fence + pad + code + pad + fence
}
