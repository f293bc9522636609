/** Which groups take part in a match that begins at a known place: Pike's machine, threads that stand at one place. */
import type { Alphabet } from './alphabet.ts'
import { assertionHoldsAt } from './boundaries.ts'
import type { SearchInput } from './dfa-run.ts'
import { ASSERT, LOOK, MATCH, type Program, SAVE, SPLIT, TAKE } from './program.ts'

/**
 * The places noted by the preferred match that begins there: start and end of the whole, then of each group, -1 where
 * a group took no part. Undefined if none begins there.
 */
export function findGroups(
  program: Program,
  alphabet: Alphabet,
  told: SearchInput,
  from: number,
  groups: number,
): Int32Array | undefined {
  const { text, looks } = told
  const { kind, extra, next, takes, stride } = program
  const seen = new Int32Array(program.length).fill(-1)
  let threads: Thread[] = []
  let reached: Thread[] = []
  let found: Int32Array | undefined

  /** Adds the threads that a step leads to at a place, the preferred first. */
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
        case LOOK:
          if ((((looks[place] ?? 0) >> (more >> 1)) & 1) !== (more & 1)) stack.push({ step: after, slots })
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
        found = slots.with(1, place)
        break
      }
      if (kind[step] === TAKE && takes[(extra[step] ?? 0) * stride + characterClass] === 1)
        follow(next[step] ?? 0, slots, after)
    }
    place = after
  }
  return found
}

interface Thread {
  step: number
  slots: Int32Array
}
