/**
 * Finds the capturing groups of a match that begins at a known place, with Pike's algorithm: threads that advance
 * through the text in lockstep.
 */
import type { Alphabet } from './alphabet.ts'
import { assertionHoldsAt } from './boundaries.ts'
import type { SearchInput } from './dfa-run.ts'
import { ASSERT, CONSUME, LOOKAROUND, MATCH, type Program, SAVE, SPLIT } from './program.ts'

/**
 * Offsets recorded by the preferred match that begins at `from`: start and end of the whole, then of each group, -1 for
 * a group that took no part. Undefined if no match begins there.
 */
export function findGroups(
  program: Program,
  alphabet: Alphabet,
  input: SearchInput,
  from: number,
  groups: number,
): Int32Array | undefined {
  const { text, lookarounds } = input
  const { kind, extra, next, takes, stride } = program
  const seen = new Int32Array(program.length).fill(-1)
  let threads: Thread[] = []
  let reached: Thread[] = []
  let groupOffsets: Int32Array | undefined

  /** Adds the threads reachable from a step at a place, the preferred ones first. */
  const follow = (step: number, slots: Int32Array, place: number): void => {
    const stack: Thread[] = [{ step, slots }]
    for (let thread = stack.pop(); thread !== undefined; thread = stack.pop()) {
      const { step, slots } = thread
      if (seen[step] === place) continue
      seen[step] = place
      const after = next[step] ?? 0
      const more = extra[step] ?? 0
      switch (kind[step]) {
        case SPLIT:
          stack.push({ step: more, slots }, { step: after, slots })
          break
        case SAVE:
          stack.push({ step: after, slots: slots.with(more, place) })
          break
        case ASSERT:
          if (assertionHoldsAt(text, place, more)) stack.push({ step: after, slots })
          break
        case LOOKAROUND:
          if ((((lookarounds[place] ?? 0) >> (more >> 1)) & 1) !== (more & 1)) stack.push({ step: after, slots })
          break
        default:
          reached.push({ step, slots })
      }
    }
  }

  follow(program.start, new Int32Array(groups * 2 + 2).fill(-1).fill(from, 0, 1), from)
  for (let place = from; reached.length > 0; ) {
    ;[threads, reached] = [reached, []]
    const codePoint = text.codePointAt(place) ?? -1
    const characterClass = codePoint < 0 ? alphabet.size : alphabet.classOf(codePoint)
    const after = place + (codePoint > 0xffff ? 2 : 1)
    for (const { step, slots } of threads) {
      if (kind[step] === MATCH) {
        groupOffsets = slots.with(1, place)
        break
      }
      if (kind[step] === CONSUME && takes[(extra[step] ?? 0) * stride + characterClass] === 1)
        follow(next[step] ?? 0, slots, after)
    }
    place = after
  }
  return groupOffsets
}

interface Thread {
  step: number
  slots: Int32Array
}
